// Fetching lines, in exact cycles: one transaction per cycle, in the order of the MSHRs or of the misses; the parts
// of a line are put together however they come back.
#include "sc_models/cache/line_fill.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "testbenches/support/memory.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

using support::timed;
using tlm_bus::base_protocol;
using tlm_bus::cycle_t;

// A cache reduced to its fills: it starts given misses in given cycles.
class filling_stage : public tlm_bus::stage {
 public:
  struct line {
    unsigned mshr;
    tlm::tlm_response_status status;
    std::vector<std::uint8_t> data;
  };

  filling_stage(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const fill_parameters& p)
      : stage(name, domain), port("port", *this), fill(port, p), line_bytes_(p.line_bytes) {}

  void miss_at(cycle_t cycle, unsigned mshr, std::uint64_t address) {
    misses_.push_back({cycle, {mshr, address}});
    wake_at(cycle);
  }

  tlm_bus::memory_initiator<base_protocol> port;
  line_fill<base_protocol> fill;
  std::vector<timed<unsigned>> completed;  // MSHRs
  std::vector<line> lines;                 // in the order of `completed`
  cycle_t waits_before_sending = 0;        // cycles between a miss and its first transaction

 private:
  void tick() override {
    if (const auto filled = fill.receive()) {
      completed.push_back({cycle(), filled->mshr});
      lines.push_back(
          {filled->mshr, filled->status, std::vector<std::uint8_t>(filled->data, filled->data + line_bytes_)});
    }
    for (const auto& miss : misses_) {
      if (miss.cycle == cycle()) fill.start(miss.value.first, miss.value.second, origin(), cycle());
    }
    fill.send(cycle() + 1 - waits_before_sending);
    if (fill.has_to_send()) wake_next();
    for (const auto& miss : misses_)
      if (miss.cycle > cycle()) wake_at(miss.cycle);
  }
  static memory_extension origin() {
    memory_extension e;
    e.transaction_id = 1000;
    e.kind = memory_kind::load;
    return e;
  }

  std::uint32_t line_bytes_;
  std::vector<timed<std::pair<unsigned, std::uint64_t>>> misses_;
};

// The extension of each request when the memory took it.
class extension_log : public tlm_bus::memory_observer {
 public:
  void phase(const sc_core::sc_object&, tlm_bus::femtoseconds, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override {
    if (phase == tlm::BEGIN_REQ) all.push_back(*payload.get_extension<memory_extension>());
  }
  std::vector<memory_extension> all;
};

class line_fill_test : public support::systemc_test {
 protected:
  void build(const fill_parameters& parameters, cycle_t latency = 10) {
    memory_ = std::make_unique<support::memory_responder<base_protocol>>("memory", core(), latency);
    cache = std::make_unique<filling_stage>("cache", core(), parameters);
    cache->port.bind(memory_->port);
    memory_->port.observers().attach(log);
    for (unsigned i = 0; i < 1024; ++i) memory_->bytes[i] = static_cast<std::uint8_t>(i / 16);
  }
  static std::vector<std::uint8_t> original(std::uint64_t address, unsigned bytes) {
    std::vector<std::uint8_t> values(bytes);
    for (unsigned i = 0; i < bytes; ++i) values[i] = static_cast<std::uint8_t>((address + i) / 16);
    return values;
  }
  const std::vector<timed<std::uint64_t>>& asked() const { return memory_->taken; }

  std::unique_ptr<filling_stage> cache;
  extension_log log;

