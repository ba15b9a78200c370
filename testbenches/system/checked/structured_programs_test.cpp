// Structured programs in both conventions of divergence: the emulator computes the same from both texts, and the
// model agrees with the emulator in every instruction.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testbenches/system/checked/checked_board.h"
#include "testbenches/system/checked/emulated_words.h"
#include "testbenches/system/checked/formed_series.h"
#include "testbenches/system/checked/structured_program.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::support {
namespace {

using arch_state::fault_kind;
using arch_state::tesla::divergence_options;
using arch_state::tesla::divergence_semantics;
using arch_state::tesla::stack_mechanism;

constexpr unsigned programs = 300;

divergence_options rules(divergence_semantics semantics,
                         stack_mechanism mechanism = stack_mechanism::typed_tokens) {
  divergence_options o;
  o.semantics = semantics;
  o.mechanism = mechanism;
  return o;
}

emulated_words emulate(const structured_program& p, const divergence_options& divergence) {
  return emulate_words(assembler::assemble(p.text, "structured.s"), p.blocks, p.threads, divergence, 1024);
}

TEST(structured_programs, of_both_conventions_compute_the_same) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    const structured_program joined = make_structured_program(seed, divergence_semantics::join);
    const structured_program marked = make_structured_program(seed, divergence_semantics::ssy_sync);
    const emulated_words expected = emulate(joined, rules(divergence_semantics::join));
    const emulated_words got = emulate(marked, rules(divergence_semantics::ssy_sync));
    ASSERT_EQ(arch_state::describe(expected.fault), "no fault") << joined.text;
    ASSERT_EQ(arch_state::describe(got.fault), "no fault") << marked.text;
    ASSERT_EQ(got.out, expected.out) << "seed " << seed << "\n" << joined.text << marked.text;
  }
}

TEST(structured_programs, of_the_other_convention_fault_with_their_place) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    const structured_program joined = make_structured_program(seed, divergence_semantics::join);
    const structured_program marked = make_structured_program(seed, divergence_semantics::ssy_sync);
    for (const auto& [program, options] :
         {std::pair{&joined, rules(divergence_semantics::ssy_sync)},
          std::pair{&marked, rules(divergence_semantics::join)},
          std::pair{&marked, rules(divergence_semantics::join, stack_mechanism::pdom)}}) {
      const arch_state::fault fault = emulate(*program, options).fault;
      ASSERT_EQ(fault.kind, fault_kind::wrong_convention) << "seed " << seed << "\n" << program->text;
      ASSERT_NE(fault.line, 0u);
      ASSERT_NE(fault.lanes, 0u);
    }
  }
}

struct way {
  const char* name;
  divergence_semantics convention;
  std::vector<std::string> overrides;
};

void PrintTo(const way& w, std::ostream* out) { *out << w.name; }

class structured_programs_on_the_model : public checked_board, public ::testing::WithParamInterface<way> {};

