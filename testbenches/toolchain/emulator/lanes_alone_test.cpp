// With every stack and all options, every lane executes what it would execute alone: compares random programs of
// nested branches, loops, breaks, recursive calls and early exits with an interpreter of one lane that has no stack
// of masks. The programs are written in both conventions: join marks where paths reconverge, or the end of each
// path.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <vector>

#include "toolchain/arch_state/tesla/simt_stack.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

using isa::code_address;
using isa::lane_mask;
using isa::tesla::control_kind;
using isa::tesla::instruction;

constexpr unsigned lanes = 32;
constexpr std::size_t longest = 20000;  // instructions of a lane

struct random_step {
  instruction what;
  bool conditional = false;   // bra, ret, brk: lanes decide; otherwise all take it
  bool leaves_often = false;  // a lane takes it after a few visits
  bool outside = false;       // outside every region: all lanes are here together
};

class program_writer {
 public:
  explicit program_writer(std::uint64_t seed, divergence_semantics convention = divergence_semantics::join)
      : random_(seed), marks_ends_(convention == divergence_semantics::ssy_sync) {}

  std::vector<random_step> write() {
    functions_ = {};
    for (unsigned i = 0; i < 8; ++i) {
      statement(0);
      steps_[plain()].outside = true;
    }
    steps_[plain()].what.exit = true;
    for (unsigned f = 0; f < functions_.size(); ++f) {
      functions_[f] = here();
      for (unsigned i = 0; i < 3; ++i) statement(2);
      add(control_kind::ret);
    }
    for (const auto& [index, function] : calls_) steps_[index].what.target = functions_[function];
    return steps_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  code_address here() const { return 8 * static_cast<code_address>(steps_.size()); }
  std::size_t add(control_kind kind, bool conditional = false, bool leaves_often = false) {
    random_step s;
    s.what.control = kind;
    s.what.flow = isa::tesla::flow_of(kind);
    s.conditional = conditional;
    s.leaves_often = leaves_often;
    steps_.push_back(s);
    return steps_.size() - 1;
  }
  std::size_t plain() { return add(control_kind::none); }
  // `.S`: the lanes that take it go on where their region reconverges.
  void mark_end(bool conditional = false, bool leaves_often = false) {
    steps_[add(control_kind::none, conditional, leaves_often)].what.join = true;
  }
  // The end of a region, and of its last path.
  void join(std::size_t region) {
    if (marks_ends_) mark_end();
    steps_[region].what.target = here();
    if (!marks_ends_) steps_[plain()].what.join = true;
  }
  // Most lanes skip the rest of a region: by a guarded mark, or by a branch to its join, which is returned.
  std::optional<std::size_t> skip_rest() {
    if (!marks_ends_) return add(control_kind::bra, true, true);
    mark_end(true, true);
    return std::nullopt;
  }

  void block(unsigned depth) {
    for (unsigned n = 1 + pick(2); n != 0; --n) statement(depth + 1);
  }
  void statement(unsigned depth) {
    switch (depth < 5 ? pick(9) : 0) {
      case 0:
      case 1: plain(); return;
      case 2:
      case 3: return branch(depth);
      case 4: return loop_by_branch(depth);
      case 5: return loop_by_break(depth);
      case 6: return call(depth);
      case 7:
        if (loops_ == 0) return call(depth);
        add(control_kind::brk, true);
        return;
      default: return leave(depth);
    }
  }
  void branch(unsigned depth) {
    const std::size_t region = add(control_kind::joinat);
    const std::size_t to_else = add(control_kind::bra, true);
    block(depth);
    std::optional<std::size_t> to_end;
    if (marks_ends_)
      mark_end();
    else
      to_end = add(control_kind::bra);
    steps_[to_else].what.target = here();
    if (pick(2) != 0) block(depth);
    if (to_end) steps_[*to_end].what.target = here();
    join(region);
  }
  void loop_by_branch(unsigned depth) {
    const std::size_t region = add(control_kind::joinat);
    const code_address again = here();
    block(depth);
    if (marks_ends_ && pick(2) != 0) {
      mark_end(true, true);
      steps_[add(control_kind::bra)].what.target = again;
      steps_[region].what.target = here();
      return;
    }
    const std::size_t out = add(control_kind::bra, true, true);
    steps_[add(control_kind::bra)].what.target = again;
    steps_[out].what.target = here();
    join(region);
  }
  void loop_by_break(unsigned depth) {
    const std::size_t loop = add(control_kind::prebrk);
    const code_address again = here();
    ++loops_;
    block(depth);
    --loops_;
    add(control_kind::brk, true, true);
    steps_[add(control_kind::bra)].what.target = again;
    steps_[loop].what.target = here();
    plain();
  }
  // Lanes that have been here a few times do not call again, so that recursion ends.
  void call(unsigned depth) {
    if (depth == 0) {
      calls_.push_back({add(control_kind::call), pick(2)});
      return;
    }
    const std::size_t region = add(control_kind::joinat);
    const std::optional<std::size_t> around = skip_rest();
    calls_.push_back({add(control_kind::call), pick(2)});
    if (around) steps_[*around].what.target = here();
    join(region);
  }
  // Few lanes return or exit from inside, across whatever regions are open.
  void leave(unsigned depth) {
    const std::size_t region = add(control_kind::joinat);
    const std::optional<std::size_t> around = skip_rest();
    block(depth);
    if (pick(2) != 0)
      add(control_kind::ret, true);
    else if (pick(4) == 0)
      steps_[plain()].what.exit = true;
    if (around) steps_[*around].what.target = here();
    join(region);
  }

  std::mt19937_64 random_;
  bool marks_ends_;
  std::vector<random_step> steps_;
  std::array<code_address, 2> functions_{};
  std::vector<std::pair<std::size_t, unsigned>> calls_;
  unsigned loops_ = 0;
};

// True if a lane takes a step at its nth visit.
bool takes(const random_step& s, unsigned lane, std::size_t index, unsigned nth) {
  if (!s.conditional) return true;
  if (s.leaves_often && nth > 3) return true;
  std::uint64_t x =
      (lane + 1) * 0x9e3779b97f4a7c15u ^ (index + 1) * 0xbf58476d1ce4e5b9u ^ nth * 0x94d049bb133111ebu;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return (x >> 40 & 1) != 0;
}

using trace = std::vector<std::uint16_t>;  // indices of steps

trace alone(const std::vector<random_step>& program, unsigned lane,
            divergence_semantics convention = divergence_semantics::join) {
  struct loop {
    std::size_t behind = 0;
    std::size_t regions = 0;  // open around it
  };
  struct frame {
    std::size_t back = 0;
    std::vector<loop> loops;
    std::vector<std::size_t> regions;  // where they reconverge
  };
  std::vector<frame> frames(1);
  std::vector<unsigned> visits(program.size());
  trace result;
  for (std::size_t at = 0; result.size() < longest;) {
    const random_step& s = program[at];
    result.push_back(static_cast<std::uint16_t>(at));
    const bool taken = takes(s, lane, at, visits[at]++);
    const std::size_t target = s.what.target / 8;
    ++at;
    switch (s.what.control) {
      case control_kind::bra:
        if (taken) at = target;
        break;
      case control_kind::call:
        frames.push_back({at, {}, {}});
        at = target;
        break;
      case control_kind::ret:
        if (!taken) break;
        if (frames.size() == 1) return result;
        at = frames.back().back;
        frames.pop_back();
        break;
      case control_kind::prebrk: frames.back().loops.push_back({target, frames.back().regions.size()}); break;
      case control_kind::brk:
        if (!taken) break;
        at = frames.back().loops.back().behind;
        frames.back().regions.resize(frames.back().loops.back().regions);
        frames.back().loops.pop_back();
        break;
      case control_kind::joinat: frames.back().regions.push_back(target); break;
      default: break;
    }
    if (s.what.exit) return result;
    if (s.what.join && taken) {
      if (convention == divergence_semantics::ssy_sync) at = frames.back().regions.back();
      frames.back().regions.pop_back();
    }
  }
  return result;
}

std::array<trace, lanes> together(const std::vector<random_step>& program, const divergence_options& options) {
  simt_stack warp(options);
  warp.start(0, ~0u);
  std::array<trace, lanes> result;
  std::vector<std::array<unsigned, lanes>> visits(program.size());
  while (!warp.finished()) {
    const std::size_t at = warp.pc() / 8;
    const random_step& s = program[at];
    const bool concerns = s.what.concerns_divergence();
    if (concerns) {
      const control_result entered = warp.enter(s.what);
      EXPECT_EQ(entered.fault, fault_kind::none);
      if (!entered.executes) continue;
    }
    lane_mask selected = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if ((warp.active_mask() >> lane & 1) == 0) continue;
      result[lane].push_back(static_cast<std::uint16_t>(at));
      if (result[lane].size() > longest) return result;
      if (takes(s, lane, at, visits[at][lane]++)) selected |= 1u << lane;
    }
    EXPECT_TRUE(!s.outside || warp.converged()) << "step " << at;
    if (!concerns) {
      warp.advance(s.what.length);
    } else if (warp.execute(s.what, selected).fault != fault_kind::none) {
      ADD_FAILURE() << "fault at step " << at;
      return result;
    }
  }
  EXPECT_EQ(warp.depth(), 0u);
  EXPECT_EQ(warp.window().in_memory(), 0u);
  return result;
}

