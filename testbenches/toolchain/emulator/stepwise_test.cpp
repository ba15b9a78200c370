// Stepwise execution, as a checker beside a cycle model uses it: the caller decides when accesses happen.
#include <memory>

#include "program_fixture.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

class fixed_special_registers : public special_registers {
 public:
  void read(unsigned index, unsigned warp, isa::lane_words& out) override {
    for (std::uint32_t lane = 0; lane < isa::warp_size; ++lane) out.lane[lane] = 1000 * index + 100 * warp + lane;
  }
};

class stepwise : public program_fixture {
 protected:
  // The address after the three instructions of the prologue.
  void begin(const std::string& body, const std::string& directives = "") {
    assemble(body, directives);
    code = std::make_unique<code_image>(*launch.kernel);
    constants = std::make_unique<constant_memory>(program, *launch.kernel, relocations);
    program_context context;
    context.code = code.get();
    context.constants = constants.get();
    context.launch = &launch;
    context.special = &special;
    context.divergence = options.divergence;
    block = std::make_unique<block_state>(context);
    block->start(0, 0);
    for (unsigned w = 0; w < block->warps(); ++w)
      for (int n = 0; n < 3; ++n) whole_step(w);
  }
  void whole_step(unsigned warp) {
    step_record r;
    block->step(warp, r);
    if (r.state != step_state::pending) return;
    block->perform(r, global);
    block->complete(r);
  }
  step_record step(unsigned warp = 0) {
    step_record r;
    block->step(warp, r);
    return r;
  }
  std::uint32_t reg(unsigned index, unsigned lane, unsigned warp = 0) const {
    return block->registers(warp).gpr(index)[lane];
  }

  std::unique_ptr<code_image> code;
  std::unique_ptr<constant_memory> constants;
  fixed_special_registers special;
  std::unique_ptr<block_state> block;
};

TEST_F(stepwise, arithmetic_is_done_at_once_and_shows_operands_and_results) {
  begin("add b32 $r2 $r1 0x5\nexit nop");
  const step_record r = step();
  EXPECT_EQ(r.state, step_state::done);
  EXPECT_EQ(r.pc, 24u);
  EXPECT_EQ(r.active, 0xffffffffu);
  EXPECT_EQ(r.executed, 0xffffffffu);
  EXPECT_EQ(r.values.source[0][0].lane[7], 7u);
  EXPECT_EQ(r.values.destination[0].lane[7], 12u);
  EXPECT_EQ(r.flow.pc, 32u);
  EXPECT_FALSE(r.flow.redirected);
  EXPECT_EQ(reg(2, 7), 12u);
}

TEST_F(stepwise, a_load_waits_until_it_is_performed_and_completed) {
  std::uint32_t value = 77;
  global.write(out_address, &value, 4);
  begin("mov b32 $r3 b32 s[out]\nld b32 $r4 g14[$r3]\nadd b32 $r2 $r4 $r4\nexit nop");
  whole_step(0);
  step_record r = step();
  ASSERT_EQ(r.state, step_state::pending);
  EXPECT_EQ(r.access.kind, isa::access_kind::load);
  EXPECT_EQ(r.access.space, isa::memory_space::global);
  EXPECT_EQ(r.values.address.lane[31], out_address);
  EXPECT_TRUE(block->has_pending(0));
  value = 78;
  global.write(out_address, &value, 4);
  block->perform(r, global);
  EXPECT_NE(reg(4, 0), 78u) << "performed, not yet written back";
  block->complete(r);
  EXPECT_EQ(r.state, step_state::done);
  EXPECT_FALSE(block->has_pending(0));
  EXPECT_EQ(reg(4, 0), 78u) << "the value at the moment of the access";
}

TEST_F(stepwise, reading_a_register_before_its_load_completed_is_a_missed_hazard) {
  begin("ld b64 $r4d g14[$r20]\nadd b32 $r2 $r5 $r1\nexit nop");
  EXPECT_EQ(step().state, step_state::pending);
  const step_record r = step();
  EXPECT_EQ(r.state, step_state::faulted);
  EXPECT_EQ(r.fault, fault_kind::missed_hazard);
  EXPECT_EQ(block->describe_fault(r).detail, "operand $r5 has not been written yet");
}

TEST_F(stepwise, overwriting_a_register_before_its_load_completed_is_a_missed_hazard) {
  begin("ld b32 $r4 g14[$r20]\nmov b32 $r4 $r1\nexit nop");
  step();
  EXPECT_EQ(step().fault, fault_kind::missed_hazard);
}

TEST_F(stepwise, other_warps_are_not_delayed) {
  launch.block = {64, 1, 1};
  begin("ld b32 $r4 g14[$r20]\nadd b32 $r2 $r4 $r1\nexit nop");
  EXPECT_EQ(step(0).state, step_state::pending);
  whole_step(1);
  EXPECT_EQ(step(1).state, step_state::done);
  EXPECT_TRUE(block->has_pending(0));
}

