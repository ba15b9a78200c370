// The example of the divergence literature, token by token: a warp of eight lanes, an if/else inside one SSY
// region, and the same nested twice.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "sc_models/sm/divergence/simt_stack.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/arch_state/tesla/simt_stack.h"

namespace gt200::model {
namespace {

using arch_state::tesla::token_type;
using isa::tesla::control_kind;

constexpr warp_slot warp{0};

// Instruction n stands at address 8 n.
constexpr isa::code_address at(unsigned n) { return 8 * n; }

isa::tesla::instruction plain() { return {}; }
isa::tesla::instruction control(control_kind kind, unsigned target) {
  isa::tesla::instruction i;
  i.unit = isa::unit_class::control;
  i.control = kind;
  i.flow = isa::tesla::flow_of(kind);
  i.target = at(target);
  return i;
}
isa::tesla::instruction ssy(unsigned target) { return control(control_kind::joinat, target); }
isa::tesla::instruction bra(unsigned target) { return control(control_kind::bra, target); }
isa::tesla::instruction join() {
  isa::tesla::instruction i;
  i.join = true;
  return i;
}

class divergence_example : public ::testing::Test {
 protected:
  void build(const std::vector<std::string>& overrides) {
    const config::gpu_config config =
        config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values;
    config_ = config.tpc.sm;
    generation_ =
        std::make_unique<const arch_state::tesla::generation>(config.chip.capability(), config.tpc.sm.simt_stack);
    stack_ = std::make_unique<simt_stack>("simt_stack", config_, *generation_);
    stack_->start(warp, 0, 0xff);
  }
  // Runs until instruction `last` has been executed by all lanes; one line per step: instruction, lanes, and the
  // stack behind it from the bottom, tokens as type:instruction:lanes, entries as instruction/reconvergence:lanes.
  std::string run(const std::vector<isa::tesla::instruction>& program,
                  const std::map<unsigned, isa::lane_mask>& taken = {}) {
    std::string text;
    for (unsigned steps = 0; steps < 64; ++steps) {
      const isa::code_address pc = next_;
      const auto n = static_cast<unsigned>(pc / 8);
      if (n == program.size()) break;
      const isa::instruction& i = program[n];
      bool executes = true;
      if (i.join) {
        const auto met = stack_->enter(warp, pc, i);
        executes = met.executes;
        if (!executes) next_ = met.pc;
      }
      const isa::lane_mask lanes = stack_->active_mask(warp);
      if (executes) {
        const auto found = taken.find(n);
        next_ = stack_->execute(warp, pc, i, found == taken.end() ? ~0u : found->second).pc;
        text += line(n, lanes);
      } else {
        text += line(n, 0);
      }
    }
    return text;
  }

  config::sm_config config_;
  std::unique_ptr<const arch_state::generation> generation_;
  std::unique_ptr<simt_stack> stack_;
  isa::code_address next_ = 0;

