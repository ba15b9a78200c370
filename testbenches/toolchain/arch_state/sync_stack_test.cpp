// The rules of ssy_sync as small listings of eight threads. Each line of an outcome is one step: address of the
// instruction, the lanes that execute it, and the stack behind it from the bottom, entries as type:PC:lanes.
#include "toolchain/arch_state/sync_stack.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace gt200::arch_state {
namespace {

using isa::code_address;
using isa::lane_mask;

constexpr lane_mask all = 0xff;
constexpr code_address length = 8;

// What an instruction does. `lanes`: for which its guard is true when it is executed for the nth time, from 0.
struct instruction {
  enum class kind : std::uint8_t { ssy, bra, sync, prebreak, brk, call, ret, exit };
  kind what;
  code_address target = 0;
  std::function<lane_mask(unsigned)> lanes = [](unsigned) { return all; };
};
using kind = instruction::kind;
// Instructions with an effect on the flow, by address. All others are plain.
using listing = std::map<code_address, instruction>;

std::function<lane_mask(unsigned)> lanes(lane_mask mask) {
  return [mask](unsigned) { return mask; };
}

// A mistake in the rules.
enum class mutation : std::uint8_t {
  none,
  taken_side_first,      // the order of the sides is swapped
  ssy_without_mask,      // the entry of SSY has the lanes of one side only
  div_without_mask,      // that of the branch has lanes of both
  sync_ignored,          // .S has no effect
  sync_goes_on_behind,   // popping SSY goes on behind .S
  uniform_branch_pushes  // a branch without divergence pushes an entry
};

class warp {
 public:
  explicit warp(const listing& code, mutation mistake = mutation::none, lane_mask lanes = all,
                const sync_limits& limits = {})
      : code_(code), mistake_(mistake), stack_(limits) {
    flow_.active = flow_.started = lanes;
    stack_.start();
  }

  // Runs from `first` until `end`, or until no lane is left.
  std::string run(code_address first, code_address end) {
    std::string text;
    flow_.pc = first;
    for (unsigned steps = 0; flow_.pc != end && flow_.active != 0 && steps < 100; ++steps) {
      const code_address pc = flow_.pc;
      const lane_mask active = flow_.active;
      execute();
      text += hex(pc) + " " + hex(active) + " |";
      if (result.fault != fault_kind::none) return text + " " + name_of(result.fault) + "\n";
      for (unsigned n = 0; n < stack_.depth(); ++n) {
        const stack_entry e = stack_.entry_for_readers(n);
        text += std::string(" ") + e.kind + ":" + hex(e.pc) + ":" + hex(e.mask);
      }
      text += "\n";
    }
    return text + (flow_.active == 0 ? "no lane\n" : hex(flow_.pc) + " " + hex(flow_.active) + "\n");
  }

  control_result result;
  const sync_stack& stack() const { return stack_; }