TEST_F(stepwise, stores_take_effect_when_performed) {
  begin("st b32 g14[$r20] $r1\nexit nop");
  step_record r = step();
  EXPECT_EQ(r.access.kind, isa::access_kind::store);
  EXPECT_EQ(r.values.source[1][0].lane[5], 5u);
  EXPECT_EQ(word(out_address + 20), 0u);
  block->perform(r, global, 0x0000ffffu);
  EXPECT_EQ(word(out_address + 20), 5u);
  EXPECT_EQ(word(out_address + 4 * 20), 0u) << "the second half-warp has not been performed";
  block->perform(r, global, 0xffff0000u);
  EXPECT_EQ(word(out_address + 4 * 20), 20u);
  EXPECT_EQ(r.performed, r.executed);
  block->complete(r);
}

TEST_F(stepwise, a_lane_is_performed_once) {
  argument = out_address;
  begin("mov b32 $r3 0x1\nred add u32 g14[$r20] $r3\nexit nop");
  whole_step(0);
  step_record r = step();
  block->perform(r, global, 1);
  block->perform(r, global, 3);
  EXPECT_EQ(word(out_address), 1u);
  EXPECT_EQ(word(out_address + 4), 1u);
}

TEST_F(stepwise, arithmetic_with_a_shared_operand_waits_for_the_access) {
  begin("add b32 $r2 b32 s[cell] $r1\nexit nop", ".shared cell 4");
  step_record r = step();
  ASSERT_EQ(r.state, step_state::pending);
  EXPECT_EQ(r.access.kind, isa::access_kind::operand);
  EXPECT_EQ(r.access.slot, 0u);
  EXPECT_EQ(r.values.address.lane[0], 24u);
  const std::uint32_t value = 500;
  std::memcpy(block->shared_bytes() + 24, &value, 4);
  block->perform(r, global);
  block->complete(r);
  EXPECT_EQ(reg(2, 3), 503u);
}

TEST_F(stepwise, the_caller_may_supply_loaded_values) {
  begin("ld b32 $r4 g14[$r20]\nexit nop");
  step_record r = step();
  for (std::uint32_t lane = 0; lane < 32; ++lane) r.values.destination[0].lane[lane] = 9 * lane;
  block->complete(r);
  EXPECT_EQ(reg(4, 4), 36u);
}

TEST_F(stepwise, only_executed_lanes_are_written) {
  begin("mov b32 $r4 0x1\nset $c0 # l u32 $r1 c1[eight]\n(lg $c0) ld b32 $r4 g14[$r20]\nexit nop",
        ".literal eight u32 8");
  whole_step(0);
  whole_step(0);
  step_record r = step();
  EXPECT_EQ(r.active, 0xffffffffu);
  EXPECT_EQ(r.executed, 0xffu);
  block->perform(r, global);
  block->complete(r);
  EXPECT_EQ(reg(4, 0), 0u);
  EXPECT_EQ(reg(4, 8), 1u);
}

TEST_F(stepwise, an_access_that_faults_has_no_effect) {
  begin("add b32 $r3 $r20 0x1fc0\nst b32 g14[$r3] $r1\nexit nop");
  whole_step(0);
  step_record r = step();
  block->perform(r, global);
  EXPECT_EQ(r.state, step_state::faulted);
  EXPECT_EQ(r.fault, fault_kind::unmapped_address);
  EXPECT_EQ(r.fault_lanes, 0xffff0000u) << "the first sixteen words still are in the buffer";
  EXPECT_EQ(r.fault_address, out_address + 4 * out_words);
  EXPECT_EQ(word(out_address + 0x1fc4), 0u);
}

TEST_F(stepwise, special_registers_come_from_the_caller) {
  launch.block = {64, 1, 1};
  begin("mov $r2 $clock\nexit nop");
  step(1);
  EXPECT_EQ(reg(2, 5, 1), 1105u);
}

TEST_F(stepwise, join_before_reports_the_switch_of_paths_without_an_instruction) {
  options.divergence.join = join_moment::before;
  begin("set $c0 # l u32 $r1 c1[eight]\njoinat meet\n(lg $c0) bra meet\nnop\nmeet:\njoin mov b32 $r2 $r1\nexit nop",
        ".literal eight u32 8");
  for (int n = 0; n < 3; ++n) step();
  const step_record first = step();
  EXPECT_EQ(first.state, step_state::switched);
  EXPECT_EQ(first.flow.pc, 6 * 8u);
  EXPECT_EQ(first.flow.mask, 0xffffff00u);
  EXPECT_EQ(step().active, 0xffffff00u);
  const step_record meet = step();
  EXPECT_EQ(meet.state, step_state::done);
  EXPECT_EQ(meet.active, 0xffffffffu);
}

TEST_F(stepwise, control_flow_moves_on_while_an_access_is_pending) {
  begin("exit st b32 g14[$r20] $r1");
  step_record r = step();
  EXPECT_EQ(r.state, step_state::pending);
  EXPECT_TRUE(r.flow.finished);
  EXPECT_TRUE(block->finished(0));
  block->perform(r, global);
  block->complete(r);
  EXPECT_EQ(word(out_address + 8), 2u);
}

}  // namespace
}  // namespace gt200::emulator
