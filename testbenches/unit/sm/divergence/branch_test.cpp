// When control instructions redirect fetch, and what the branch unit reports: exact cycles, by every way of
// clocking. The divergence stack is scripted. In the preset an instruction is executed one core cycle after the
// collector has sent it, the redirect takes one more, and the unit takes an instruction every two core cycles.
#include "sc_models/sm/divergence/branch.h"

#include <deque>
#include <memory>

#include "testbenches/support/token_stages.h"
#include "testbenches/unit/sm/every_way.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

using isa::flow_kind;
using tlm_bus::cycle_t;
constexpr cycle_t end = 80;

struct control {
  cycle_t sent;
  arch_state::control_result result = {};
  flow_kind flow = flow_kind::branch;
  isa::lane_mask selected = 0xff;
  bool passed_on = true;  // a pure control instruction goes to write-back; exit and join flags do not
};

struct scene {
  std::vector<control> instructions;  // the n-th one is at pc 8 n
  std::vector<cycle_t> resumed = {};  // the stack memory reports loaded entries
  cycle_t fetch_takes_from = 0;
};

arch_state::control_result going_to(isa::code_address pc) {
  arch_state::control_result result;
  result.redirected = true;
  result.pc = pc;
  return result;
}
arch_state::control_result finished() {
  arch_state::control_result result;
  result.finished = true;
  return result;
}
arch_state::control_result faulty() {
  arch_state::control_result result;
  result.fault = arch_state::fault_kind::stack_underflow;
  return result;
}

// The divergence stack, which answers by the script, and block control.
class surroundings : public testing::fake_blocks, public simt_stack_branch_if {
 public:
  surroundings(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const scene& s)
      : fake_blocks(name, domain), clock_(domain), generation_(13, {}), state_(generation_.make_divergence()) {
    for (const control& c : s.instructions) results_.push_back(c.result);
  }

  std::vector<std::pair<cycle_t, isa::code_address>> executed;
  std::vector<arch_state::fault_kind> faults;
  unsigned warps_finished = 0, stack_accesses = 0;

  arch_state::control_result enter(warp_slot, isa::code_address pc, const isa::instruction&) override {
    return result_at(pc);
  }
  arch_state::control_result execute(warp_slot, isa::code_address pc, const isa::instruction&,
                                     isa::lane_mask) override {
    return result_at(pc);
  }
  arch_state::control_result execute_indirect(warp_slot, isa::code_address pc, const isa::instruction&,
                                              isa::lane_mask, const isa::lane_words&) override {
    return result_at(pc);
  }
  isa::lane_mask active_mask(warp_slot) const override { return 0xff; }
  const arch_state::divergence& state(warp_slot) const override { return *state_; }
  void instruction_issued(warp_slot, isa::unit_class) override { ++stack_accesses; }
  void warp_finished(warp_slot) override { ++warps_finished; }
  void faulted(const warp_instruction& operation) override { faults.push_back(operation.fault); }

 private:
  arch_state::control_result result_at(isa::code_address pc) {
    executed.push_back({clock_.cycle(), pc});
    return results_.at(pc / 8);
  }

  tlm_bus::clock_domain& clock_;
  arch_state::tesla::generation generation_;
  std::unique_ptr<arch_state::divergence> state_;
  std::vector<arch_state::control_result> results_;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const scene& s)
      : config_(testing::sm_config_with({})),
        clocks_((name + "_clocks").c_str(), options),
        rest_((name + "_rest").c_str(), clocks_.core, s),
        collector_((name + "_collector").c_str(), clocks_.core),
        stack_memory_((name + "_stack_memory").c_str(), clocks_.core),
        branch_((name + "_branch").c_str(), clocks_.core, config_),
        fetch_((name + "_fetch").c_str(), clocks_.core, 2),
        write_back_((name + "_write_back").c_str(), clocks_.core, 4),
        transfers_((name + "_transfers").c_str(), clocks_.core, 4) {
    collector_.out.bind(branch_.in);
    stack_memory_.out.bind(branch_.resumed);
    branch_.redirect.bind(fetch_.in);
    branch_.out.bind(write_back_.in);
    branch_.transfers.bind(transfers_.in);
    branch_.simt_stack.bind(rest_);
    branch_.block_control.bind(rest_);
    fetch_.takes = [from = s.fetch_takes_from](cycle_t cycle) { return cycle >= from; };
    for (const control& c : s.instructions) send(c);
    for (const cycle_t cycle : s.resumed) stack_memory_.send_at(cycle, {warp_slot(3), 0x4000, false});
  }

  // In which cycle fetch sees a redirect, and to which address.
  std::vector<std::pair<cycle_t, isa::code_address>> result() const {
    std::vector<std::pair<cycle_t, isa::code_address>> result;
    for (const auto& t : fetch_.taken) result.push_back({t.cycle, t.value.pc});
    return result;
  }
  const surroundings& rest() const { return rest_; }
  const branch& unit() const { return branch_; }
  const warp_instruction& operation(std::size_t n) const { return operations_[n]; }
  const std::vector<support::timed<executed_token>>& completed() const { return write_back_.taken; }
  const std::vector<support::timed<stack_transfer_token>>& transfers() const { return transfers_.taken; }

 private:
  void send(const control& c) {
    isa::instruction& instruction = instructions_.emplace_back();
    instruction.unit = isa::unit_class::control;
    instruction.flow = c.flow;
    warp_instruction& operation = operations_.emplace_back();
    operation.instruction = &instruction;
    operation.warp = warp_slot(3);
    control_token token;
    token.operation = c.passed_on ? &operation : nullptr;
    token.instruction = &instruction;
    token.pc = static_cast<isa::code_address>(8 * (operations_.size() - 1));
    token.selected = c.selected;
    token.warp = warp_slot(3);
    collector_.send_at(c.sent, token);
  }

  config::sm_config config_;
  support::clocks clocks_;
  surroundings rest_;
  support::token_source<control_token> collector_;
  support::token_source<redirect_token> stack_memory_;
  branch branch_;
  support::token_sink<redirect_token> fetch_;
  support::token_sink<executed_token> write_back_;
  support::token_sink<stack_transfer_token> transfers_;
  std::deque<isa::instruction> instructions_;
  std::deque<warp_instruction> operations_;
};