 private:
  static std::string hex(std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "%02x", value);
    return text;
  }
  void execute() {
    const code_address next = flow_.pc + length;
    const auto found = code_.find(flow_.pc);
    if (found == code_.end()) {
      flow_.pc = next;
      return;
    }
    const instruction& i = found->second;
    const lane_mask selected = i.lanes(executions_[flow_.pc]++) & flow_.active;
    switch (i.what) {
      case kind::ssy: return ssy(i.target, next);
      case kind::bra: return bra(selected, i.target, next);
      case kind::sync: return sync(selected, next);
      case kind::prebreak: return stack_.open(flow_, sync_entry_type::prebreak, i.target, next, result);
      case kind::brk: return stack_.brk(flow_, selected, next, result);
      case kind::call: return stack_.call(flow_, i.target, next, false, result);
      case kind::ret: return stack_.ret(flow_, selected, next, result);
      case kind::exit: flow_.pc = next; return stack_.exit(flow_, selected, result);
    }
  }
  void ssy(code_address target, code_address next) {
    const lane_mask active = flow_.active;
    if (mistake_ == mutation::ssy_without_mask) flow_.active &= 0x0f;
    stack_.open(flow_, sync_entry_type::ssy, target, next, result);
    flow_.active = active;
  }
  void bra(lane_mask taken, code_address target, code_address next) {
    const bool diverges = taken != 0 && taken != flow_.active;
    if (mistake_ == mutation::taken_side_first && diverges)
      return stack_.branch(flow_, flow_.active & ~taken, next, target, result);
    if (mistake_ == mutation::div_without_mask && diverges) {
      const lane_mask falling = flow_.active & ~taken;
      stack_.open(flow_, sync_entry_type::div, target, next, result);
      flow_.active = falling;
      return;
    }
    if (mistake_ == mutation::uniform_branch_pushes && !diverges)
      stack_.open(flow_, sync_entry_type::div, target, next, result);
    stack_.branch(flow_, taken, target, next, result);
  }
  void sync(lane_mask selected, code_address next) {
    if (mistake_ == mutation::sync_ignored) {
      flow_.pc = next;
      return;
    }
    const unsigned depth = stack_.depth();
    const bool pops_ssy = depth != 0 && stack_.entry(depth - 1).type == sync_entry_type::ssy;
    stack_.sync(flow_, selected, next, result);
    if (mistake_ == mutation::sync_goes_on_behind && pops_ssy) flow_.pc = next;
  }

  listing code_;
  mutation mistake_;
  sync_stack stack_;
  warp_flow flow_;
  std::map<code_address, unsigned> executions_;
};

std::string run(const listing& code, code_address first, code_address end) { return warp(code).run(first, end); }

// The listing of the notes: SSY 0xf0; @P0 BRA 0xb8; the else side up to .S at 0xb0; the if side from 0xb8 up to .S
// at 0xe8; both reconverge at 0xf0.
listing of_the_notes(lane_mask taken) {
  return {{0x78, {kind::ssy, 0xf0}},
          {0x80, {kind::bra, 0xb8, lanes(taken)}},
          {0xb0, {kind::sync}},
          {0xe8, {kind::sync}}};
}

const std::string as_the_notes_say =
    "78 ff | ssy:f0:ff\n"
    "80 ff | ssy:f0:ff div:b8:f0\n"
    "88 0f | ssy:f0:ff div:b8:f0\n"
    "90 0f | ssy:f0:ff div:b8:f0\n"
    "98 0f | ssy:f0:ff div:b8:f0\n"
    "a0 0f | ssy:f0:ff div:b8:f0\n"
    "a8 0f | ssy:f0:ff div:b8:f0\n"
    "b0 0f | ssy:f0:ff\n"
    "b8 f0 | ssy:f0:ff\n"
    "c0 f0 | ssy:f0:ff\n"
    "c8 f0 | ssy:f0:ff\n"
    "d0 f0 | ssy:f0:ff\n"
    "d8 f0 | ssy:f0:ff\n"
    "e0 f0 | ssy:f0:ff\n"
    "e8 f0 |\n"
    "f0 ff\n";

TEST(listing_of_the_notes, runs_step_by_step_as_they_say) {
  EXPECT_EQ(run(of_the_notes(0xf0), 0x78, 0xf0), as_the_notes_say);
}

TEST(listing_of_the_notes, with_a_branch_that_all_lanes_take_runs_the_if_side_alone) {
  EXPECT_EQ(run(of_the_notes(0xff), 0x78, 0xf0),
            "78 ff | ssy:f0:ff\n"
            "80 ff | ssy:f0:ff\n"
            "b8 ff | ssy:f0:ff\n"
            "c0 ff | ssy:f0:ff\n"
            "c8 ff | ssy:f0:ff\n"
            "d0 ff | ssy:f0:ff\n"
            "d8 ff | ssy:f0:ff\n"
            "e0 ff | ssy:f0:ff\n"
            "e8 ff |\n"
            "f0 ff\n");
}

