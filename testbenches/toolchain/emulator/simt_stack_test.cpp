// The divergence rules as small programs: each test writes a program with named instructions, runs one warp of
// eight lanes through it, and states which instructions ran with which lanes.
#include "toolchain/arch_state/tesla/simt_stack.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace gt200::arch_state::tesla {
namespace {

using isa::lane_mask;
using isa::tesla::control_kind;
using isa::tesla::instruction;

constexpr lane_mask all = 0xff;

struct step {
  std::string name;
  instruction what;
  // The lanes for which the predicate holds when the step is executed for the nth time, from 0.
  std::function<lane_mask(unsigned)> selected = [](unsigned) { return ~0u; };
};

std::function<lane_mask(unsigned)> always(lane_mask lanes) {
  return [lanes](unsigned) { return lanes; };
}
std::function<lane_mask(unsigned)> first_time(lane_mask lanes, lane_mask later) {
  return [=](unsigned execution) { return execution == 0 ? lanes : later; };
}

instruction control(control_kind kind, isa::code_address target = 0) {
  instruction i;
  i.control = kind;
  i.flow = isa::tesla::flow_of(kind);
  i.target = target;
  return i;
}
step plain(const std::string& name) { return {name, {}}; }
step bra(isa::code_address target, lane_mask taken = ~0u) {
  return {"bra", control(control_kind::bra, target), always(taken)};
}
step joinat(isa::code_address target) { return {"joinat", control(control_kind::joinat, target)}; }
step prebrk(isa::code_address target) { return {"prebrk", control(control_kind::prebrk, target)}; }
step brk(lane_mask lanes = ~0u) { return {"brk", control(control_kind::brk), always(lanes)}; }
step call(isa::code_address target) { return {"call", control(control_kind::call, target)}; }
step ret(lane_mask lanes = ~0u) { return {"ret", control(control_kind::ret), always(lanes)}; }
step join(const std::string& name) {
  step s = plain(name);
  s.what.join = true;
  return s;
}
step exit_after(const std::string& name) {
  step s = plain(name);
  s.what.exit = true;
  return s;
}

// Instruction n is at address 8 n.
class program {
 public:
  explicit program(std::vector<step> steps) : steps_(std::move(steps)) {}

  // "name:lanes" of everything executed, lanes in hexadecimal; ends with the fault if there is one. Must be the
  // same on both stacks.
  std::string run(divergence_options options = {}, lane_mask lanes = all) {
    options.mechanism = stack_mechanism::pdom;
    program other = *this;
    const std::string by_pc = other.run_on_one(options, lanes);
    options.mechanism = stack_mechanism::typed_tokens;
    const std::string by_token = run_on_one(options, lanes);
    EXPECT_EQ(by_pc, by_token);
    EXPECT_EQ(other.spilled, spilled);
    EXPECT_EQ(other.filled, filled);
    EXPECT_EQ(other.deepest, deepest);
    EXPECT_EQ(other.left_over, left_over);
    return by_token;
  }
  std::string run_on_one(const divergence_options& options, lane_mask lanes = all) {
    simt_stack warp(options);
    warp.start(0, lanes);
    std::vector<unsigned> executions(steps_.size(), 0);
    std::string trace;
    for (int limit = 0; !warp.finished() && limit < 200; ++limit) {
      const std::size_t index = warp.pc() / 8;
      if (index >= steps_.size()) return trace + "outside";
      const step& s = steps_[index];
      if (!s.what.concerns_divergence()) {
        append(trace, s.name, warp.active_mask());
        warp.advance(s.what.length);
        continue;
      }
      control_result r = warp.enter(s.what);
      if (r.fault == fault_kind::none && !r.executes) continue;
      if (r.fault == fault_kind::none) {
        append(trace, s.name, warp.active_mask());
        r = warp.execute(s.what, s.selected(executions[index]++));
        EXPECT_EQ(r.finished, warp.finished());
      }
      if (r.fault != fault_kind::none) return trace + name_of(r.fault);
      EXPECT_EQ(r.pc, warp.pc());
      EXPECT_EQ(r.mask, warp.active_mask());
      spilled += r.spilled;
      filled += r.filled;
    }
    deepest = warp.window().max_depth();
    left_over = warp.depth();
    return trace;
  }

  unsigned spilled = 0, filled = 0, deepest = 0, left_over = 0;

