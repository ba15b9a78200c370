// Waveforms show the state of the model: compares random signals at random instants in the files with the model.
#include <cstdlib>
#include <filesystem>
#include <random>

#include "apps/support/model_run.h"
#include "observe/trace/catalog.h"
#include "observe/trace/recorder.h"
#include "observe/trace/waves.h"
#include "sc_models/ids.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/support/tesla_sm.h"
#include "testbenches/support/vcd_file.h"
#include "tlm_bus/clocking.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200 {
namespace {

// Samples the model at every instant, bypassing the recorder: no memory of changes, no log, no file.
class sampler final : private tlm_bus::instant_observer, private observe::probe_listener {
 public:
  struct sample {
    std::uint32_t signal;
    tlm_bus::femtoseconds at;
    std::string value;
  };

  explicit sampler(device& target) : clocks_(target.chip().clocks), catalog_(target.chip(), *this) {
    for (const auto& p : catalog_.probes()) p->attach();
    clocks_.observers().attach(*this);
  }
  ~sampler() override { clocks_.observers().detach(*this); }

  const std::vector<sample>& samples() const { return samples_; }
  const std::string& path_of(const sample& s) const { return catalog_.signals()[s.signal].path; }

 private:
  static constexpr unsigned sources_per_instant = 24;

  void on_event(const observe::event&) override {}
  void touched(std::uint32_t) override {}
  void edge(const tlm_bus::clock_domain&, const std::uint64_t*) override {}
  void instant_ends(tlm_bus::femtoseconds now) override {
    for (unsigned i = 0; i < sources_per_instant; ++i) {
      const observe::source& s = catalog_.sources()[random_() % catalog_.sources().size()];
      if (s.count == 0) continue;
      std::vector<std::uint64_t> values(s.count);
      tlm_bus::signal_writer writer(values.data());
      s.publisher->publish(writer);
      const auto chosen = static_cast<std::uint32_t>(random_() % s.count);
      samples_.push_back({s.first + chosen, now, text_of(s.first + chosen, values[chosen])});
    }
  }
  std::string text_of(std::uint32_t signal, std::uint64_t value) const {
    const tlm_bus::signal_description& about = catalog_.signals()[signal].about;
    if (about.kind == tlm_bus::signal_kind::text) return about.meaning(value);
    if (about.kind == tlm_bus::signal_kind::identifier) return model::text_of_id(value);
    std::string digits;
    do {
      digits.insert(digits.begin(), static_cast<char>('0' + (value & 1)));
      value >>= 1;
    } while (value != 0);
    return digits;
  }

  tlm_bus::clocking& clocks_;
  observe::catalog catalog_;
  std::mt19937_64 random_{1296};
  std::vector<sample> samples_;
};

// A kernel on a small chip.
struct loaded_kernel {
  loaded_kernel(const std::string& kernel, const std::vector<std::string>& parameters) {
    apps::workload_options options;
    options.target = GT200_SOURCE_DIR "/kernels/" + kernel;
    options.parameters = parameters;
    work = apps::load_workload(options);
    apps::prepare(*work, target.allocator(), config.tpc.sm.limits.threads_per_block);
    target.load(work->prepared);
  }
  config::gpu_config config = support::configuration("gt200_small");
  device target{config};
  observe::statistics statistics{target};
  std::unique_ptr<apps::workload> work;
};

// Damages the result of one of the additions that all lanes execute; number 0 damages none.
class damaged_addition final : private tlm_bus::pipe_observer<model::executed_token> {
 public:
  damaged_addition(tlm_bus::pipe_in<model::executed_token>& results, unsigned number) : left_(number) {
    results.observers().attach(*this);
  }

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::executed_token& token) override {
    if (isa::tesla::as_tesla(*token.operation->instruction).op != isa::tesla::opcode::add ||
        token.operation->executed != ~isa::lane_mask{0})
      return;
    if (left_ == 0 || --left_ != 0) return;
    token.operation->values.destination[0].lane[7] ^= 0x40;
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::executed_token&) override {}
  unsigned left_;
};