 private:
  std::unique_ptr<support::memory_responder<base_protocol>> memory_;
};

using addresses = std::vector<timed<std::uint64_t>>;
using mshrs = std::vector<timed<unsigned>>;

TEST_F(line_fill_test, a_line_is_there_when_its_answer_is_visible) {
  build({2, 64});
  cache->miss_at(5, 1, 128);
  run_until_idle();
  // Sent in 5, taken in 6, answered in 16, visible in 17.
  EXPECT_EQ(asked(), (addresses{{6, 128}}));
  EXPECT_EQ(cache->completed, (mshrs{{17, 1}}));
  EXPECT_EQ(cache->lines[0].data, original(128, 64));
  EXPECT_EQ(cache->fill.outstanding(), 0u);
}

TEST_F(line_fill_test, one_transaction_leaves_per_cycle) {
  build({4, 64});
  cache->miss_at(5, 0, 0);
  cache->miss_at(5, 1, 64);
  cache->miss_at(5, 2, 128);
  run_until_idle();
  EXPECT_EQ(asked(), (addresses{{6, 0}, {7, 64}, {8, 128}}));
  EXPECT_EQ(cache->completed, (mshrs{{17, 0}, {18, 1}, {19, 2}}));
}

TEST_F(line_fill_test, the_lowest_mshr_goes_first) {
  fill_parameters parameters{4, 64};
  parameters.order = fill_order::lowest_mshr;
  build(parameters);
  cache->miss_at(5, 3, 0);
  cache->miss_at(5, 2, 64);
  cache->miss_at(6, 1, 128);
  run_until_idle();
  EXPECT_EQ(asked(), (addresses{{6, 64}, {7, 128}, {8, 0}}));
}

TEST_F(line_fill_test, the_oldest_miss_goes_first) {
  fill_parameters parameters{4, 64};
  parameters.order = fill_order::oldest_miss;
  build(parameters);
  cache->miss_at(5, 3, 0);
  cache->miss_at(5, 2, 64);
  cache->miss_at(6, 1, 128);
  run_until_idle();
  EXPECT_EQ(asked(), (addresses{{6, 0}, {7, 64}, {8, 128}}));
}

TEST_F(line_fill_test, a_line_larger_than_a_transaction_comes_in_parts) {
  fill_parameters parameters{2, 128};
  parameters.largest_transaction_bytes = 32;
  parameters.order = fill_order::oldest_miss;
  build(parameters);
  cache->miss_at(5, 0, 256);
  cache->miss_at(6, 1, 512);
  run_until_idle();
  EXPECT_EQ(asked(),
            (addresses{{6, 256}, {7, 288}, {8, 320}, {9, 352}, {10, 512}, {11, 544}, {12, 576}, {13, 608}}));
  EXPECT_EQ(cache->completed, (mshrs{{20, 0}, {24, 1}})) << "with the last part";
  EXPECT_EQ(cache->lines[0].data, original(256, 128));
  EXPECT_EQ(cache->lines[1].data, original(512, 128));
}

TEST_F(line_fill_test, a_miss_may_have_to_wait_for_the_next_cycle) {
  build({2, 64});
  cache->waits_before_sending = 1;
  cache->miss_at(5, 0, 0);
  run_until_idle();
  EXPECT_EQ(asked(), (addresses{{7, 0}}));
}

TEST_F(line_fill_test, a_transaction_is_a_fill_and_carries_its_mshr_and_the_extension_of_the_miss) {
  build({4, 64});
  cache->miss_at(5, 3, 0);
  cache->miss_at(20, 1, 64);
  run_until_idle();
  ASSERT_EQ(log.all.size(), 2u);
  EXPECT_EQ(log.all[0].kind, memory_kind::fill);
  EXPECT_EQ(log.all[0].tag, 3u);
  EXPECT_EQ(log.all[1].tag, 1u);
  EXPECT_EQ(log.all[0].transaction_id, 1001u);
  EXPECT_EQ(log.all[1].transaction_id, 1002u);
}

TEST_F(line_fill_test, transactions_keep_the_number_of_the_miss_where_they_are_not_numbered) {
  fill_parameters parameters{4, 64};
  parameters.numbers_transactions = false;
  build(parameters);
  cache->miss_at(5, 3, 0);
  cache->miss_at(20, 1, 64);
  run_until_idle();
  ASSERT_EQ(log.all.size(), 2u);
  EXPECT_EQ(log.all[0].transaction_id, 1000u);
  EXPECT_EQ(log.all[1].transaction_id, 1000u);
}

}  // namespace
}  // namespace gt200::model