TEST(every_lane, executes_what_it_would_alone_on_both_stacks_with_all_options) {
  unsigned deepest_of_all = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const std::vector<random_step> program = program_writer(seed).write();
    std::array<trace, lanes> expected;
    for (unsigned lane = 0; lane < lanes; ++lane) expected[lane] = alone(program, lane);
    for (const auto mechanism : {stack_mechanism::typed_tokens, stack_mechanism::pdom})
      for (const auto first : {first_path::last_in_program, first_path::taken, first_path::fall_through})
        for (const auto join : {join_moment::after, join_moment::before}) {
          divergence_options options;
          options.mechanism = mechanism;
          options.first = first;
          options.join = join;
          options.maximum_entries = 4096;
          const auto got = together(program, options);
          for (unsigned lane = 0; lane < lanes; ++lane)
            ASSERT_EQ(got[lane], expected[lane])
                << "seed " << seed << ", lane " << lane << ", pdom " << (mechanism == stack_mechanism::pdom)
                << ", first " << static_cast<int>(first) << ", before " << (join == join_moment::before);
        }
    for (const trace& t : expected) deepest_of_all = std::max(deepest_of_all, static_cast<unsigned>(t.size()));
  }
  EXPECT_GT(deepest_of_all, 200u) << "programs with something in them";
}

