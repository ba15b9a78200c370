// When a barrier releases which warps: exact cycles, by every way of clocking. The preset has 2 core cycles per
// arrival, 1 to read a counter, and 6 from the last arrival to the release when its counter is latched.
#include "sc_models/sm/divergence/barrier.h"

#include <deque>
#include <map>

#include "sc_models/grid_descriptor.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
constexpr cycle_t end = 100;
constexpr unsigned warps_per_block = 8;

struct arrival {
  cycle_t sent;
  unsigned warp;
  unsigned id = 0;
  bool arrives = true;
  bool waits = true;
};

struct scene {
  warp_mask unfinished;
  std::vector<arrival> arrivals;
  std::map<cycle_t, warp_mask> exits = {};  // warps that exit in this cycle
  warp_mask diverged = 0;
  cycle_t write_back_takes_from = 0;
  cycle_t replays_end = 0;  // of warp 1
};

// Issue, divergence stack and block control around the barriers.
class surroundings : public tlm_bus::stage,
                     public issue_barrier_if,
                     public simt_stack_barrier_if,
                     public block_control_state_if {
 public:
  surroundings(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const scene& s)
      : stage(name, domain),
        exits_(s.exits),
        diverged_(s.diverged),
        replays_end_(s.replays_end),
        unfinished_(s.unfinished) {
    for (const auto& [cycle, warps] : exits_) wake_at(cycle);
  }

  std::vector<std::pair<cycle_t, warp_mask>> released;

  void release(warp_mask warps) override { released.push_back({domain().cycle(), warps}); }
  warp_mask replaying() const override { return domain().cycle() < replays_end_ ? 0b10 : 0; }
  bool converged(warp_slot warp) const override { return (diverged_ & warp_bit(warp)) == 0; }
  const warp_signal& resident() const override { return unfinished_; }
  const warp_signal& unfinished() const override { return unfinished_; }
  const tlm_bus::registered_signal<per_warp<stall_cause>>& awaited_at_exit() const override { return awaited_; }
  unsigned unfinished_warps(block_slot block) override {
    const warp_mask of_block = unfinished_.read(domain().cycle()) >> block.index() * warps_per_block & 0xffu;
    return static_cast<unsigned>(__builtin_popcountll(of_block));
  }
  block_slot block_slot_of(warp_slot warp) const override { return block_slot(warp.index() / warps_per_block); }
  bool is_alone(warp_slot) override { return true; }

 private:
  void tick() override {
    if (const auto found = exits_.find(cycle()); found != exits_.end()) {
      unfinished_.change(domain()) &= ~found->second;
      exits_.erase(found);
    }
  }

  tlm_bus::registered_signal<per_warp<stall_cause>> awaited_;
  std::map<cycle_t, warp_mask> exits_;
  warp_mask diverged_;
  cycle_t replays_end_;
  warp_signal unfinished_;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s)
      : config_(testing::sm_config_with({})),
        clocks_((name + "_clocks").c_str(), options),
        rest_((name + "_rest").c_str(), clocks_.core, s),
        source_((name + "_source").c_str(), clocks_.core),
        barrier_((name + "_barrier").c_str(), clocks_.core, config_, generation_),
        sink_((name + "_sink").c_str(), clocks_.core, 1) {
    source_.out.bind(barrier_.in);
    barrier_.out.bind(sink_.in);
    barrier_.issue.bind(rest_);
    barrier_.simt_stack.bind(rest_);
    barrier_.blocks.bind(rest_);
    sink_.takes = [from = s.write_back_takes_from](cycle_t cycle) { return cycle >= from; };
    grid_.barriers = 2;
    for (const arrival& a : s.arrivals) send(a);
  }

  std::vector<std::pair<cycle_t, warp_mask>> result() const { return rest_.released; }
  const warp_instruction& operation(std::size_t n) const { return operations_[n]; }
  const barrier& unit() const { return barrier_; }
  std::size_t completed() const { return sink_.taken.size(); }

 private:
  void send(const arrival& a) {
    isa::instruction& instruction = instructions_.emplace_back();
    instruction.unit = isa::unit_class::barrier;
    instruction.barrier = {static_cast<std::uint8_t>(a.id), a.arrives, a.waits};
    warp_instruction& operation = operations_.emplace_back();
    operation.instruction = &instruction;
    operation.grid = &grid_;
    operation.warp = warp_slot(a.warp);
    operation.block_slot = block_slot(a.warp / warps_per_block);
    operation.active = operation.executed = 0xff;
    source_.send_at(a.sent, {&operation});
  }

  config::sm_config config_;
  arch_state::tesla::generation generation_{13, {}};
  support::clocks clocks_;
  surroundings rest_;
  support::token_source<collected_token> source_;
  barrier barrier_;
  support::token_sink<executed_token> sink_;
  grid_descriptor grid_;
  std::deque<isa::instruction> instructions_;
  std::deque<warp_instruction> operations_;
};

