// An SM into which nobody looks joins stages of its front end (sc_models/sm/front_end/joined_front_end.h). Every
// byte, cycle and counter is that of stages apart, also when somebody begins to look in the middle.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sc_models/chip.h"
#include "sc_models/sm/tesla/sm.h"
#include "testbenches/system/reset/reset_run.h"

namespace gt200::support {
namespace {

const damage ended_early = {"a fault", tesla_program("  mov b32 $r9 0x10\n  ld b32 $r9 g14[$r9]\n  exit nop\n"),
                            end_reason::fault, arch_state::fault_kind::unmapped_address};
const damage ended_early_on_fermi = {"a fault",
                                     fermi_program_of("  mov b32 $r9 0x10\n  ld b32 $r9 ca g[$r9]\n  exit\n"),
                                     end_reason::fault, arch_state::fault_kind::unmapped_address};
const damage& damage_of(const reset_setting& setting) {
  return setting.preset == "gtx480" ? ended_early_on_fermi : ended_early;
}

}  // namespace

void PrintTo(const reset_setting& setting, std::ostream* out) {
  *out << setting.preset;
  for (const std::string& key : setting.overrides) *out << ' ' << key;
}

namespace {

unsigned joined_sms(device& board) {
  unsigned count = 0;
  for (model::sm_if* sm : board.chip().sms())
    if (const auto* tesla = dynamic_cast<const model::tesla_sm*>(sm)) count += tesla->stages_joined() ? 1 : 0;
  return count;
}

std::string apart(reset_setting setting) {
  setting.unobserved = false;
  return work_after(setting, damage_of(setting), false);
}
std::string joined(reset_setting setting, std::function<void(device&)> before_launches = {}) {
  setting.unobserved = true;
  setting.before_launches = [before_launches](device& board) {
    if (joined_sms(board) != board.chip().sms().size()) throw std::runtime_error("an SM has not joined its stages");
    if (before_launches) before_launches(board);
  };
  return work_after(setting, damage_of(setting), false);
}

// Calls act(n) at the end of the n-th interval.
class at_intervals final : public tlm_bus::interval_observer {
 public:
  at_intervals(device& board, tlm_bus::femtoseconds length, std::function<void(unsigned)> act)
      : length_(length), act_(std::move(act)), end_(sc_core::sc_time_stamp().value() + length) {
    board.chip().clocks.attach(*this);
  }
  tlm_bus::femtoseconds interval_end() const override { return end_; }
  void interval_ends() override {
    end_ += length_;
    act_(count_++);
  }