class branch_test : public testing::every_way<bench> {
 protected:
  using events = std::vector<std::pair<cycle_t, isa::code_address>>;
  events redirects(const scene& s) {
    build(s);
    return run(end);
  }
};

TEST_F(branch_test, a_branch_redirects_fetch_and_completes) {
  EXPECT_EQ(redirects({{{10, going_to(0x80)}}}), (events{{12, 0x80}}));
  ASSERT_EQ(first().completed().size(), 1u);
  EXPECT_EQ(first().completed()[0].cycle, 12u);
  EXPECT_EQ(first().unit().branches.value(), 1u);
  EXPECT_EQ(first().unit().divergent.value(), 0u);
}
TEST_F(branch_test, takes_one_instruction_per_interval) {
  EXPECT_EQ(redirects({{{10, going_to(0x80)}, {11, going_to(0x90)}, {12, going_to(0xa0)}}}),
            (events{{12, 0x80}, {14, 0x90}, {16, 0xa0}}));
}
TEST_F(branch_test, counts_branches_that_some_of_the_active_lanes_take) {
  redirects({{{10, going_to(0x80), flow_kind::branch, 0x0f},
              {14, going_to(0x80), flow_kind::branch, 0},
              {18, going_to(0x80), flow_kind::redirects, 0x0f}}});
  EXPECT_EQ(first().unit().branches.value(), 2u);
  EXPECT_EQ(first().unit().divergent.value(), 1u);
}
TEST_F(branch_test, an_instruction_that_only_changes_the_stack_sends_no_redirect) {
  EXPECT_EQ(redirects({{{10, {}, flow_kind::continues}}}), events{});
  EXPECT_EQ(first().completed().size(), 1u);
}
TEST_F(branch_test, a_warp_without_lanes_has_finished_and_is_not_fetched_for) {
  EXPECT_EQ(redirects({{{10, finished()}}}), events{});
  EXPECT_EQ(first().rest().warps_finished, 1u);
}

TEST_F(branch_test, a_fault_travels_with_its_instruction) {
  EXPECT_EQ(redirects({{{10, faulty(), flow_kind::redirects, 0x0f}}}), events{});
  EXPECT_EQ(first().operation(0).fault, arch_state::fault_kind::stack_underflow);
  EXPECT_EQ(first().operation(0).fault_lanes, 0x0fu);
  EXPECT_TRUE(first().rest().faults.empty());
}
TEST_F(branch_test, a_fault_of_a_flag_is_reported_at_once) {
  EXPECT_EQ(redirects({{{10, faulty(), flow_kind::redirects, 0x0f, false}}}), events{});
  EXPECT_EQ(first().rest().faults, (std::vector<arch_state::fault_kind>{arch_state::fault_kind::stack_underflow}));
  EXPECT_TRUE(first().completed().empty());
}

// An entry that leaves the chip does not stop the warp; one that is needed does, until the stack memory has it.
TEST_F(branch_test, a_warp_waits_for_the_entries_it_needs) {
  arch_state::control_result fills = going_to(0x80);
  fills.filled = 2;
  EXPECT_EQ(redirects({{{10, fills}}, {40}}), (events{{42, 0x4000}}));
  ASSERT_EQ(first().transfers().size(), 1u);
  EXPECT_EQ(first().transfers()[0].cycle, 12u);
  EXPECT_EQ(first().transfers()[0].value.filled, 2u);
  EXPECT_EQ(first().transfers()[0].value.resume.pc, 0x80u);
  EXPECT_EQ(first().rest().stack_accesses, 2u);
}
TEST_F(branch_test, entries_of_a_warp_that_has_finished_are_not_loaded) {
  arch_state::control_result fills = finished();
  fills.filled = 1;
  redirects({{{10, fills}}});
  EXPECT_TRUE(first().transfers().empty());
  EXPECT_EQ(first().rest().stack_accesses, 0u);
}

// The pipe to fetch holds two redirects. The credit of the first one is back in 31.
TEST_F(branch_test, waits_for_room_towards_fetch) {
  EXPECT_EQ(redirects({{{10, going_to(0x80)}, {11, going_to(0x90)}, {12, going_to(0xa0)}}, {}, 30}),
            (events{{30, 0x80}, {31, 0x90}, {32, 0xa0}}));
}

}  // namespace
}  // namespace gt200::model