 private:
  static void append(std::string& trace, const std::string& name, lane_mask mask) {
    char text[16];
    std::snprintf(text, sizeof text, ":%x ", mask);
    trace += name + text;
  }
  std::vector<step> steps_;
};

divergence_options with(first_path first, join_moment join = join_moment::after) {
  divergence_options o;
  o.first = first;
  o.join = join;
  return o;
}

constexpr first_path every_order[] = {first_path::last_in_program, first_path::taken, first_path::fall_through};

program if_else(lane_mask taken) {
  return program({joinat(5 * 8), bra(4 * 8, taken), plain("then"), bra(5 * 8), plain("else"), join("meet"),
                  exit_after("end")});
}

TEST(uniform_branch, taken_by_all_lanes_leaves_nothing_on_the_stack) {
  program p({bra(2 * 8), plain("skipped"), exit_after("end")});
  EXPECT_EQ(p.run(), "bra:ff end:ff ");
  EXPECT_EQ(p.deepest, 0u);
}

TEST(uniform_branch, taken_by_no_lane_falls_through) {
  program p({bra(2 * 8, 0), plain("next"), exit_after("end")});
  EXPECT_EQ(p.run(), "bra:ff next:ff end:ff ");
}

TEST(divergent_branch, the_path_that_is_last_in_the_program_runs_first_by_default) {
  EXPECT_EQ(if_else(0x0f).run(), "joinat:ff bra:ff else:f meet:f then:f0 bra:f0 meet:f0 end:ff ");
}

TEST(divergent_branch, last_in_program_of_a_backward_branch_is_the_fall_through_path) {
  std::vector<step> steps = {joinat(3 * 8), plain("body"), bra(1 * 8), join("meet"), exit_after("end")};
  steps[2].selected = first_time(0x0f, 0);
  EXPECT_EQ(program(steps).run(), "joinat:ff body:ff bra:ff meet:f0 body:f bra:f meet:f end:ff ");
}

TEST(divergent_branch, either_path_can_be_chosen_to_run_first) {
  EXPECT_EQ(if_else(0x0f).run(with(first_path::taken)),
            "joinat:ff bra:ff else:f meet:f then:f0 bra:f0 meet:f0 end:ff ");
  EXPECT_EQ(if_else(0x0f).run(with(first_path::fall_through)),
            "joinat:ff bra:ff then:f0 bra:f0 meet:f0 else:f meet:f end:ff ");
}

TEST(join, after_its_instruction_each_path_executes_the_instruction_by_itself) {
  EXPECT_EQ(if_else(0x01).run(with(first_path::taken, join_moment::after)),
            "joinat:ff bra:ff else:1 meet:1 then:fe bra:fe meet:fe end:ff ");
}

TEST(join, before_its_instruction_all_paths_execute_it_together) {
  EXPECT_EQ(if_else(0x01).run(with(first_path::taken, join_moment::before)),
            "joinat:ff bra:ff else:1 then:fe bra:fe meet:ff end:ff ");
}

TEST(join, without_divergence_pops_the_joinat_token) {
  for (const auto moment : {join_moment::before, join_moment::after}) {
    program p = if_else(0xff);
    EXPECT_EQ(p.run(with(first_path::last_in_program, moment)), "joinat:ff bra:ff else:ff meet:ff end:ff ");
    EXPECT_EQ(p.left_over, 0u);
  }
}

TEST(join, collects_several_branches_of_one_level) {
  program p({joinat(7 * 8), bra(5 * 8, 0x03), bra(6 * 8, 0x0c), plain("a"), bra(7 * 8), bra(7 * 8), plain("c"),
             join("meet"), exit_after("end")});
  EXPECT_EQ(p.run(with(first_path::fall_through)),
            "joinat:ff bra:ff bra:fc a:f0 bra:f0 meet:f0 c:c meet:c bra:3 meet:3 end:ff ");
}

TEST(join, nests) {
  program p({joinat(7 * 8), bra(7 * 8, 0x0f), joinat(5 * 8), bra(5 * 8, 0x30), plain("inner"), join("inner_meet"),
             plain("rest"), join("meet"), exit_after("end")});
  EXPECT_EQ(p.run(),
            "joinat:ff bra:ff meet:f joinat:f0 bra:f0 inner_meet:30 inner:c0 inner_meet:c0 rest:f0 meet:f0 "
            "end:ff ");
  EXPECT_EQ(p.left_over, 0u);
  EXPECT_EQ(p.deepest, 3u);
}

TEST(loop, lanes_that_leave_early_wait_at_the_join) {
  std::vector<step> steps = {joinat(3 * 8), plain("body"), bra(1 * 8, 0x3f), join("meet"), exit_after("end")};
  steps[2].selected = first_time(0x3f, 0);
  EXPECT_EQ(program(steps).run(), "joinat:ff body:ff bra:ff meet:c0 body:3f bra:3f meet:3f end:ff ");
}

TEST(loop, last_in_program_keeps_the_stack_shallow_where_taken_grows_with_every_divergence) {
  // Lane n leaves in iteration n.
  const auto build = [] {
    std::vector<step> steps = {joinat(3 * 8), plain("body"), bra(1 * 8), join("meet"), exit_after("end")};
    steps[2].selected = [](unsigned execution) { return 0xfeu << execution; };
    return program(steps);
  };
  program shallow = build();
  EXPECT_EQ(shallow.run(with(first_path::last_in_program)).substr(0, 53),
            "joinat:ff body:ff bra:ff meet:1 body:fe bra:fe meet:2");
  EXPECT_EQ(shallow.deepest, 2u);
  program deep = build();
  const std::string trace = deep.run(with(first_path::taken));
  EXPECT_EQ(trace.substr(trace.find("meet")),
            "meet:80 meet:40 meet:20 meet:10 meet:8 meet:4 meet:2 meet:1 end:ff ");
  EXPECT_EQ(deep.deepest, 8u);
}

TEST(brk, resumes_all_lanes_of_the_loop_at_the_address_of_prebrk) {
  std::vector<step> steps = {prebrk(4 * 8), plain("body"), brk(0x0f), bra(1 * 8), exit_after("after_loop")};
  steps[2].selected = first_time(0x0f, ~0u);
  program p(steps);
  EXPECT_EQ(p.run(), "prebrk:ff body:ff brk:ff bra:f0 body:f0 brk:f0 after_loop:ff ");
  EXPECT_EQ(p.left_over, 0u);
}

TEST(brk, by_one_side_of_an_if_lets_the_other_side_run_to_the_join_and_on_in_the_loop) {
  for (const auto moment : {join_moment::before, join_moment::after}) {
    program p({prebrk(6 * 8), joinat(4 * 8), bra(4 * 8, 0x0f), brk(), join("meet"), brk(), exit_after("end")});
    const std::string trace = p.run(with(first_path::last_in_program, moment));
    EXPECT_EQ(trace, moment == join_moment::after ? "prebrk:ff joinat:ff bra:ff meet:f brk:f0 brk:f end:ff "
                                                  : "prebrk:ff joinat:ff bra:ff brk:f0 meet:f brk:f end:ff ");
    EXPECT_EQ(p.left_over, 0u);
  }
}

TEST(brk, leaves_the_innermost_loop_only) {
  program p({prebrk(5 * 8), prebrk(3 * 8), brk(), plain("outer"), brk(), exit_after("end")});
  EXPECT_EQ(p.run(), "prebrk:ff prebrk:ff brk:ff outer:ff brk:ff end:ff ");
}

TEST(brk, without_a_loop_in_the_call_frame_is_a_fault) {
  EXPECT_EQ(program({brk()}).run(), "brk:ff stack underflow");
  EXPECT_EQ(program({joinat(8), brk()}).run(), "joinat:ff brk:ff stack mismatch");
  EXPECT_EQ(program({prebrk(0), call(3 * 8), plain("x"), brk()}).run(), "prebrk:ff call:ff brk:ff stack mismatch");
}

TEST(call, returns_to_the_instruction_after_the_call) {
  program p({call(2 * 8), exit_after("end"), plain("function"), ret()});
  EXPECT_EQ(p.run(), "call:ff function:ff ret:ff end:ff ");
  EXPECT_EQ(p.left_over, 0u);
}

TEST(call, lanes_that_return_early_wait_for_the_others) {
  program p({call(2 * 8), exit_after("end"), ret(0x0f), plain("function"), ret()});
  EXPECT_EQ(p.run(), "call:ff ret:ff function:f0 ret:f0 end:ff ");
}

TEST(call, divergent_return_runs_the_other_path_of_the_function_first) {
  program p({call(2 * 8), exit_after("end"), bra(5 * 8, 0x0f), plain("a"), ret(), plain("b"), ret()});
  EXPECT_EQ(p.run(), "call:ff bra:ff b:f ret:f a:f0 ret:f0 end:ff ");
}

TEST(call, return_from_inside_a_loop_leaves_lanes_that_broke_to_go_on_in_the_function) {
  program p({call(2 * 8), exit_after("end"), prebrk(5 * 8), ret(0x0f), brk(), plain("tail"), ret()});
  EXPECT_EQ(p.run(), "call:ff prebrk:ff ret:ff brk:f0 tail:f0 ret:f0 end:ff ");
}

TEST(call, return_of_all_lanes_from_inside_a_loop_drops_the_loop) {
  program p({call(2 * 8), exit_after("end"), prebrk(0), ret()});
  EXPECT_EQ(p.run(), "call:ff prebrk:ff ret:ff end:ff ");
  EXPECT_EQ(p.left_over, 0u);
}

TEST(call, with_limit_is_ignored_when_that_many_are_active) {
  step limited = call(1 * 8);
  limited.what.call_limit = true;
  program p({limited, limited, ret(), exit_after("end")});
  divergence_options o;
  o.call_limit = 1;
  EXPECT_EQ(p.run(o), "call:ff call:ff ret:ff call:ff call:ff ret:ff ret:ff ") << "the second call does nothing";
}

TEST(ret, outside_a_call_ends_the_lanes_like_exit) {
  program p({ret(0x0f), plain("rest"), ret()});
  EXPECT_EQ(p.run(), "ret:ff rest:f0 ret:f0 ");
}

TEST(exit, in_one_side_leaves_the_other_side_to_pass_the_join) {
  // lanes 4-7 (fall through) exit; lanes 0-3 jump to the join
  for (const auto order : every_order) {
    program p({joinat(3 * 8), bra(3 * 8, 0x0f), exit_after("then"), join("meet"), exit_after("end")});
    const std::string trace = p.run(with(order));
    EXPECT_EQ(trace, order == first_path::fall_through ? "joinat:ff bra:ff then:f0 meet:f end:f "
                                                       : "joinat:ff bra:ff meet:f then:f0 end:f ");
    EXPECT_EQ(p.left_over, 0u);
  }
}

TEST(exit, in_one_side_with_join_before_lets_the_waiting_lanes_execute_the_join_once) {
  for (const auto order : every_order) {
    program p({joinat(3 * 8), bra(3 * 8, 0x0f), exit_after("then"), join("meet"), exit_after("end")});
    EXPECT_EQ(p.run(with(order, join_moment::before)), "joinat:ff bra:ff then:f0 meet:f end:f ");
    EXPECT_EQ(p.left_over, 0u);
  }
}

TEST(exit, in_both_sides_ends_the_warp) {
  for (const auto order : every_order)
    for (const auto moment : {join_moment::before, join_moment::after}) {
      program p({joinat(4 * 8), bra(3 * 8, 0x0f), exit_after("a"), exit_after("b"), join("meet")});
      EXPECT_EQ(p.run(with(order, moment)),
                order == first_path::fall_through ? "joinat:ff bra:ff a:f0 b:f " : "joinat:ff bra:ff b:f a:f0 ");
    }
}

TEST(exit, in_one_side_of_an_inner_if_keeps_the_outer_join_intact) {
  program p({joinat(6 * 8), bra(6 * 8, 0x03), joinat(5 * 8), bra(5 * 8, 0x0c), exit_after("gone"), join("inner"),
             join("outer"), exit_after("end")});
  EXPECT_EQ(p.run(), "joinat:ff bra:ff outer:3 joinat:fc bra:fc inner:c gone:f0 outer:c end:f ");
}

TEST(exit, in_a_called_function_lets_the_other_lanes_return) {
  program p({call(2 * 8), exit_after("end"), bra(4 * 8, 0x0f), exit_after("gone"), ret()});
  EXPECT_EQ(p.run(), "call:ff bra:ff ret:f gone:f0 end:f ");
}

TEST(divergence_without_joinat, runs_each_path_to_its_end) {
  program p({bra(3 * 8, 0x0f), plain("a"), ret(), plain("b"), ret()});
  EXPECT_EQ(p.run(), "bra:ff b:f ret:f a:f0 ret:f0 ");
}

TEST(stack_faults, join_with_an_empty_stack_is_an_underflow) {
  EXPECT_EQ(program({join("meet")}).run_on_one({}), "meet:ff stack underflow");
  EXPECT_EQ(program({join("meet")}).run_on_one(with(first_path::taken, join_moment::before)), "stack underflow");
}

TEST(stack_faults, join_on_a_call_or_loop_token_is_a_mismatch) {
  EXPECT_EQ(program({prebrk(0), join("meet")}).run_on_one({}), "prebrk:ff meet:ff stack mismatch");
  EXPECT_EQ(program({call(8), join("meet")}).run_on_one({}), "call:ff meet:ff stack mismatch");
}

TEST(stack_faults, more_tokens_than_the_stack_memory_holds_are_reported_without_touching_the_state) {
  divergence_options o;
  o.maximum_entries = 3;
  EXPECT_EQ(program({joinat(9 * 8), bra(0)}).run(o),
            "joinat:ff bra:ff joinat:ff bra:ff joinat:ff bra:ff joinat:ff stack overflow");
}

TEST(stack_faults, trap_and_brkpt_stop_the_warp) {
  EXPECT_EQ(program({{"trap", control(control_kind::trap)}}).run(), "trap:ff trap instruction");
  EXPECT_EQ(program({{"brkpt", control(control_kind::brkpt)}}).run(), "brkpt:ff breakpoint instruction");
}

constexpr stack_mechanism both_stacks[] = {stack_mechanism::typed_tokens, stack_mechanism::pdom};
constexpr join_moment both_moments[] = {join_moment::after, join_moment::before};

divergence_options ssy_sync() {
  divergence_options o;
  o.semantics = divergence_semantics::ssy_sync;
  return o;
}

// An if whose sides end in .S each; the warp continues at 5 * 8.
program sides_end_in_sync(lane_mask taken) {
  return program(
      {joinat(5 * 8), bra(4 * 8, taken), plain("else"), join("end_of_else"), join("end_of_if"), exit_after("end")});
}

TEST(ssy_sync, runs_the_fall_through_side_first_and_switches_at_the_end_of_each_side) {
  EXPECT_EQ(sides_end_in_sync(0x0f).run_on_one(ssy_sync()),
            "joinat:ff bra:ff else:f0 end_of_else:f0 end_of_if:f end:ff ");
  EXPECT_EQ(sides_end_in_sync(0xff).run_on_one(ssy_sync()), "joinat:ff bra:ff end_of_if:ff end:ff ");
  EXPECT_EQ(sides_end_in_sync(0x00).run_on_one(ssy_sync()), "joinat:ff bra:ff else:ff end_of_else:ff end:ff ");
}

TEST(ssy_sync, does_not_depend_on_the_options_of_the_other_semantics) {
  for (const auto mechanism : both_stacks)
    for (const auto order : every_order)
      for (const auto moment : both_moments) {
        divergence_options o = ssy_sync();
        o.mechanism = mechanism;
        o.first = order;
        o.join = moment;
        EXPECT_EQ(sides_end_in_sync(0x0f).run_on_one(o),
                  "joinat:ff bra:ff else:f0 end_of_else:f0 end_of_if:f end:ff ");
        EXPECT_EQ(o.entry_bytes(), 8u);
      }
}

TEST(ssy_sync, takes_the_predicate_of_its_instruction_as_guard) {
  step leave = join("leave");
  leave.selected = always(0x3c);
  program p({joinat(3 * 8), leave, join("rest"), exit_after("end")});
  EXPECT_EQ(p.run_on_one(ssy_sync()), "joinat:ff leave:ff rest:c3 end:ff ");
}

TEST(code_of_the_other_convention, faults_at_its_first_mark) {
  const std::string fault = name_of(fault_kind::wrong_convention);
  for (const lane_mask taken : {0x00u, 0x0fu, 0xffu}) {
    const std::string joined = if_else(taken).run_on_one(ssy_sync());
    EXPECT_EQ(joined.substr(joined.size() - fault.size()), fault);
    EXPECT_EQ(joined.find("meet"), joined.rfind("meet")) << joined;
    for (const auto mechanism : both_stacks)
      for (const auto order : every_order)
        for (const auto moment : both_moments) {
          divergence_options o = with(order, moment);
          o.mechanism = mechanism;
          const std::string text = sides_end_in_sync(taken).run_on_one(o);
          EXPECT_EQ(text.substr(text.size() - fault.size()), fault) << text;
          EXPECT_EQ(text.find("end_of"), text.rfind("end_of")) << text;
        }
  }
}

TEST(code_of_the_other_convention, with_an_else_side_that_falls_into_the_if_side_does_not_run_into_it) {
  divergence_options o = with(first_path::fall_through);
  o.mechanism = stack_mechanism::pdom;
  EXPECT_EQ(sides_end_in_sync(0x0f).run_on_one(o),
            std::string("joinat:ff bra:ff else:f0 end_of_else:f0 ") + name_of(fault_kind::wrong_convention));
}

TEST(quadon, enables_whole_quads_until_quadpop) {
  program p({{"quadon", control(control_kind::quadon)},
             plain("all"),
             {"quadpop", control(control_kind::quadpop)},
             exit_after("end")});
  EXPECT_EQ(p.run({}, 0x21), "quadon:21 all:ff quadpop:ff end:21 ");
  EXPECT_EQ(program({{"quadpop", control(control_kind::quadpop)}}).run(), "quadpop:ff stack underflow");
}

TEST(pdom, needs_no_joinat_for_a_join_and_knows_paths_by_their_pc) {
  divergence_options o;
  o.mechanism = stack_mechanism::pdom;
  EXPECT_EQ(program({join("meet"), exit_after("end")}).run_on_one(o), "meet:ff end:ff ");
  // Both reach the end by a branch.
  o.join = join_moment::before;
  EXPECT_EQ(program({joinat(4 * 8), bra(4 * 8, 0x0f), plain("then"), bra(4 * 8), exit_after("end")}).run_on_one(o),
            "joinat:ff bra:ff then:f0 bra:f0 end:ff ");
}

TEST(pdom, keeps_the_frames_of_a_recursive_function_apart) {
  // The inner call passes the address after the outer call.
  step again = call(2 * 8);
  step stop = ret();
  stop.selected = [](unsigned execution) { return execution < 2 ? 0 : ~0u; };
  program p({call(2 * 8), exit_after("end"), stop, again, ret()});
  EXPECT_EQ(p.run(), "call:ff ret:ff call:ff ret:ff call:ff ret:ff ret:ff ret:ff end:ff ");
}

TEST(on_chip_part, tokens_beyond_it_are_counted_on_their_way_out_and_back) {
  program p({call(2 * 8), exit_after("end"), call(4 * 8), ret(), call(6 * 8), ret(), plain("deep"), ret()});
  divergence_options o;
  o.on_chip_entries = 1;
  EXPECT_EQ(p.run(o), "call:ff call:ff call:ff deep:ff ret:ff ret:ff ret:ff end:ff ");
  EXPECT_EQ(p.deepest, 3u);
  EXPECT_EQ(p.spilled, 2u);
  EXPECT_EQ(p.filled, 2u);
}

TEST(on_chip_part, holds_the_youngest_tokens) {
  // Three deep, then up and down by one: only the first calls push other tokens out.
  step twice = call(6 * 8);
  program p({call(2 * 8), exit_after("end"), call(4 * 8), ret(), twice, bra(3 * 8), ret()});
  divergence_options o;
  o.on_chip_entries = 2;
  EXPECT_EQ(p.run(o), "call:ff call:ff call:ff ret:ff bra:ff ret:ff ret:ff end:ff ");
  EXPECT_EQ(p.spilled, 1u);
  EXPECT_EQ(p.filled, 1u);
}

TEST(converged, tells_whether_a_barrier_may_be_passed) {
  simt_stack warp({});
  warp.start(0, all);
  EXPECT_TRUE(warp.converged());
  warp.execute(control(control_kind::bra, 0x80), 0x0f);
  EXPECT_FALSE(warp.converged()) << "the other path waits";
  instruction leave;
  leave.exit = true;
  warp.execute(leave, 0);
  EXPECT_TRUE(warp.converged()) << "lanes that ended do not count";
  EXPECT_EQ(warp.live_mask(), 0xf0u);
}

// Bits flip in a stack that lies in storage; no program makes such a token.
TEST(damaged_token, of_no_type_is_a_machine_check_when_its_turn_comes) {
  instruction leave;
  leave.exit = true;
  for (const std::uint32_t type : {0u, 7u}) {
    divergence_options o;
    o.mechanism = stack_mechanism::typed_tokens;
    simt_stack warp(o);
    warp.start(0, all);
    warp.execute(control(control_kind::joinat, 0x80), ~0u);
    ASSERT_EQ(warp.depth(), 1u);
    stack_words words = warp.words(0);
    words[1] = (words[1] & ~(7u << isa::tesla::code_address_bits)) | type << isa::tesla::code_address_bits;
    warp.set_words(0, words);
    EXPECT_EQ(warp.execute(leave, ~0u).fault, fault_kind::machine_check) << type;
  }
}

}  // namespace
}  // namespace gt200::arch_state::tesla