class barrier_test : public testing::every_way<bench> {
 protected:
  using releases = std::vector<std::pair<cycle_t, warp_mask>>;
  releases released(const scene& s) {
    build(s);
    return run(end);
  }
};

// Sent at t, an arrival is served at t + 1.
TEST_F(barrier_test, one_warp_is_released_after_counter_and_latency) {
  EXPECT_EQ(released({0b1, {{10, 0}}}), (releases{{18, 0b1}}));
  EXPECT_EQ(first().unit().arrivals.value(), 1u);
  EXPECT_EQ(first().unit().releases.value(), 1u);
  EXPECT_EQ(first().completed(), 1u);
}
TEST_F(barrier_test, arrivals_in_a_row_find_the_counter_latched) {
  EXPECT_EQ(released({0b111, {{10, 0}, {11, 1}, {12, 2}}}), (releases{{15 + 6, 0b111}}));
}
TEST_F(barrier_test, an_arrival_after_a_pause_reads_the_counter_again) {
  EXPECT_EQ(released({0b11, {{10, 0}, {20, 1}}}), (releases{{21 + 1 + 6, 0b11}}));
}
// What a warp did before the barrier must be done behind it.
TEST_F(barrier_test, waits_for_replays_of_its_warps) {
  scene s{0b11, {{10, 0}, {11, 1}}};
  s.replays_end = 40;
  EXPECT_EQ(released(s), (releases{{40, 0b11}}));
}
TEST_F(barrier_test, does_not_wait_for_replays_of_other_warps) {
  scene s{0b101, {{10, 0}, {11, 2}}};
  s.replays_end = 40;
  EXPECT_EQ(released(s), (releases{{13 + 6, 0b101}}));
}
TEST_F(barrier_test, another_counter_is_not_latched) {
  EXPECT_EQ(released({0b1'0000'0001, {{10, 0}, {11, 8}}}), (releases{{18, 0b1}, {13 + 1 + 6, 0b1'0000'0000}}));
}
TEST_F(barrier_test, blocks_and_barriers_do_not_wait_for_each_other) {
  EXPECT_EQ(released({0b11'0000'0011, {{10, 0}, {20, 8}, {30, 9}, {40, 1, 1}}}),
            (releases{{31 + 1 + 6, 0b11'0000'0000}}));
}
TEST_F(barrier_test, does_not_wait_for_a_warp_that_has_exited) {
  EXPECT_EQ(released({0b11, {{10, 0}}, {{30, 0b10}}}), (releases{{31 + 1 + 6, 0b1}}));
}
TEST_F(barrier_test, a_warp_may_arrive_without_waiting) {
  EXPECT_EQ(released({0b11, {{10, 0, 0, true, false}, {20, 1}}}), (releases{{28, 0b10}}));
}
TEST_F(barrier_test, waiting_after_all_have_arrived_takes_the_latency_alone) {
  EXPECT_EQ(released({0b11, {{10, 0, 0, true, false}, {11, 1, 0, true, false}, {30, 0, 0, false, true}}}),
            (releases{{13 + 6, 0}, {31 + 1 + 6, 0b1}}));
}
TEST_F(barrier_test, a_barrier_serves_one_round_after_the_other) {
  EXPECT_EQ(released({0b11, {{10, 0}, {11, 1}, {40, 1}, {41, 0}}}), (releases{{13 + 6, 0b11}, {43 + 6, 0b11}}));
  EXPECT_EQ(first().unit().releases.value(), 2u);
}

TEST_F(barrier_test, a_number_the_kernel_did_not_ask_for_is_a_fault) {
  EXPECT_EQ(released({0b1, {{10, 0, 2}}}), releases{});
  EXPECT_EQ(first().operation(0).fault, arch_state::fault_kind::barrier_not_allocated);
  EXPECT_EQ(first().operation(0).fault_lanes, 0xffu);
  EXPECT_EQ(first().unit().arrivals.value(), 0u);
  EXPECT_EQ(first().completed(), 1u);
}
TEST_F(barrier_test, arriving_with_lanes_on_another_path_is_a_fault) {
  EXPECT_EQ(released({0b1, {{10, 0}}, {}, 0b1}), releases{});
  EXPECT_EQ(first().operation(0).fault, arch_state::fault_kind::divergent_barrier);
}

// The pipe to write-back holds one token. Its credit returns in 41, the cycle after it has been taken.
TEST_F(barrier_test, an_arrival_waits_for_room_towards_write_back) {
  EXPECT_EQ(released({0b11, {{10, 0}, {11, 1}}, {}, 0, 40}), (releases{{41 + 1 + 6, 0b11}}));
}

}  // namespace
}  // namespace gt200::model