TEST_P(structured_programs_on_the_model, run_like_the_emulator) {
  std::vector<cubin::module> modules(programs);  // must outlive the board's launches
  for (unsigned seed = 0; seed < programs; ++seed) {
    const structured_program p = make_structured_program(seed, GetParam().convention);
    if (!board) build(p.text, GetParam().overrides);
    modules[seed] = assembler::assemble(p.text, "structured.s");
    board->load(modules[seed], {});
    kernel = &modules[seed].kernels[0];
    const launch_result result = run(p.blocks, p.threads);
    ASSERT_EQ(difference(), "no difference") << p.text;
    ASSERT_EQ(result.reason, end_reason::done) << arch_state::describe(result.fault) << p.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    with, structured_programs_on_the_model,
    ::testing::Values(way{"typed_tokens", divergence_semantics::join, {}},
                      way{"pdom", divergence_semantics::join, {"tpc.sm.simt_stack.mechanism=pdom"}},
                      way{"ssy_sync", divergence_semantics::ssy_sync, {"tpc.sm.simt_stack.semantics=ssy_sync"}},
                      way{"ssy_sync_with_a_small_stack_and_stalls",
                          divergence_semantics::ssy_sync,
                          {"tpc.sm.simt_stack.semantics=ssy_sync", "tpc.sm.simt_stack.entries=4",
                           "simulation.stalls_per_1024=100"}}),
    [](const auto& of) { return std::string(of.param.name); });

// Warps formed anew: memory holds what the emulator leaves with warps that keep their threads.
struct formation {
  const char* name;
  bool barriers;
  series_settings series;
};

void PrintTo(const formation& f, std::ostream* out) { *out << f.name; }

class structured_programs_with_warps_formed_anew : public ::testing::TestWithParam<formation> {};

TEST_P(structured_programs_with_warps_formed_anew, leave_what_they_leave_with_static_warps) {
  const series_outcome o = run_formed_programs(GetParam().series, GetParam().barriers);
  EXPECT_EQ(o.error, "");
  EXPECT_EQ(o.programs, GetParam().series.count);
  EXPECT_GT(o.events, 0u) << "no warp has threads of several";
}

const std::string choose_by = "tpc.sm.warp_former.heuristic=";
const std::string compaction = "tpc.sm.warp_formation=compaction";
const std::string across_blocks = "tpc.sm.warp_former.across_blocks=true";
const std::string stalls = "simulation.stalls_per_1024=100";

INSTANTIATE_TEST_SUITE_P(
    with, structured_programs_with_warps_formed_anew,
    ::testing::Values(
        formation{"majority", true, {0, 100, {}}},
        formation{"dynamic_majority_and_stalls", true, {1000, 100, {choose_by + "dynamic_majority", stalls}}},
        formation{"minority_and_another_order_of_modules", true, {2000, 100, {choose_by + "minority"}, 7}},
        formation{"time_stamp", false, {3000, 100, {choose_by + "time_stamp"}}},
        formation{"pc_and_the_audit", true, {4000, 60, {choose_by + "pc"}, 0, true}},
        formation{"blocks_mixed", true, {8000, 100, {across_blocks}}},
        formation{"blocks_mixed_stalls_and_shuffled_order",
                  true,
                  {9000, 100, {across_blocks, choose_by + "time_stamp", stalls}, 7}},
        formation{"blocks_mixed_and_the_audit", true, {9500, 40, {across_blocks, choose_by + "pc"}, 0, true}},
        formation{"compaction", true, {5000, 100, {compaction}}},
        formation{"compaction_stalls_and_shuffled_order", true, {6000, 100, {compaction, stalls}, 7}},
        formation{"compaction_and_the_audit", true, {7000, 40, {compaction}, 0, true}}),
    [](const auto& of) { return std::string(of.param.name); });

class code_of_the_other_convention : public checked_board {
 protected:
  void fault(divergence_semantics convention, const std::vector<std::string>& overrides) {
    const structured_program p = make_structured_program(1, convention);
    build(p.text, overrides);
    const launch_result result = run(p.blocks, p.threads);
    EXPECT_EQ(difference(), "no difference");
    EXPECT_EQ(result.reason, end_reason::fault);
    EXPECT_EQ(result.fault.kind, fault_kind::wrong_convention) << arch_state::describe(result.fault);
    EXPECT_NE(result.fault.line, 0u);
  }
};

TEST_F(code_of_the_other_convention, with_join_faults_under_ssy_sync) {
  fault(divergence_semantics::join, {"tpc.sm.simt_stack.semantics=ssy_sync"});
}
TEST_F(code_of_the_other_convention, with_marked_ends_faults_with_typed_tokens) {
  fault(divergence_semantics::ssy_sync, {});
}
TEST_F(code_of_the_other_convention, with_marked_ends_faults_with_pdom) {
  fault(divergence_semantics::ssy_sync, {"tpc.sm.simt_stack.mechanism=pdom"});
}
TEST_F(code_of_the_other_convention, with_marked_ends_faults_with_pdom_and_join_before) {
  fault(divergence_semantics::ssy_sync, {"tpc.sm.simt_stack.mechanism=pdom", "tpc.sm.simt_stack.join=before"});
}

}  // namespace
}  // namespace gt200::support
