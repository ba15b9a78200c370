// Host time per memory transaction through crossbar and partitions: streams of ten TPCs, and one load at a time.
//
// The path is elaborated once, as SystemC demands; each run starts and stops the sources.
#include <benchmark/benchmark.h>

#include <deque>
#include <string>
#include <systemc>

#include "sc_models/memory_transaction.h"
#include "testbenches/subsystem/memory/memory_path.h"
#include "tlm_bus/clocking.h"

namespace {

using namespace gt200;

constexpr unsigned tpcs = 10;
constexpr unsigned transaction_bytes = 128;
constexpr std::uint64_t second_array = 64u << 20;
constexpr unsigned transactions_per_run = 2000;

// Keeps `window` transactions outstanding until `transactions_per_run` have been answered.
class stream : public tlm_bus::stage {
 public:
  stream(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned tpc)
      : stage(name, domain), out("out", *this), tpc_(tpc) {}
  tlm_bus::memory_initiator<model::gpu_memory_protocol> out;

  enum class pattern { load, store, copy };
  void start(pattern p, unsigned window) {
    pattern_ = p;
    window_ = window;
    sent_ = answered_ = 0;
    wake_from_outside();
  }
  unsigned answered() const { return answered_; }

 private:
  void tick() override {
    if (out.response() != nullptr) {
      out.take_response().release();
      ++answered_;
    }
    if (sent_ == transactions_per_run || sent_ - answered_ >= window_ || !out.can_request()) return;
    const bool store = pattern_ == pattern::store || (pattern_ == pattern::copy && sent_ / 8 % 2 == 1);
    const unsigned n = pattern_ == pattern::copy ? sent_ / 16 * 8 + sent_ % 8 : sent_;
    model::memory_payload& p = pool_.get();
    p.prepare(store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
              (std::uint64_t{n} * tpcs + tpc_) * transaction_bytes + (store ? second_array : 0), transaction_bytes);
    p.extension() = model::memory_extension{};
    p.extension().kind = store ? model::memory_kind::store : model::memory_kind::load;
    out.request(p);
    ++sent_;
    wake_next();
  }

  unsigned tpc_;
  pattern pattern_ = pattern::load;
  unsigned window_ = 0;
  unsigned sent_ = 0;
  unsigned answered_ = 0;
  model::payload_pool pool_;
};

struct bench {
  explicit bench(const config::gpu_config& config)
      : driver("clocking"),
        uncore("uncore", config.clocks.uncore_period(), driver),
        memory("memory", config.clocks.memory_period(), driver),
        path("path", uncore, memory, config, tpcs) {
    for (unsigned i = 0; i < tpcs; ++i) {
      streams.emplace_back(("stream_" + std::to_string(i)).c_str(), uncore, i);
      streams[i].out.bind(path.crossbar.sources[i]);
    }
  }
  tlm_bus::clocking driver;
  tlm_bus::clock_domain uncore;
  tlm_bus::clock_domain memory;
  support::memory_path path;
  std::deque<stream> streams;
};

bench* the_bench = nullptr;

void run(benchmark::State& state, stream::pattern pattern, unsigned sources, unsigned window) {
  std::uint64_t transactions = 0;
  for (auto _ : state) {
    for (unsigned i = 0; i < sources; ++i) the_bench->streams[i].start(pattern, window);
    sc_core::sc_start();
    for (unsigned i = 0; i < sources; ++i) transactions += the_bench->streams[i].answered();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(transactions));
  state.counters["time_per_transaction"] = benchmark::Counter(
      static_cast<double>(transactions), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(run, load_stream, stream::pattern::load, tpcs, 128)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, store_stream, stream::pattern::store, tpcs, 128)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, copy, stream::pattern::copy, tpcs, 128)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, one_load_at_a_time, stream::pattern::load, 1, 1)->Unit(benchmark::kMillisecond);

}  // namespace

int sc_main(int argc, char* argv[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  bench b(support::gt200_preset());
  the_bench = &b;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