TEST(listing_of_the_notes, with_a_branch_that_no_lane_takes_runs_the_else_side_alone) {
  EXPECT_EQ(run(of_the_notes(0), 0x78, 0xf0),
            "78 ff | ssy:f0:ff\n"
            "80 ff | ssy:f0:ff\n"
            "88 ff | ssy:f0:ff\n"
            "90 ff | ssy:f0:ff\n"
            "98 ff | ssy:f0:ff\n"
            "a0 ff | ssy:f0:ff\n"
            "a8 ff | ssy:f0:ff\n"
            "b0 ff |\n"
            "f0 ff\n");
}

TEST(listing_of_the_notes, finds_every_mistake_in_the_rules) {
  const auto found_by = [](mutation m, lane_mask taken) {
    return warp(of_the_notes(taken), m).run(0x78, 0xf0) != run(of_the_notes(taken), 0x78, 0xf0);
  };
  for (const mutation m :
       {mutation::taken_side_first, mutation::ssy_without_mask, mutation::div_without_mask, mutation::sync_ignored})
    EXPECT_TRUE(found_by(m, 0xf0)) << static_cast<int>(m);
  // These show where the branch is uniform.
  EXPECT_TRUE(found_by(mutation::sync_goes_on_behind, 0x00));
  EXPECT_TRUE(found_by(mutation::uniform_branch_pushes, 0xff));
}

// 00 SSY 48; 08 @p BRA 38; [10 SSY 30; 18 @q BRA 28; 20 .S; 28 .S]; 30 .S; 38 if; 40 .S
TEST(regions, nest) {
  const listing code = {{0x00, {kind::ssy, 0x48}}, {0x08, {kind::bra, 0x38, lanes(0x0f)}},
                        {0x10, {kind::ssy, 0x30}}, {0x18, {kind::bra, 0x28, lanes(0x30)}},
                        {0x20, {kind::sync}},      {0x28, {kind::sync}},
                        {0x30, {kind::sync}},      {0x40, {kind::sync}}};
  EXPECT_EQ(run(code, 0, 0x48),
            "00 ff | ssy:48:ff\n"
            "08 ff | ssy:48:ff div:38:0f\n"
            "10 f0 | ssy:48:ff div:38:0f ssy:30:f0\n"
            "18 f0 | ssy:48:ff div:38:0f ssy:30:f0 div:28:30\n"
            "20 c0 | ssy:48:ff div:38:0f ssy:30:f0\n"
            "28 30 | ssy:48:ff div:38:0f\n"
            "30 f0 | ssy:48:ff\n"
            "38 0f | ssy:48:ff\n"
            "40 0f |\n"
            "48 ff\n");
}

TEST(loop, whose_lanes_leave_by_a_guarded_sync_reconverges_behind_it) {
  // 00 SSY 20; 08 body; 10 @p .S; 18 BRA 08. Lanes 0-3 leave at once, 4-7 in the second round.
  listing code = {{0x00, {kind::ssy, 0x20}}, {0x10, {kind::sync}}, {0x18, {kind::bra, 0x08}}};
  code[0x10].lanes = [](unsigned n) { return n == 0 ? 0x0fu : all; };
  EXPECT_EQ(run(code, 0, 0x20),
            "00 ff | ssy:20:ff\n"
            "08 ff | ssy:20:ff\n"
            "10 ff | ssy:20:ff\n"
            "18 f0 | ssy:20:ff\n"
            "08 f0 | ssy:20:ff\n"
            "10 f0 |\n"
            "20 ff\n");
}

TEST(loop, with_a_divergent_branch_back_reconverges_behind_it) {
  // 00 SSY 20; 08 body; 10 @p BRA 08; 18 .S
  listing code = {{0x00, {kind::ssy, 0x20}}, {0x10, {kind::bra, 0x08}}, {0x18, {kind::sync}}};
  code[0x10].lanes = [](unsigned n) { return n == 0 ? 0xf0u : 0u; };
  EXPECT_EQ(run(code, 0, 0x20),
            "00 ff | ssy:20:ff\n"
            "08 ff | ssy:20:ff\n"
            "10 ff | ssy:20:ff div:08:f0\n"
            "18 0f | ssy:20:ff\n"
            "08 f0 | ssy:20:ff\n"
            "10 f0 | ssy:20:ff\n"
            "18 f0 |\n"
            "20 ff\n");
}