class waves : public testing::Test {
 protected:
  waves() { std::filesystem::create_directories(folder_); }
  ~waves() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Records a kernel on a small chip and samples it at the same time.
  void run(const std::string& kernel, const std::vector<std::string>& parameters) {
    loaded_kernel k(kernel, parameters);
    observe::recorder recorder(k.target, settings());
    sampler samples(k.target);
    const apps::run_outcome outcome = apps::run_on_model(k.target, *k.work, {k.statistics});
    ASSERT_EQ(outcome.end, end_reason::done) << outcome.message;
    recorder.close();
    for (const sampler::sample& s : samples.samples()) expected_.push_back({samples.path_of(s), s.at, s.value});
  }
  // Of everything.
  observe::trace_settings settings() const {
    observe::trace_settings settings;
    settings.path = path("trace.log");
    settings.signals = {"*"};
    return settings;
  }
  void convert(std::unique_ptr<observe::wave_writer> writer) {
    observe::log_reader log(path("trace.log"));
    observe::write_waves(log, *writer, {"*"});
    EXPECT_FALSE(log.cut_off());
  }
  void expect_samples_in(const support::vcd_file& file) const {
    EXPECT_GE(expected_.size(), 100'000u);
    std::size_t changing = 0;
    std::size_t wrong = 0;
    for (const expected_value& e : expected_) {
      const auto found = file.signals.find(e.path);
      ASSERT_NE(found, file.signals.end()) << e.path;
      const std::string& shown = found->second.at(e.at);
      changing += found->second.changes.size() > 1 ? 1 : 0;
      if (shown == e.value) continue;
      if (++wrong <= 10)
        ADD_FAILURE() << e.path << " at " << e.at << ": '" << shown << "', not '" << e.value << "'";
    }
    EXPECT_EQ(wrong, 0u) << "of " << expected_.size();
    // Most signals of a chip are constant most of the time; enough of the sampled ones must change.
    EXPECT_GT(changing, expected_.size() / 20);
  }

 private:
  struct expected_value {
    std::string path;
    tlm_bus::femtoseconds at;
    std::string value;
  };
  std::string folder_ = testing::TempDir() + "gt200_waves_" + std::to_string(::getpid());
  std::vector<expected_value> expected_;
};

TEST_F(waves, of_arithmetic_and_shared_memory_equal_the_state_of_the_model) {
  run("reduce0", {"N=2048"});
  convert(observe::make_vcd_writer(path("out.vcd")));
  const support::vcd_file file = support::read_vcd(path("out.vcd"));
  EXPECT_EQ(file.timescale, "1 fs");
  expect_samples_in(file);
}

TEST_F(waves, of_divergent_code_and_atomics_equal_the_state_of_the_model_in_fst_too) {
  if (!observe::can_write_fst()) GTEST_SKIP() << "this build cannot write FST";
  if (std::system("command -v fst2vcd >/dev/null") != 0) GTEST_SKIP() << "fst2vcd is not installed";
  run("bfs", {"N=256"});
  convert(observe::make_fst_writer(path("out.fst")));
  const std::string command = "fst2vcd -f " + path("out.fst") + " -o " + path("from_fst.vcd") + " >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  expect_samples_in(support::read_vcd(path("from_fst.vcd")));
}

TEST_F(waves, show_the_clocks_of_all_domains) {
  run("vector_add", {"N=256"});
  convert(observe::make_vcd_writer(path("out.vcd")));
  const support::vcd_file file = support::read_vcd(path("out.vcd"));
  const config::clocks_config clocks = support::configuration("gt200_small").clocks;
  const std::vector<std::pair<std::string, tlm_bus::femtoseconds>> domains = {{"core", clocks.core_period()},
                                                                              {"shader", clocks.shader_period()},
                                                                              {"uncore", clocks.uncore_period()},
                                                                              {"memory", clocks.memory_period()}};
  for (const auto& [name, period] : domains) {
    const support::vcd_signal& clock = file.signals.at("gt200." + name + ".clock");
    const support::vcd_signal& cycle = file.signals.at("gt200." + name + ".cycle");
    for (std::uint64_t edge = 1; (edge + 1) * period < file.last_time; edge += 1 + edge / 8) {
      EXPECT_EQ(clock.at(edge * period), "1") << name << " " << edge;
      EXPECT_EQ(clock.at(edge * period - 1), "0") << name << " " << edge;
      EXPECT_EQ(std::stoull(cycle.at(edge * period), nullptr, 2), edge) << name;
      EXPECT_EQ(std::stoull(cycle.at(edge * period - 1), nullptr, 2), edge - 1) << name;
    }
  }
}

// The launch stops at the difference, which the checker finds when the instruction writes back.
TEST_F(waves, end_with_the_first_difference_from_the_emulator_if_that_is_the_trigger) {
  for (const bool sound : {true, false}) {
    EXPECT_EQ(support::in_own_process([&] {
                loaded_kernel k("reduce0", {"N=2048"});
                observe::checker checker(k.target);
                observe::trace_settings with_trigger = settings();
                with_trigger.trigger = observe::trigger_of("mismatch");
                with_trigger.trigger->before = 200;
                observe::recorder recorder(k.target, with_trigger);
                model::tesla_sm& sm = support::first_sm(k.target.chip());
                damaged_addition damage(sm.write_back.from_units[sm.units.result_index("sp")], sound ? 0 : 20);
                const apps::run_outcome outcome =
                    apps::run_on_model(k.target, *k.work, {k.statistics, &checker, nullptr, &recorder});
                recorder.close();
                if (!recorder.has_recorded()) return "nothing recorded: " + outcome.message;
                convert(observe::make_vcd_writer(path("out.vcd")));
                const support::vcd_file file = support::read_vcd(path("out.vcd"));
                const tlm_bus::femtoseconds core = k.config.clocks.core_period();
                const std::uint64_t found = checker.difference()->cycle;
                EXPECT_EQ(file.last_time / core, found);
                EXPECT_EQ(file.first_time / core, found - 200);
                EXPECT_GT(file.signals.size(), 1000u);
                const std::string write_back = checker.difference()->place + ".write_back.from_sp.";
                const std::uint64_t before = found * core - 1;
                EXPECT_EQ(file.signals.at(write_back + "valid").at(before), "1");
                EXPECT_EQ(std::stoull(file.signals.at(write_back + "pc").at(before), nullptr, 2),
                          checker.difference()->pc);
                return std::string(HasFailure() ? "not the right window" : "recorded");
              }),
              sound ? "nothing recorded: " : "recorded");
  }
}

}  // namespace
}  // namespace gt200