TEST(every_lane, executes_what_it_would_alone_in_code_that_marks_the_end_of_each_path) {
  constexpr auto convention = divergence_semantics::ssy_sync;
  std::size_t deepest_of_all = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<random_step> program = program_writer(seed, convention).write();
    divergence_options options;
    options.semantics = convention;
    options.maximum_entries = 4096;
    const auto got = together(program, options);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      ASSERT_EQ(got[lane], alone(program, lane, convention)) << "seed " << seed << ", lane " << lane;
      deepest_of_all = std::max(deepest_of_all, got[lane].size());
    }
  }
  EXPECT_GT(deepest_of_all, 200u) << "programs with something in them";
}

// What a program ends with under rules of the other convention, and the number of marks that had executed before.
struct foreign_end {
  fault_kind fault = fault_kind::none;
  unsigned marks = 0;
};

foreign_end end_of(const std::vector<random_step>& program, const divergence_options& options) {
  simt_stack warp(options);
  warp.start(0, ~0u);
  std::vector<std::array<unsigned, lanes>> visits(program.size());
  foreign_end end;
  for (std::size_t steps = 0; !warp.finished() && steps < 100000; ++steps) {
    const std::size_t at = warp.pc() / 8;
    const random_step& s = program[at];
    if (!s.what.concerns_divergence()) {
      warp.advance(s.what.length);
      continue;
    }
    const control_result entered = warp.enter(s.what);
    end.fault = entered.fault;
    if (end.fault != fault_kind::none) return end;
    if (!entered.executes) continue;
    lane_mask selected = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      if ((warp.active_mask() >> lane & 1) != 0 && takes(s, lane, at, visits[at][lane]++)) selected |= 1u << lane;
    end.fault = warp.execute(s.what, selected).fault;
    if (end.fault != fault_kind::none) return end;
    if (s.what.join) ++end.marks;
  }
  return end;
}

TEST(code_of_the_other_convention, faults_at_the_first_mark_that_executes) {
  unsigned faults = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const auto convention : {divergence_semantics::join, divergence_semantics::ssy_sync}) {
      const std::vector<random_step> program = program_writer(seed, convention).write();
      bool has_marks = false;
      for (unsigned lane = 0; lane < lanes && !has_marks; ++lane)
        for (const std::uint16_t at : alone(program, lane, convention)) has_marks |= program[at].what.join;
      std::vector<divergence_options> foreign;
      if (convention == divergence_semantics::join) {
        foreign.resize(1);
        foreign[0].semantics = divergence_semantics::ssy_sync;
      } else {
        for (const auto mechanism : {stack_mechanism::typed_tokens, stack_mechanism::pdom})
          for (const auto first : {first_path::last_in_program, first_path::taken, first_path::fall_through})
            for (const auto join : {join_moment::after, join_moment::before}) {
              divergence_options o;
              o.mechanism = mechanism;
              o.first = first;
              o.join = join;
              foreign.push_back(o);
            }
      }
      for (divergence_options o : foreign) {
        o.maximum_entries = 4096;
        const foreign_end end = end_of(program, o);
        ASSERT_EQ(end.fault, has_marks ? fault_kind::wrong_convention : fault_kind::none) << "seed " << seed;
        ASSERT_EQ(end.marks, 0u) << "seed " << seed;
        faults += has_marks ? 1 : 0;
      }
    }
  }
  EXPECT_GT(faults, 2000u);
}

}  // namespace
}  // namespace gt200::emulator