// 00 SSY 18; 08 @p .S; 10 .S
listing guarded(lane_mask guard) {
  return {{0x00, {kind::ssy, 0x18}}, {0x08, {kind::sync, 0, lanes(guard)}}, {0x10, {kind::sync}}};
}

TEST(guarded_sync, of_some_lanes_lets_the_others_go_on) {
  EXPECT_EQ(run(guarded(0x3c), 0, 0x18), "00 ff | ssy:18:ff\n08 ff | ssy:18:ff\n10 c3 |\n18 ff\n");
}
TEST(guarded_sync, of_all_lanes_pops) {
  EXPECT_EQ(run(guarded(0xff), 0, 0x18), "00 ff | ssy:18:ff\n08 ff |\n18 ff\n");
}
TEST(guarded_sync, of_no_lane_does_nothing) {
  EXPECT_EQ(run(guarded(0), 0, 0x18), "00 ff | ssy:18:ff\n08 ff | ssy:18:ff\n10 ff |\n18 ff\n");
}

TEST(lanes_that_exit, leave_every_mask_that_is_popped) {
  // 00 SSY 28; 08 @p BRA 20; 10 @q EXIT; 18 .S; 20 .S
  listing code = {{0x00, {kind::ssy, 0x28}},
                  {0x08, {kind::bra, 0x20, lanes(0xf0)}},
                  {0x10, {kind::exit, 0, lanes(0x03)}},
                  {0x18, {kind::sync}},
                  {0x20, {kind::sync}}};
  EXPECT_EQ(run(code, 0, 0x28),
            "00 ff | ssy:28:ff\n"
            "08 ff | ssy:28:ff div:20:f0\n"
            "10 0f | ssy:28:fc div:20:f0\n"
            "18 0c | ssy:28:fc\n"
            "20 f0 |\n"
            "28 fc\n");
}

TEST(lanes_that_exit, all_of_one_side_let_the_other_side_run) {
  listing code = {{0x00, {kind::ssy, 0x20}},
                  {0x08, {kind::bra, 0x18, lanes(0xf0)}},
                  {0x10, {kind::exit}},
                  {0x18, {kind::sync}}};
  EXPECT_EQ(run(code, 0, 0x20),
            "00 ff | ssy:20:ff\n08 ff | ssy:20:ff div:18:f0\n10 0f | ssy:20:f0\n18 f0 |\n20 f0\n");
}

TEST(lanes_that_exit, all_of_the_last_side_let_those_that_wait_go_on) {
  listing code = {{0x00, {kind::ssy, 0x20}},
                  {0x08, {kind::bra, 0x18, lanes(0xf0)}},
                  {0x10, {kind::sync}},
                  {0x18, {kind::exit}}};
  EXPECT_EQ(run(code, 0, 0x20),
            "00 ff | ssy:20:ff\n08 ff | ssy:20:ff div:18:f0\n10 0f | ssy:20:ff\n18 f0 |\n20 0f\n");
}

TEST(an_entry_without_lanes, is_popped_at_once) {
  // Both sides of the inner region exit: its SSY has no lane left, the outer one has.
  listing code = {{0x00, {kind::ssy, 0x38}}, {0x08, {kind::bra, 0x30, lanes(0x0f)}},
                  {0x10, {kind::ssy, 0x30}}, {0x18, {kind::bra, 0x28, lanes(0x30)}},
                  {0x20, {kind::exit}},      {0x28, {kind::exit}},
                  {0x30, {kind::sync}}};
  EXPECT_EQ(run(code, 0, 0x38),
            "00 ff | ssy:38:ff\n"
            "08 ff | ssy:38:ff div:30:0f\n"
            "10 f0 | ssy:38:ff div:30:0f ssy:30:f0\n"
            "18 f0 | ssy:38:ff div:30:0f ssy:30:f0 div:28:30\n"
            "20 c0 | ssy:38:3f div:30:0f ssy:30:30\n"
            "28 30 | ssy:38:0f\n"
            "30 0f |\n"
            "38 0f\n");
}

