// How much of the DRAM's rate ten TPCs get through crossbar and partitions, and how long one load takes.
#include "testbenches/subsystem/memory/memory_system.h"
#include "testbenches/subsystem/memory/stream.h"

namespace gt200::support {
namespace {

constexpr unsigned tpcs = 10;
constexpr unsigned bytes = stream_source::transaction_bytes;
constexpr std::uint64_t second_array = 64u << 20;

// The n-th transaction of TPC `tpc` when all of them read an array side by side, as the blocks of a grid do.
std::uint64_t side_by_side(unsigned tpc, unsigned n) { return (std::uint64_t{n} * tpcs + tpc) * bytes; }

class memory_bandwidth_test : public systemc_test {
 protected:
  // GB/s that `count` transactions per TPC reach.
  double rate(const config::gpu_config& config, unsigned count,
              const std::function<stream_source::access(unsigned, unsigned)>& next) {
    memory_path path("path", uncore(), memory(), config, tpcs);
    std::deque<stream_source> sources;
    for (unsigned i = 0; i < tpcs; ++i) {
      sources.emplace_back(("source_" + std::to_string(i)).c_str(), uncore(), count, 128,
                           [i, next](unsigned n) { return next(i, n); });
      sources[i].out.bind(path.crossbar.sources[i]);
    }
    run_until_idle();
    tlm_bus::cycle_t last = 0;
    for (const auto& s : sources) {
      EXPECT_EQ(s.answered, count);
      last = std::max(last, s.last_answer_at);
    }
    EXPECT_EQ(path.outstanding(), 0u);
    const double seconds = static_cast<double>(last * uncore().period()) * 1e-15;
    const double reached = 1e-9 * tpcs * count * bytes / seconds;
    RecordProperty("gigabytes_per_second", std::to_string(reached));
    return reached;
  }
};

constexpr double peak = 8 * 32 / 2 * 1.107;     // 8 partitions, a burst of 32 bytes every 2 memory cycles
constexpr double write_paths = 8 * 16 * 0.602;  // and 16 bytes of stores per uncore cycle

TEST_F(memory_bandwidth_test, reading_a_stream) {
  const double reached = rate(gt200_preset(), 2000, [](unsigned tpc, unsigned n) {
    return stream_source::access{false, side_by_side(tpc, n)};
  });
  EXPECT_GT(reached, 0.8 * peak);
  EXPECT_LT(reached, peak);
}

// Stores alone are limited by the way into the ROPs.
TEST_F(memory_bandwidth_test, writing_a_stream) {
  const double reached = rate(gt200_preset(), 2000, [](unsigned tpc, unsigned n) {
    return stream_source::access{true, side_by_side(tpc, n)};
  });
  EXPECT_GT(reached, 0.8 * write_paths);
  EXPECT_LT(reached, write_paths);
}

// Silicon: 81 to 85 % of the peak in the bandwidth test of the SDK.
TEST_F(memory_bandwidth_test, copying_an_array) {
  const double reached = rate(gt200_preset(), 4000, [](unsigned tpc, unsigned n) {
    const unsigned pair = n / 16 * 8 + n % 8;  // eight loads, eight stores
    const bool store = n / 8 % 2 == 1;
    return stream_source::access{store, side_by_side(tpc, pair) + (store ? second_array : 0)};
  });
  EXPECT_GT(reached, 0.6 * peak);
  EXPECT_LT(reached, peak);
}

// All accesses to one partition (a stride of 2048 bytes) get an eighth of the peak at most.
TEST_F(memory_bandwidth_test, camping_on_one_partition) {
  const double reached = rate(gt200_preset(), 500, [](unsigned tpc, unsigned n) {
    return stream_source::access{false, (std::uint64_t{n} * tpcs + tpc) * 2048};
  });
  EXPECT_LT(reached, peak / 8);
  EXPECT_GT(reached, 0.5 * peak / 8);
}

}  // namespace
}  // namespace gt200::support