 private:
  tlm_bus::femtoseconds length_;
  std::function<void(unsigned)> act_;
  tlm_bus::femtoseconds end_;
  unsigned count_ = 0;
};
std::unique_ptr<at_intervals> steps;  // they live as long as the process of a run

class silent final : public model::instruction_buffer_observer {
  void entered(const sc_core::sc_object&, model::warp_slot, const model::buffered_instruction&) override {}
};

class joined_stages : public testing::TestWithParam<reset_setting> {
 protected:
  void SetUp() override {
    reference_ = apart(GetParam());
    ASSERT_EQ(reference_.rfind("done ", 0), 0u) << reference_.substr(0, 500);
  }
  std::string reference_;
};

TEST_P(joined_stages, give_what_stages_apart_give) {
  EXPECT_EQ(first_difference(joined(GetParam()), reference_), "");
}

TEST_P(joined_stages, can_be_parted_at_any_time) {
  for (const unsigned cycles : {37u, 61u, 113u})
    EXPECT_EQ(first_difference(joined(GetParam(),
                                      [cycles](device& board) {
                                        const auto part_next = [&board](unsigned n) {
                                          const auto sms = board.chip().sms();
                                          if (n < sms.size()) sms[n]->part_stages();
                                        };
                                        steps = std::make_unique<at_intervals>(
                                            board, cycles * board.chip().core.period(), part_next);
                                      }),
                               reference_),
              "")
        << cycles;
}

TEST_P(joined_stages, part_when_somebody_attaches) {
  for (const unsigned cycles : {41u, 97u})
    EXPECT_EQ(first_difference(joined(GetParam(),
                                      [cycles](device& board) {
                                        const auto look = [&board](unsigned n) {
                                          static silent observer;
                                          const auto sms = board.chip().sms();
                                          if (n >= sms.size()) return;
                                          for (auto& tap : sms[n]->probe().instruction_buffer_taps())
                                            tap.tap.attach(observer, tlm_bus::event_order::of_cluster);
                                        };
                                        steps = std::make_unique<at_intervals>(
                                            board, cycles * board.chip().core.period(), look);
                                      }),
                               reference_),
              "")
        << cycles;
}

TEST_P(joined_stages, can_be_reset) {
  reset_setting setting = GetParam();
  setting.unobserved = true;
  EXPECT_EQ(first_difference(work_after(setting, damage_of(setting), true), reference_), "");
}

TEST_P(joined_stages, join_again_after_a_reset) {
  reset_setting setting = GetParam();
  setting.unobserved = true;
  setting.before_launches = [](device& board) {
    if (joined_sms(board) != board.chip().sms().size()) throw std::runtime_error("an SM has not joined its stages");
  };
  damage before = damage_of(setting);
  before.plant = [](device& board) -> hangs::planted {
    board.start();
    for (model::sm_if* sm : board.chip().sms()) sm->part_stages();
    return std::make_unique<hangs::done_at_once>();
  };
  EXPECT_EQ(first_difference(work_after(setting, before, true), reference_), "");
}

TEST_P(joined_stages, work_in_any_order_of_modules) {
  reset_setting setting = GetParam();
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    setting.clocking.shuffle_seed = seed;
    EXPECT_EQ(first_difference(joined(setting), reference_), "") << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(machines, joined_stages,
                         testing::Values(reset_setting{"gt200_small"}, reset_setting{"gtx480"},
                                         reset_setting{"gt200_small",
                                                       {"tpc.sm.issue.sp_hold_cycles=2",
                                                        "tpc.sm.issue.drops_unexecuted=true"}},
                                         reset_setting{"gt200_small", {"tpc.sm.scoreboard.tracks_shared=true"}},
                                         reset_setting{"gt200_small", {"tpc.sm.fetch.instructions_per_fetch=2"}},
                                         reset_setting{"gt200_small", {"tpc.sm.fetch.queue_entries=1"}},
                                         reset_setting{"gt200_small", {"tpc.sm.decode.queue_entries=1"}},
                                         reset_setting{"gt200_small",
                                                       {"tpc.sm.scoreboard.entries_per_warp=5",
                                                        "tpc.sm.instruction_buffer.entries_per_warp=4"}}),
                         [](const testing::TestParamInfo<reset_setting>& machine) {
                           return machine.param.preset + "_" + std::to_string(machine.index);
                         });

class stages_apart : public testing::TestWithParam<std::string> {};

TEST_P(stages_apart, stay_apart_where_a_part_works_in_another_way) {
  reset_setting setting{"gt200_small", {GetParam()}};
  setting.unobserved = true;
  setting.before_launches = [](device& board) {
    if (joined_sms(board) != 0) throw std::runtime_error("an SM has joined its stages");
  };
  const std::string done = work_after(setting, ended_early, false);
  EXPECT_EQ(done.rfind("done ", 0), 0u) << done.substr(0, 500);
}

INSTANTIATE_TEST_SUITE_P(
    keys, stages_apart,
    testing::Values("tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.scoreboard.entries_per_warp=16",
                    "tpc.sm.scoreboard.lookup_latency_cycles=2", "tpc.sm.scoreboard.allocate=at_issue",
                    "tpc.sm.scoreboard.when_full=discard", "tpc.sm.scoreboard.entries_per_warp=4",
                    "tpc.sm.instruction_buffer.entries_per_warp=5", "tpc.sm.fetch.policy=coordinated",
                    "tpc.sm.fetch.command_entries=1", "tpc.sm.scheduler.policy=two_level"));

}  // namespace
}  // namespace gt200::support