TEST(break_out_of_a_region, lets_the_other_side_go_on_in_the_loop) {
  // 00 PBK 38; 08 SSY 28; 10 @p BRA 20; 18 BRK; 20 .S; 28 BRK
  listing code = {{0x00, {kind::prebreak, 0x38}},
                  {0x08, {kind::ssy, 0x28}},
                  {0x10, {kind::bra, 0x20, lanes(0x0f)}},
                  {0x18, {kind::brk}},
                  {0x20, {kind::sync}},
                  {0x28, {kind::brk}}};
  EXPECT_EQ(run(code, 0, 0x38),
            "00 ff | prebreak:38:ff\n"
            "08 ff | prebreak:38:ff ssy:28:ff\n"
            "10 ff | prebreak:38:ff ssy:28:ff div:20:0f\n"
            "18 f0 | prebreak:38:ff ssy:28:0f\n"
            "20 0f | prebreak:38:ff\n"
            "28 0f |\n"
            "38 ff\n");
}

TEST(guarded_sync, within_a_loop_with_break_keeps_the_loop) {
  // 00 PBK 30; 08 SSY 20; 10 @p .S; 18 .S; 20 @q BRK; 28 BRA 08
  listing code = {{0x00, {kind::prebreak, 0x30}}, {0x08, {kind::ssy, 0x20}}, {0x10, {kind::sync, 0, lanes(0x55)}},
                  {0x18, {kind::sync}},           {0x20, {kind::brk}},       {0x28, {kind::bra, 0x08}}};
  code[0x20].lanes = [](unsigned n) { return n == 0 ? 0xc0u : all; };
  EXPECT_EQ(run(code, 0, 0x30),
            "00 ff | prebreak:30:ff\n"
            "08 ff | prebreak:30:ff ssy:20:ff\n"
            "10 ff | prebreak:30:ff ssy:20:ff\n"
            "18 aa | prebreak:30:ff\n"
            "20 ff | prebreak:30:ff\n"
            "28 3f | prebreak:30:ff\n"
            "08 3f | prebreak:30:ff ssy:20:3f\n"
            "10 3f | prebreak:30:ff ssy:20:3f\n"
            "18 2a | prebreak:30:ff\n"
            "20 3f |\n"
            "30 ff\n");
}

TEST(call, within_one_side_returns_to_it) {
  // 00 SSY 28; 08 @p BRA 20; 10 CAL 30; 18 .S; 20 .S; 28 end; 30 @q RET; 38 RET
  listing code = {{0x00, {kind::ssy, 0x28}},  {0x08, {kind::bra, 0x20, lanes(0x0f)}},
                  {0x10, {kind::call, 0x30}}, {0x18, {kind::sync}},
                  {0x20, {kind::sync}},       {0x30, {kind::ret, 0, lanes(0xc0)}},
                  {0x38, {kind::ret}}};
  EXPECT_EQ(run(code, 0, 0x28),
            "00 ff | ssy:28:ff\n"
            "08 ff | ssy:28:ff div:20:0f\n"
            "10 f0 | ssy:28:ff div:20:0f call:18:f0\n"
            "30 f0 | ssy:28:ff div:20:0f call:18:f0\n"
            "38 30 | ssy:28:ff div:20:0f\n"
            "18 f0 | ssy:28:ff\n"
            "20 0f |\n"
            "28 ff\n");
}

TEST(faults, sync_on_an_empty_stack) {
  EXPECT_EQ(run({{0x00, {kind::sync}}}, 0, 8), "00 ff | stack underflow\n");
  EXPECT_EQ(run({{0x00, {kind::sync, 0, lanes(1)}}}, 0, 8), "00 ff | stack underflow\n")
      << "nothing would bring the lane back";
}

