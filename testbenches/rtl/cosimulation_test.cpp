// RTL inside the chip: in place of the model, kernels take exactly the same cycles; beside it, there is no
// difference. Broken RTL is reported at its first wrong answer.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>

#include "rtl_ref/issue_arbiter/issue_arbiter.h"
#include "rtl_ref/scoreboard/scoreboard.h"
#include "sc_models/sm/cosimulation/lockstep_at_issue.h"
#include "sc_models/sm/cosimulation/lockstep_tracker.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"
#include "sc_models/sm/cosimulation/rtl_schedulers.h"
#include "testbenches/rtl/cosimulated_run.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/support/tesla_sm.h"

namespace gt200 {
namespace {

using support::change_rtl;
using support::kernel_case;
using support::run;
using support::run_here;

class cosimulation : public ::testing::TestWithParam<kernel_case> {};

// What the reference RTL has.
const std::vector<std::string> with_rtl_on_g80 = {"tpc.memory.coalescer.join_equal=false",
                                                  "tpc.sm.scheduler.policy=lrr"};

TEST_P(cosimulation, takes_the_same_cycles_and_shows_no_difference) {
  const std::string expected = run(GetParam(), "systemc");
  EXPECT_NE(expected.find(" cycles"), std::string::npos) << expected;
  EXPECT_NE(expected.rfind("error: ", 0), 0u) << expected;
  EXPECT_EQ(run(GetParam(), "rtl"), expected);
  EXPECT_EQ(run(GetParam(), "lockstep"), expected);
}

INSTANTIATE_TEST_SUITE_P(
    kernels, cosimulation,
    ::testing::Values(
        kernel_case{"vector_add", "vector_add", {"N=3000"}}, kernel_case{"matrix_mul", "matrix_mul", {"N=32"}},
        kernel_case{"reduce0", "reduce0", {"N=1024"}}, kernel_case{"bfs", "bfs", {"N=64"}},
        kernel_case{"atomic_counter", "atomic_counter", {"N=200"}},
        kernel_case{"histogram", "histogram", {"N=200"}}, kernel_case{"daxpy", "daxpy", {"N=300"}},
        kernel_case{"madloop", "madloop", {"ITERS=1"}}, kernel_case{"copy", "copy", {"N=2048"}},
        kernel_case{"transpose", "transpose", {"N=32"}},
        kernel_case{"on_all_30_sms", "vector_add", {"N=16384"}, "gt200"},
        kernel_case{"on_all_16_sms_of_the_g80", "vector_add", {"N=8192"}, "g80", with_rtl_on_g80},
        kernel_case{"spmv_on_the_g80", "spmv", {"ROWS=256"}, "g80", with_rtl_on_g80},
        kernel_case{"coalescing_rule_1_0", "bfs", {"N=64"}, "gt200_small", {"tpc.memory.coalescer.rule=1.0"}},
        kernel_case{
            "three_entries", "matrix_mul", {"N=32"}, "gt200_small", {"tpc.sm.scoreboard.entries_per_warp=3"}},
        kernel_case{"four_entries_that_stall_all",
                    "matrix_mul",
                    {"N=32"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.entries_per_warp=4", "tpc.sm.scoreboard.when_full=stall_all"}},
        kernel_case{"discarding",
                    "bfs",
                    {"N=64"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.entries_per_warp=3", "tpc.sm.scoreboard.when_full=discard"}},
        kernel_case{"two_instructions_per_fetch",
                    "daxpy",
                    {"N=300"},
                    "gt200_small",
                    {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.scheduler.schedulers=2"}},
        kernel_case{"greedy_then_oldest",
                    "reduce0",
                    {"N=1024"},
                    "gt200_small",
                    {"tpc.sm.scheduler.policy=gto", "tpc.sm.fetch.policy=coordinated"}},
        kernel_case{"two_arbiters_of_different_order",
                    "bfs",
                    {"N=64"},
                    "gt200_small",
                    {"tpc.sm.scheduler.schedulers=2", "tpc.sm.scheduler.second_policy=gto"}},
        kernel_case{"64_warps_of_8_entries",
                    "reduce0",
                    {"N=1024"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.entries_per_warp=8", "tpc.sm.limits.warps=64"}},
        kernel_case{
            "a_size_of_no_preset",
            "reduce0",
            {"N=1024"},
            "gt200_small",
            {"tpc.sm.scoreboard.entries_per_warp=13", "tpc.sm.limits.warps=17", "tpc.sm.limits.threads=544"}},
        kernel_case{"entries_taken_at_issue",
                    "matrix_mul",
                    {"N=32"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue"}},
        kernel_case{"entries_taken_at_issue_on_the_g80",
                    "spmv",
                    {"ROWS=256"},
                    "g80",
                    {"tpc.memory.coalescer.join_equal=false", "tpc.sm.scheduler.policy=lrr",
                     "tpc.sm.scoreboard.allocate=at_issue"}},
        kernel_case{"one_entry_taken_at_issue",
                    "bfs",
                    {"N=64"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.entries_per_warp=1"}},
        kernel_case{"three_entries_taken_at_issue_that_stall_all",
                    "matrix_mul",
                    {"N=32"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.entries_per_warp=3",
                     "tpc.sm.scoreboard.when_full=stall_all"}},
        kernel_case{"taken_at_issue_with_two_fetched_and_two_schedulers_and_a_deep_buffer",
                    "daxpy",
                    {"N=300"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.fetch.instructions_per_fetch=2",
                     "tpc.sm.scheduler.schedulers=2", "tpc.sm.instruction_buffer.entries_per_warp=6"}},
        kernel_case{"taken_at_issue_with_a_buffer_of_one",
                    "reduce0",
                    {"N=1024"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.instruction_buffer.entries_per_warp=1"}},
        kernel_case{"taken_at_issue_with_a_clock_that_runs_freely",
                    "reduce0",
                    {"N=512"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.rtl.clock=free_running"}},
        kernel_case{"taken_at_issue_under_stalls",
                    "reduce0",
                    {"N=512"},
                    "gt200_small",
                    {"tpc.sm.scoreboard.allocate=at_issue", "simulation.stalls_per_1024=50"}},
        kernel_case{"24_warps",
                    "reduce0",
                    {"N=1024"},
                    "gt200_small",
                    {"tpc.sm.limits.warps=24", "tpc.sm.limits.threads=768"}}),
    [](const auto& of) { return std::string(of.param.name); });

// Gives wrong answers from its `from`-th release on.
class forgets_a_release : public rtl::scoreboard_pins {
 public:
  forgets_a_release(std::unique_ptr<rtl::scoreboard_pins> sound, unsigned from)
      : sound_(std::move(sound)), left_(from) {}
  answer enter(unsigned warp, const isa::instruction& instruction) override {
    return sound_->enter(warp, instruction);
  }
  std::uint64_t release(unsigned warp, std::uint64_t entries) override {
    return left_ != 0 && --left_ == 0 ? 0 : sound_->release(warp, entries);
  }
  std::uint64_t squash(unsigned warp, std::uint64_t entries) override { return sound_->squash(warp, entries); }
  std::uint64_t flush(unsigned warp) override { return sound_->flush(warp); }
  bool full_next(unsigned warp) const override { return sound_->full_next(warp); }
  void edge() override { sound_->edge(); }
  region inspect(unsigned warp) override { return sound_->inspect(warp); }

 private:
  std::unique_ptr<rtl::scoreboard_pins> sound_;
  unsigned left_;
};

void forget_a_release(device& target) {
  model::tesla_sm& sm = support::first_sm(target.chip());
  const config::sm_config& config = target.chip().config.tpc.sm;
  sm.scoreboard.use(std::make_unique<model::lockstep_tracker>(
      sm.issue.domain(), config, 0,
      model::rtl_scoreboard(
          sm.issue.domain(), config,
          std::make_unique<forgets_a_release>(
              rtl::make_scoreboard({config.limits.warps, config.scoreboard.entries_per_warp}), 20))));
}

TEST(lockstep, stops_at_the_first_wrong_answer_and_shows_both_sides) {
  const std::string text = run({"", "reduce0", {"N=512"}}, "lockstep", forget_a_release);
  for (const char* part :
       {"DIFFERENCE: scoreboard: RTL and model differ in a release at core cycle ", ", SM 0, warp ", ", pc 0x",
        "model: clears {", "RTL:   clears {}", "entry   model", "writes $"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  EXPECT_EQ(text.find("further"), std::string::npos) << text;
}

// Forgets the bits of younger instructions, the entries that are taken, or the room that a release gives, from its
// `from`-th call of that kind on.
class forgetful_at_issue : public rtl::scoreboard_at_issue_pins {
 public:
  enum class what { younger, taken, room };
  forgetful_at_issue(std::unique_ptr<rtl::scoreboard_at_issue_pins> sound, what forgotten, unsigned from)
      : sound_(std::move(sound)), forgotten_(forgotten), left_(from) {}
  answer enter(unsigned warp, const isa::instruction& instruction) override {
    return sound_->enter(warp, instruction);
  }
  allocation issue(unsigned warp, const isa::instruction& instruction, const instruction_list& younger) override {
    allocation a = sound_->issue(warp, instruction, younger);
    bool depends = false;
    for (const answer& y : a.younger) depends |= y.dependencies != 0;
    if (forgotten_ == what::younger && depends && reached())
      for (answer& y : a.younger) y.dependencies = 0;
    if (forgotten_ == what::taken && reached()) a.taken = 0;
    return a;
  }
  completion release(unsigned warp, std::uint64_t entries, const instruction_list& waiting) override {
    completion c = sound_->release(warp, entries, waiting);
    if (forgotten_ == what::room && !c.room.empty() && reached()) c.room.assign(c.room.size(), false);
    return c;
  }
  bool full_next(unsigned warp) const override { return sound_->full_next(warp); }
  void edge() override { sound_->edge(); }
  region inspect(unsigned warp) override { return sound_->inspect(warp); }

 private:
  bool reached() {
    if (left_ != 0) --left_;
    return left_ == 0;
  }
  std::unique_ptr<rtl::scoreboard_at_issue_pins> sound_;
  what forgotten_;
  unsigned left_;
};

std::string text_of_forgetful(forgetful_at_issue::what forgotten) {
  return run({"", "reduce0", {"N=512"}, "gt200_small", {"tpc.sm.scoreboard.allocate=at_issue"}}, "lockstep",
             [forgotten](device& target) {
               model::tesla_sm& sm = support::first_sm(target.chip());
               const config::sm_config& config = target.chip().config.tpc.sm;
               sm.scoreboard.use(std::make_unique<model::lockstep_at_issue>(
                   sm.issue.domain(), config, 0,
                   model::rtl_scoreboard_at_issue(
                       sm.issue.domain(), config,
                       std::make_unique<forgetful_at_issue>(
                           rtl::make_scoreboard_at_issue(model::size_at_issue(config)), forgotten, 20))));
             });
}

TEST(lockstep, at_issue_stops_at_the_first_wrong_answer_and_shows_both_sides) {
  using what = forgetful_at_issue::what;
  const std::map<what, std::vector<const char*>> expected = {
      {what::younger, {"differ in an allocation at core cycle ", "RTL:   entries {", ", vectors {}"}},
      {what::taken, {"differ in an allocation at core cycle ", "model: entries {", "RTL:   entries {}"}},
      {what::room, {"differ in a release at core cycle ", "RTL:   entries {", "without room"}}};
  for (const auto& [forgotten, parts] : expected) {
    const std::string text = text_of_forgetful(forgotten);
    EXPECT_EQ(text.rfind("DIFFERENCE: scoreboard: RTL and model ", 0), 0u) << text;
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    for (const char* part : {", SM 0, warp ", ", pc 0x", "reads ", "writes ", "entry   model"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(lockstep, the_signals_around_the_first_wrong_answer_can_be_recorded) {
  observe::trace_settings settings;
  settings.path = testing::TempDir() + "gt200_mismatch_" + std::to_string(::getpid()) + ".log";
  settings.signals = {"*.tpc_0.sm_0.scoreboard.rtl.*"};
  settings.trigger = observe::trigger_of("mismatch");
  settings.trigger->before = 100;
  const std::string text = run({"", "reduce0", {"N=512"}}, "lockstep", forget_a_release, settings);
  EXPECT_NE(text.find("DIFFERENCE"), std::string::npos) << text;
  EXPECT_NE(text.find("\nrecorded"), std::string::npos) << text;
  EXPECT_NE(run({"", "reduce0", {"N=512"}}, "lockstep", {}, settings).find("\nnothing recorded"), std::string::npos)
      << "without a difference";
  std::filesystem::remove(settings.path);
}

// Compares what a waveform shows of the RTL's pins with the model's answers.
class compares_pins : public model::scoreboard_observer {
 public:
  explicit compares_pins(model::scoreboard& of) : of_(of) {
    std::vector<tlm_bus::signal_description> names;
    tlm_bus::signal_writer writer(names);
    of_.publish(writer);
    for (std::size_t i = 0; i < names.size(); ++i) places_[names[i].name] = i;
    values_.resize(names.size());
    of_.observers().attach(*this);
  }
  unsigned entered_rightly() const { return right_; }
  unsigned wrong() const { return wrong_; }

 private:
  std::uint64_t value(const std::string& name) const { return values_[places_.at("rtl." + name)]; }
  void look() {
    tlm_bus::signal_writer writer(values_.data());
    of_.publish(writer);
  }
  void entered(model::core_cycle cycle, model::warp_slot warp, const isa::instruction& instruction,
               const model::lookup_answer& answer, model::warp_mask full) override {
    look();
    unsigned last = 0;  // port in use
    while (last < 2 && value("enter_" + std::to_string(last + 1) + ".valid") != 0) ++last;
    const std::string port = "enter_" + std::to_string(last) + ".";
    const bool same = value("cycle") == cycle.number() && value(port + "valid") == 1 &&
                      value(port + "warp") == warp.index() && value(port + "count") == instruction.write_count &&
                      (value(port + "accepted") != 0) == answer.entered &&
                      value(port + "dependencies") == answer.dependencies &&
                      value(port + "allocated") == answer.allocated && value("full_next") == full;
    ++(same ? right_ : wrong_);
  }
  void released(model::core_cycle, model::warp_slot, std::uint64_t, model::warp_mask) override {}

  model::scoreboard& of_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::uint64_t> values_;
  unsigned right_ = 0;
  unsigned wrong_ = 0;
};

TEST(signals, show_the_pins_of_the_rtl_as_they_are_in_the_cycle) {
  std::optional<compares_pins> pins;
  const std::string text = support::in_own_process([&] {
    const std::string end = run_here({"", "reduce0", {"N=512"}}, "lockstep", [&](device& target) {
      pins.emplace(support::first_sm(target.chip()).scoreboard);
    });
    return end.substr(0, 7) + " " + (pins->entered_rightly() > 100 ? "many" : "few") + " right, " +
           std::to_string(pins->wrong()) + " wrong";
  });
  EXPECT_EQ(text, "correct many right, 0 wrong");
}

// Grants no warp, or a warp that does not request, from its `from`-th grant on.
class lazy_arbiter : public rtl::arbiter_pins {
 public:
  lazy_arbiter(std::unique_ptr<rtl::arbiter_pins> sound, unsigned from, int instead)
      : sound_(std::move(sound)), left_(from), instead_(instead) {}
  int grant(std::uint64_t requests) override {
    if (left_ != 0) --left_;
    return left_ == 0 ? instead_ : sound_->grant(requests);
  }
  void accept(unsigned warp) override { sound_->accept(warp); }
  void start(unsigned warp) override { sound_->start(warp); }
  void edge() override { sound_->edge(); }

 private:
  std::unique_ptr<rtl::arbiter_pins> sound_;
  unsigned left_;
  int instead_;
};

change_rtl grants_wrongly(int instead) {
  return [instead](device& target) {
    model::issue& issue = support::first_sm(target.chip()).issue;
    const config::sm_config& config = target.chip().config.tpc.sm;
    auto arbiter = std::make_unique<model::rtl_arbiter>(
        issue.domain(),
        std::make_unique<lazy_arbiter>(
            rtl::make_issue_arbiter({config.limits.warps, rtl::arbiter_order::round_robin}), 200, instead));
    issue.use(
        0, std::make_unique<model::rtl_scheduler>(
               std::move(arbiter), model::lockstep_comparison(issue.domain(), config.rtl, 0), config.limits.warps));
  };
}

TEST(rtl_alone, that_grants_no_warp_ends_the_run_with_a_report) {
  const std::string text = run({"", "reduce0", {"N=512"}}, "rtl", grants_wrongly(rtl::arbiter_pins::nobody));
  EXPECT_EQ(text.find("WRONG RTL: issue arbiter: the RTL grants nobody although warps request at core cycle "), 0u)
      << text;
  EXPECT_NE(text.find(", SM 0\n  requests: "), std::string::npos) << text;
}

TEST(rtl_alone, that_grants_a_warp_without_a_request_ends_the_run_with_a_report) {
  const std::string text = run({"", "reduce0", {"N=512"}}, "rtl", grants_wrongly(31));
  EXPECT_EQ(text.find("WRONG RTL: issue arbiter: the RTL grants warp 31, which does not request, at core cycle "),
            0u)
      << text;
}

TEST(lockstep, runs_on_for_the_configured_cycles) {
  const std::string text = run({"", "reduce0", {"N=512"}, "gt200_small", {"tpc.sm.rtl.run_on_cycles=2000"}},
                               "lockstep", forget_a_release);
  EXPECT_NE(text.find("DIFFERENCE"), std::string::npos) << text;
  EXPECT_NE(text.find(" further answers differed"), std::string::npos) << text;
}

TEST(lockstep, runs_with_rtl_that_the_configuration_describes) {
  const std::string own = "tpc.sm.scoreboard.rtl=" GT200_SOURCE_DIR "/rtl_ref/template/hazard_unit.toml";
  const std::string own_coalescer =
      "tpc.memory.coalescer.rtl=" GT200_SOURCE_DIR "/rtl_ref/template/merge_unit.toml";
  const kernel_case with = {"", "reduce0", {"N=512"}, "gt200_small", {own, own_coalescer}};
  const std::string expected = run({"", "reduce0", {"N=512"}}, "systemc");
  EXPECT_EQ(run(with, "lockstep"), expected);
  EXPECT_EQ(run(with, "rtl"), expected);
  const std::string refusing =
      "tpc.sm.scoreboard.rtl=" GT200_SOURCE_DIR "/testbenches/rtl/refusing_scoreboard.toml";
  EXPECT_NE(run({"", "reduce0", {"N=512"}, "gt200_small", {refusing}}, "lockstep").find("RTL:   refused"),
            std::string::npos)
      << "it is this RTL that runs";
}

TEST(rtl, of_the_scoreboard_is_the_one_that_takes_entries_when_the_configuration_does) {
  const auto text = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> all = overrides;
    all.emplace_back("tpc.sm.scoreboard.model=rtl");
    return model::rtl_in_use(support::configuration("gt200_small", all)).at(0).text();
  };
  EXPECT_EQ(text({}), "scoreboard 32x6");
  EXPECT_EQ(text({"tpc.sm.scoreboard.allocate=at_issue"}), "scoreboard_at_issue 32x6x2");
  EXPECT_EQ(text({"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.instruction_buffer.entries_per_warp=5"}),
            "scoreboard_at_issue 32x6x5");
  EXPECT_EQ(model::rtl_available(support::configuration("gt200_small", {"tpc.sm.scoreboard.allocate=at_issue"}))
                .at(0)
                .text(),
            "scoreboard_at_issue 32x6x2");
}

TEST(rtl, is_not_made_if_no_sm_has_it) {
  const config::gpu_config none = support::configuration(
      "gt200_small", {"tpc.sm.scoreboard.model=rtl", "tpc.memory.coalescer.model=rtl", "tpc.sm.rtl.sms=4"});
  EXPECT_TRUE(model::rtl_in_use(none).empty());
  EXPECT_EQ(model::rtl_in_use(support::configuration("gt200_small", {"tpc.sm.scoreboard.model=rtl"})).size(), 1u);
  EXPECT_EQ(model::rtl_in_use(support::configuration("gt200_small", {"tpc.memory.coalescer.model=rtl"})).size(),
            1u);
  EXPECT_TRUE(model::rtl_in_use(support::configuration("gt200_small", {})).empty());
}

TEST(lockstep, applies_to_the_selected_sms) {
  const std::string text = support::in_own_process([] {
    const device target(
        support::configuration("gt200", {"tpc.sm.scoreboard.model=lockstep", "tpc.memory.coalescer.model=lockstep",
                                         "tpc.sm.rtl.sms=0x8002"}),
        {});
    std::string sms;
    for (model::sm_if* sm : target.chip().sms())
      sms += support::tesla(*sm).scoreboard.lockstep() != nullptr ? "x" : ".";
    std::string tpcs;
    for (const model::tpc& tpc : target.chip().tpcs)
      tpcs += tpc.memory.coalescer.lockstep_comparisons().empty() ? "." : "x";
    return sms + " " + tpcs;
  });
  EXPECT_EQ(text, ".x.............x.............. x....x....");
}

}  // namespace
}  // namespace gt200