 private:
  static std::string hex(isa::lane_mask lanes) {
    char text[16];
    std::snprintf(text, sizeof text, "%02x", lanes);
    return text;
  }
  std::string line(unsigned n, isa::lane_mask lanes) const {
    std::string text = std::to_string(n) + " " + (lanes != 0 ? hex(lanes) : "--") + " |";
    const auto& state = dynamic_cast<const arch_state::tesla::simt_stack&>(stack_->state(warp));
    if (const arch_state::tesla::pdom_stack* entries = state.pdom()) {
      for (unsigned i = 0; i <= entries->depth(); ++i) {
        const arch_state::tesla::pdom_entry& e = entries->entry(i);
        const isa::code_address pc = i == entries->depth() ? state.pc() : e.pc;
        const bool meets = e.reconvergence_pc != arch_state::tesla::pdom_entry::no_address;
        text += " " + std::to_string(pc / 8) + "/" + (meets ? std::to_string(e.reconvergence_pc / 8) : "-") + ":" +
                hex(e.mask);
      }
      return text + "\n";
    }
    if (const arch_state::sync_stack* entries = state.sync()) {
      for (unsigned i = 0; i < entries->depth(); ++i) {
        const arch_state::stack_entry e = entries->entry_for_readers(i);
        text += std::string(" ") + e.kind + ":" + std::to_string(e.pc / 8) + ":" + hex(e.mask);
      }
      return text + "\n";
    }
    const arch_state::tesla::token_stack& s = *state.tokens();
    for (unsigned i = 0; i < s.depth(); ++i) {
      const auto& token = s.token(i);
      text += std::string(token.type == token_type::joinat ? " ssy:" : " div:") + std::to_string(token.pc / 8) +
              ":" + hex(token.mask);
    }
    return text + "\n";
  }
};

// 0 SSY 5; 1 @p BRA 4 (lanes 0-3); 2 if; 3 BRA 5; 4 else; 5 join
const std::vector<isa::tesla::instruction> if_else = {ssy(5), bra(4), plain(), bra(5), plain(), join()};

TEST_F(divergence_example, the_side_last_in_the_program_first) {
  build({});
  EXPECT_EQ(run(if_else, {{1, 0x0f}}),
            "0 ff | ssy:5:ff\n"
            "1 ff | ssy:5:ff div:2:f0\n"
            "4 0f | ssy:5:ff div:2:f0\n"
            "5 0f | ssy:5:ff\n"
            "2 f0 | ssy:5:ff\n"
            "3 f0 | ssy:5:ff\n"
            "5 f0 |\n");
}
TEST_F(divergence_example, the_fall_through_side_first) {
  build({"tpc.sm.simt_stack.first_path=fall_through"});
  EXPECT_EQ(run(if_else, {{1, 0x0f}}),
            "0 ff | ssy:5:ff\n"
            "1 ff | ssy:5:ff div:4:0f\n"
            "2 f0 | ssy:5:ff div:4:0f\n"
            "3 f0 | ssy:5:ff div:4:0f\n"
            "5 f0 | ssy:5:ff\n"
            "4 0f | ssy:5:ff\n"
            "5 0f |\n");
}
TEST_F(divergence_example, with_join_before_its_instruction_all_lanes_execute_it_together) {
  build({"tpc.sm.simt_stack.join=before"});
  EXPECT_EQ(run(if_else, {{1, 0x0f}}),
            "0 ff | ssy:5:ff\n"
            "1 ff | ssy:5:ff div:2:f0\n"
            "4 0f | ssy:5:ff div:2:f0\n"
            "5 -- | ssy:5:ff\n"
            "2 f0 | ssy:5:ff\n"
            "3 f0 | ssy:5:ff\n"
            "5 ff |\n");
}
TEST_F(divergence_example, a_branch_that_all_lanes_take_leaves_no_token) {
  build({});
  EXPECT_EQ(run(if_else, {{1, 0xff}}),
            "0 ff | ssy:5:ff\n"
            "1 ff | ssy:5:ff\n"
            "4 ff | ssy:5:ff\n"
            "5 ff |\n");
}

TEST_F(divergence_example, on_the_stack_of_reconvergence_pcs) {
  build({"tpc.sm.simt_stack.mechanism=pdom", "tpc.sm.simt_stack.join=before"});
  EXPECT_EQ(run(if_else, {{1, 0x0f}}),
            "0 ff | 5/-:ff 1/5:ff\n"
            "1 ff | 5/-:ff 2/5:f0 4/5:0f\n"
            "4 0f | 5/-:ff 2/5:f0 5/5:0f\n"
            "5 -- | 5/-:ff 2/5:f0\n"
            "2 f0 | 5/-:ff 3/5:f0\n"
            "3 f0 | 5/-:ff\n"
            "5 ff | 6/-:ff\n");
}

// 0 SSY 6; 1 @p BRA 4 (lanes 4-7); 2 else; 3 .S; 4 if; 5 .S; the warp continues at 6: the order of the listing in
// the notes on the SIMT stack, whose addresses testbenches/toolchain/arch_state/sync_stack_test.cpp has.
const std::vector<isa::tesla::instruction> sides_end_in_sync = {ssy(6), bra(4), plain(), join(), plain(), join()};

TEST_F(divergence_example, in_the_convention_of_the_notes_where_each_side_ends_in_sync) {
  build({"tpc.sm.simt_stack.semantics=ssy_sync"});
  EXPECT_EQ(run(sides_end_in_sync, {{1, 0xf0}}),
            "0 ff | ssy:6:ff\n"
            "1 ff | ssy:6:ff div:4:f0\n"
            "2 0f | ssy:6:ff div:4:f0\n"
            "3 0f | ssy:6:ff\n"
            "4 f0 | ssy:6:ff\n"
            "5 f0 |\n");
  EXPECT_EQ(stack_->active_mask(warp), 0xffu);
}
TEST_F(divergence_example, in_the_convention_of_the_notes_with_a_branch_that_all_or_no_lanes_take) {
  build({"tpc.sm.simt_stack.semantics=ssy_sync"});
  EXPECT_EQ(run(sides_end_in_sync, {{1, 0xff}}),
            "0 ff | ssy:6:ff\n"
            "1 ff | ssy:6:ff\n"
            "4 ff | ssy:6:ff\n"
            "5 ff |\n");
  stack_->start(warp, 0, 0xff);
  next_ = 0;
  EXPECT_EQ(run(sides_end_in_sync, {{1, 0x00}}),
            "0 ff | ssy:6:ff\n"
            "1 ff | ssy:6:ff\n"
            "2 ff | ssy:6:ff\n"
            "3 ff |\n");
}

// 0 SSY 10; 1 @p BRA 9; [2 SSY 7; 3 @q BRA 6; 4 if; 5 BRA 7; 6 else; 7 join]; 8 BRA 10; 9 else; 10 join
const std::vector<isa::tesla::instruction> nested = {ssy(10), bra(9), ssy(7),  bra(6),  plain(), bra(7),
                                                     plain(), join(), bra(10), plain(), join()};

TEST_F(divergence_example, nested_twice) {
  build({});
  EXPECT_EQ(run(nested, {{1, 0x0f}, {3, 0x30}}),
            "0 ff | ssy:10:ff\n"
            "1 ff | ssy:10:ff div:2:f0\n"
            "9 0f | ssy:10:ff div:2:f0\n"
            "10 0f | ssy:10:ff\n"
            "2 f0 | ssy:10:ff ssy:7:f0\n"
            "3 f0 | ssy:10:ff ssy:7:f0 div:4:c0\n"
            "6 30 | ssy:10:ff ssy:7:f0 div:4:c0\n"
            "7 30 | ssy:10:ff ssy:7:f0\n"
            "4 c0 | ssy:10:ff ssy:7:f0\n"
            "5 c0 | ssy:10:ff ssy:7:f0\n"
            "7 c0 | ssy:10:ff\n"
            "8 f0 | ssy:10:ff\n"
            "10 f0 |\n");
}

}  // namespace
}  // namespace gt200::model