TEST(faults, sync_on_the_entry_of_a_loop_or_call) {
  EXPECT_EQ(run({{0x00, {kind::prebreak, 0x20}}, {0x08, {kind::sync}}}, 0, 0x20),
            "00 ff | prebreak:20:ff\n08 ff | stack mismatch\n");
  EXPECT_EQ(run({{0x00, {kind::call, 0x08}}, {0x08, {kind::sync}}}, 0, 0x20),
            "00 ff | call:08:ff\n08 ff | stack mismatch\n");
}

TEST(faults, lanes_that_wait_for_a_region_that_does_not_exist) {
  // 00 @p BRA 10; 08 .S; 10 EXIT: nothing resumes lanes 4-7.
  EXPECT_EQ(run({{0x00, {kind::bra, 0x10, lanes(0x0f)}}, {0x08, {kind::sync}}, {0x10, {kind::exit}}}, 0, 0x20),
            "00 ff | div:10:0f\n08 f0 |\n10 0f | stack underflow\n");
}

TEST(faults, more_entries_than_the_stack_holds) {
  sync_limits limits;
  limits.maximum_entries = 2;
  const listing code = {{0x00, {kind::ssy, 0x40}}, {0x08, {kind::bra, 0x00}}};
  EXPECT_EQ(warp(code, mutation::none, all, limits).run(0, 0x40),
            "00 ff | ssy:40:ff\n08 ff | ssy:40:ff\n00 ff | ssy:40:ff ssy:40:ff\n08 ff | ssy:40:ff ssy:40:ff\n"
            "00 ff | stack overflow\n");
}

TEST(code_that_marks_where_paths_reconverge, faults_at_its_first_mark) {
  // 00 SSY 20; 08 @p BRA 18; 10 BRA 20; 18 else; 20 join
  for (const lane_mask taken : {0x00u, 0x0fu, 0xffu}) {
    const std::string text = run({{0x00, {kind::ssy, 0x20}},
                                  {0x08, {kind::bra, 0x18, lanes(taken)}},
                                  {0x10, {kind::bra, 0x20}},
                                  {0x20, {kind::sync}}},
                                 0, 0x28);
    const std::string end = name_of(fault_kind::wrong_convention) + std::string("\n");
    ASSERT_GT(text.size(), end.size());
    EXPECT_EQ(text.substr(text.size() - end.size()), end);
    EXPECT_EQ(text.find("20 "), text.rfind("20 ")) << text;
  }
}

TEST(code_that_marks_where_paths_reconverge, faults_even_if_the_mark_never_executes) {
  EXPECT_EQ(run({{0x00, {kind::ssy, 0x08}}, {0x08, {kind::sync, 0, lanes(0)}}}, 0, 0x10),
            std::string("00 ff | ssy:08:ff\n08 ff | ") + name_of(fault_kind::wrong_convention) + "\n");
}

TEST(entries, spill_to_memory_and_come_back_as_those_of_the_other_stacks_do) {
  sync_limits limits;
  limits.on_chip_entries = 1;
  const listing code = {{0x00, {kind::ssy, 0x18}}, {0x08, {kind::bra, 0x10, lanes(0x0f)}}, {0x10, {kind::sync}}};
  warp w(code, mutation::none, all, limits);
  EXPECT_EQ(w.run(0, 0x18), "00 ff | ssy:18:ff\n08 ff | ssy:18:ff div:10:0f\n10 f0 | ssy:18:ff\n10 0f |\n18 ff\n");
  EXPECT_EQ(w.result.spilled, 1);
  EXPECT_EQ(w.result.filled, 1);
  EXPECT_EQ(w.stack().window().in_memory(), 0u);
  EXPECT_EQ(w.stack().words(0), (stack_words{0xff, 0x18u | 6u << 24, 0, 0}));
}

}  // namespace
}  // namespace gt200::arch_state
