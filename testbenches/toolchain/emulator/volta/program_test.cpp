// Small sm_70 programs in the emulator: paths of a warp and where they meet, barriers, exchange between lanes,
// memory, subroutines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "toolchain/arch_state/volta/generation.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/emulator/volta/grid_run.h"

namespace gt200::emulator::volta {
namespace {

using arch_state::fault_kind;
using testing::Each;
using testing::ElementsAre;

constexpr std::uint32_t buffer = 0x10000;

struct visit {
  std::string text;
  unsigned warp;
  isa::lane_mask active;
};

class recorder : public run_observer {
 public:
  void retired(const step_record& r, const block&) override {
    visits.push_back({isa::text_of(*r.instruction), r.warp, r.active});
  }
  std::vector<visit> visits;
};

struct outcome {
  run_result result;
  recorder log;
  std::vector<std::uint32_t> memory;

  // Masks with which instructions of this text were executed.
  std::vector<isa::lane_mask> masks_of(const std::string& text) const {
    std::vector<isa::lane_mask> masks;
    for (const visit& v : log.visits)
      if (v.text == text) masks.push_back(v.active);
    return masks;
  }
};

// Every thread finds its number in R0 and the address of its word of the buffer in R2:R3; R4:R5 hold that of the
// buffer. `finish` stores R6 there.
constexpr char start[] = R"(
  S2R R0, SR_TID.X
  MOV R7, 0x4
  IMAD.WIDE R2, R0, R7, c[0x0][buffer]
  MOV R4, c[0x0][buffer]
  MOV R5, c[0x0][buffer+4]
)";
constexpr char finish[] = R"(
  STG.E.SYS [R2], R6
  EXIT
)";

outcome run_program(const std::string& body, std::uint32_t threads = 32, std::uint32_t turn = 1024,
                    const std::string& directives = "") {
  const cubin::module module = assembler::assemble(
      ".target sm_70\n.entry program\n.param b64 buffer\n.registers 64\n" + directives + start + body + ".end\n",
      "program.s");
  launch::launch_parameters l;
  l.kernel = &module.kernels[0];
  l.block = {threads, 1, 1};
  const std::uint64_t parameter = buffer;
  l.parameter_bytes.resize(8);
  std::memcpy(l.parameter_bytes.data(), &parameter, 8);
  arch_state::memory memory;
  memory.map(buffer, 0x2000);
  const arch_state::volta::generation generation;
  run_options options;
  options.instruction_limit = 20000;
  options.turn = turn;
  outcome o;
  o.result = run(module, l, {}, generation, memory, options, &o.log);
  o.memory.resize(threads);
  memory.read(buffer, o.memory.data(), 4 * o.memory.size());
  return o;
}

std::vector<std::uint32_t> numbers(std::uint32_t count, std::uint32_t (*value)(std::uint32_t)) {
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t k = 0; k < count; ++k) all[k] = value(k);
  return all;
}

#define ASSERT_ENDS(o) ASSERT_FALSE((o).result.fault) << arch_state::describe((o).result.fault)

TEST(volta_program, both_sides_of_a_branch_meet_at_the_convergence_barrier) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x5, PT
  BSSY B0, meet
  @P0 BRA low
  MOV R6, 0x2
  BRA meet
low:
  MOV R6, 0x1
meet:
  BSYNC B0
  IADD3 R6, R6, 0x10, RZ
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return k < 5 ? 0x11u : 0x12u; }));
  EXPECT_THAT(o.masks_of("MOV R6, 0x1"), ElementsAre(0x1fu));
  EXPECT_THAT(o.masks_of("MOV R6, 0x2"), ElementsAre(~0x1fu));
  EXPECT_THAT(o.masks_of("IADD3 R6, R6, 0x10, RZ"), ElementsAre(~0u));
}

TEST(volta_program, paths_do_not_merge_without_a_barrier) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x5, PT
  MOV R6, 0x2
  @P0 BRA low
low:
  IADD3 R6, R6, 0x10, RZ
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_THAT(o.masks_of("IADD3 R6, R6, 0x10, RZ"), ElementsAre(~0x1fu, 0x1fu));
}

TEST(volta_program, warpsync_makes_one_path_of_the_lanes_of_its_mask) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x5, PT
  MOV R6, 0x2
  @P0 BRA low
low:
  WARPSYNC 0xffffffff
  IADD3 R6, R6, 0x10, RZ
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_THAT(o.masks_of("IADD3 R6, R6, 0x10, RZ"), ElementsAre(~0u));
}

// Lane n leaves a loop after n + 1 rounds; those that left wait for the others.
TEST(volta_program, lanes_that_leave_a_loop_early_wait_behind_it) {
  const outcome o = run_program(std::string(R"(
  MOV R6, RZ
  BSSY B3, behind
again:
  IADD3 R6, R6, 0x1, RZ
  ISETP.GT.U32.AND P0, PT, R6, R0, PT
  @!P0 BRA again
behind:
  BSYNC B3
  VOTE.ALL R8, PT, PT
  STG.E.SYS [R2], R6
  STG.E.SYS [R2+0x1000], R8
  EXIT
)"));
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return k + 1; }));
  EXPECT_THAT(o.masks_of("VOTE.ALL R8, PT, PT"), ElementsAre(~0u));
}

TEST(volta_program, break_takes_lanes_out_of_a_barrier) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x8, PT
  MOV R6, 0x1
  BSSY B0, meet
  @P0 BREAK B0
  @P0 BRA away
  MOV R6, 0x2
meet:
  BSYNC B0
  IADD3 R6, R6, 0x20, RZ
away:
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return k < 8 ? 1u : 0x22u; }));
  EXPECT_THAT(o.masks_of("IADD3 R6, R6, 0x20, RZ"), ElementsAre(~0xffu));
}

TEST(volta_program, lanes_that_end_are_not_waited_for) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x8, PT
  MOV R6, 0x7
  BSSY B0, meet
  @P0 EXIT
meet:
  BSYNC B0
  BAR.SYNC 0x0
)") + finish,
                                64);
  ASSERT_ENDS(o);
  EXPECT_EQ(std::count(o.memory.begin(), o.memory.end(), 7u), 56);
}

// The lock is the word behind the threads' words; each lane adds to the word behind it while it has the lock.
TEST(volta_program, a_lock_that_every_lane_of_a_warp_wants_is_passed_on) {
  const outcome o = run_program(std::string(R"(
  MOV R8, 0x1
again:
  ATOMG.E.CAS.STRONG.GPU PT, R9, [R4+0x400], RZ, R8
  ISETP.NE.AND P0, PT, R9, RZ, PT
  @P0 BRA again
  LDG.E.STRONG.GPU R6, [R4+0x404]
  IADD3 R10, R6, 0x1, RZ
  STG.E.STRONG.GPU [R4+0x404], R10
  STG.E.STRONG.GPU [R4+0x400], RZ
)") + finish);
  ASSERT_ENDS(o);
  std::vector<std::uint32_t> order = o.memory;
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, numbers(32, [](std::uint32_t k) { return k; }));
}

TEST(volta_program, a_consumer_may_wait_for_a_producer_of_its_own_warp) {
  const outcome o = run_program(std::string(R"(
  ISETP.EQ.AND P0, PT, R0, 0x1f, PT
  MOV R8, 0x55
  @P0 BRA produce
wait:
  LDG.E.STRONG.SYS R6, [R4+0x400]
  ISETP.EQ.AND P1, PT, R6, RZ, PT
  @P1 BRA wait
  BRA end
produce:
  STG.E.STRONG.SYS [R4+0x400], R8
  MOV R6, R8
end:
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_THAT(o.memory, Each(0x55u));
}

TEST(volta_program, a_loop_without_end_reaches_the_limit_of_instructions) {
  const outcome o = run_program("again:\n  BRA again\n");
  EXPECT_EQ(o.result.fault.kind, fault_kind::instruction_limit);
}

TEST(volta_program, barriers_count_threads_of_all_paths) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x5, PT
  SHF.L.U32 R8, R0, 0x2, RZ
  STS [R8], R0
  @P0 BRA low
  BAR.SYNC 0x0
  BRA behind
low:
  BAR.SYNC 0x0
behind:
  LOP3.LUT R9, R8, 0xfc, RZ, 0x3c, !PT
  LDS R6, [R9]
)") + finish,
                                64, 3, ".shared words 256\n");
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(64, [](std::uint32_t k) { return k ^ 63; }));
}

TEST(volta_program, a_barrier_that_not_all_threads_reach_is_a_deadlock) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x20, PT
  @P0 BRA first
  BAR.SYNC 0x0
first:
  BAR.SYNC 0x1
)") + finish,
                                64);
  EXPECT_EQ(o.result.fault.kind, fault_kind::deadlock);
}

TEST(volta_program, barriers_reduce_predicates) {
  const outcome o = run_program(std::string(R"(
  ISETP.LT.U32.AND P0, PT, R0, 0x21, PT
  BAR.RED.POPC 0x0, P0
  B2R.RESULT R6
  BAR.RED.AND 0x0, P0
  B2R.RESULT RZ, P1
  @P1 IADD3 R6, R6, 0x100, RZ
  BAR.RED.OR 0x0, P0
  B2R.RESULT RZ, P1
  @P1 IADD3 R6, R6, 0x200, RZ
)") + finish,
                                64, 2);
  ASSERT_ENDS(o);
  EXPECT_THAT(o.memory, Each(0x221u));
}

TEST(volta_program, lanes_exchange_values_within_their_path) {
  const outcome o = run_program(std::string(R"(
  MOV R6, R0
  SHFL.BFLY PT, R8, R6, 0x10, 0x1f
  IADD3 R6, R6, R8, RZ
  SHFL.BFLY PT, R8, R6, 0x8, 0x1f
  IADD3 R6, R6, R8, RZ
  SHFL.BFLY PT, R8, R6, 0x4, 0x1f
  IADD3 R6, R6, R8, RZ
  SHFL.BFLY PT, R8, R6, 0x2, 0x1f
  IADD3 R6, R6, R8, RZ
  SHFL.BFLY PT, R8, R6, 0x1, 0x1f
  IADD3 R6, R6, R8, RZ
  SHFL.UP P1, R9, R0, 0x3, 0x0
  @!P1 MOV R9, 0x63
  SHFL.IDX PT, R10, R9, 0x2, 0x1c03
  IMAD R6, R9, 0x1000, R6
  ISETP.LT.U32.AND P0, PT, R0, 0x4, PT
  @P0 BRA low
  VOTE.ANY R11, PT, P1
  IMAD R6, R11, 0x0, R6
low:
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return 31 * 16 + 0x1000 * (k < 3 ? 0x63u : k - 3); }));
}

TEST(volta_program, atomics_act_on_shared_and_global_memory_and_through_windows) {
  const outcome o = run_program(std::string(R"(
  STS [counter], RZ
  BAR.SYNC 0x0
  MOV R8, 0x1
  ATOMS.ADD R9, [counter], R8
  RED.E.ADD.STRONG.GPU [R4+0x400], R0
  MOV R10, c[0x0][0x150]
  MOV R11, RZ
  ATOM.E.ADD.STRONG.CTA PT, RZ, [R10], R8
  BAR.SYNC 0x0
  LDS R12, [counter]
  LDG.E.SYS R13, [R4+0x400]
  IMAD R6, R13, 0x1000, R12
)") + finish,
                                32, 1024, ".shared counter 4\n");
  ASSERT_ENDS(o);
  EXPECT_THAT(o.memory, Each(31u * 16 * 0x1000 + 64));
}

TEST(volta_program, every_thread_has_a_stack_in_local_memory) {
  const outcome o = run_program(std::string(R"(
  MOV R1, c[0x0][0x28]
  IADD3 R1, R1, -0x10, RZ
  STL.64 [R1+0x8], R2
  STL [R1], R0
  MOV R6, RZ
  LDL R6, [R1]
  LDL.64 R8, [R1+0x8]
  ISETP.NE.U32.AND P0, PT, R8, R2, PT
  @P0 MOV R6, 0xff
)") + finish,
                                64, 1, ".local 32\n");
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(64, [](std::uint32_t k) { return k; }));
}

TEST(volta_program, subroutines_return_to_the_address_in_a_register) {
  const outcome o = run_program(std::string(R"(
  MOV R20, back
  MOV R21, RZ
  CALL.REL.NOINC twice
after:
  IADD3 R6, R6, 0x1, RZ
)") + finish + R"(
twice:
  IADD3 R6, R0, R0, RZ
  RET.REL.NODEC R20, 0x0
)",
                                32, 1024, ".equ back 128\n");
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return 2 * k + 1; }));
}

TEST(volta_program, predicates_and_barrier_registers_can_be_kept_in_registers) {
  const outcome o = run_program(std::string(R"(
  LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT
  LOP3.LUT P4, RZ, R0, 0x2, RZ, 0xc0, !PT
  P2R R6, PR, RZ, 0x12
  BSSY B2, meet
  BMOV.32.CLEAR R8, B2
  R2P PR, RZ
  R2P PR, R6, 0x10
  @P4 IADD3 R6, R6, 0x100, RZ
  @P1 IADD3 R6, R6, 0x200, RZ
  BMOV.32 B2, R8
meet:
  BSYNC B2
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory,
            numbers(32, [](std::uint32_t k) { return ((k & 1) != 0 ? 2u : 0u) + ((k & 2) != 0 ? 0x110u : 0u); }));
}

TEST(volta_program, wide_numbers_carry_from_word_to_word) {
  const outcome o = run_program(std::string(R"(
  MOV R8, 0xfffffff0
  MOV R9, 0x7
  IADD3 R10, P0, R8, R0, RZ
  IADD3.X R11, R9, RZ, RZ, P0, !PT
  IADD3 R12, P0, R10, -R8, RZ
  IADD3.X R13, R11, ~R9, RZ, P0, !PT
  ISETP.NE.U32.AND P1, PT, R12, R0, PT
  ISETP.NE.AND P2, PT, R13, RZ, PT
  ISETP.GE.U32.AND P3, PT, R10, 0x0, PT
  ISETP.GE.AND.EX P3, PT, R11, 0x8, PT, P3
  SEL R6, RZ, 0x1, !P3
  @P1 MOV R6, 0xbad
  @P2 MOV R6, 0xbad
)") + finish);
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return k >= 16 ? 1u : 0u; }));
}

TEST(volta_program, indexed_constants_and_indirect_branches_follow_each_lane) {
  const outcome o = run_program(std::string(R"(
  LOP3.LUT R8, R0, 0x1, RZ, 0xc0, !PT
  SHF.L.U32 R9, R8, 0x2, RZ
  LDC R10, c[0x2][R9+table]
  MOV R11, RZ
  BSSY B0, meet
  BRX R10, +0x0
base:
  MOV R6, 0x1
  BRA meet
  MOV R6, 0x2
meet:
  BSYNC B0
)") + finish,
                                32, 1024, ".literal table b32 0 32\n");
  ASSERT_ENDS(o);
  EXPECT_EQ(o.memory, numbers(32, [](std::uint32_t k) { return 1 + (k & 1); }));
}

TEST(volta_program, accesses_outside_of_memory_are_faults) {
  EXPECT_EQ(run_program("  LDG.E.SYS R6, [R4+0x7ffff0]\n  EXIT\n").result.fault.kind, fault_kind::unmapped_address);
  EXPECT_EQ(run_program("  MOV R5, 0x1\n  LDG.E.SYS R6, [R4]\n  EXIT\n").result.fault.kind,
            fault_kind::unmapped_address);
  EXPECT_EQ(run_program("  LDG.E.64.SYS R6, [R4+0x4]\n  EXIT\n").result.fault.kind, fault_kind::misaligned_address);
  EXPECT_EQ(run_program("  LDS R6, [0x4000]\n  EXIT\n").result.fault.kind, fault_kind::unmapped_address);
  EXPECT_EQ(run_program("  LEPC R6\n  EXIT\n").result.fault.kind, fault_kind::unsupported);
  EXPECT_EQ(run_program("  BPT.TRAP 0x1\n").result.fault.kind, fault_kind::breakpoint);
}

// The clock counts with 32 bits; of 64 the upper ones are zero.
TEST(volta_program, a_clock_of_64_bits_writes_both_registers) {
  const outcome wide = run_program(std::string("MOV R9, 0x5\nCS2R R8, SR_CLOCKLO\nMOV R6, R9\n") + finish);
  EXPECT_THAT(wide.memory, Each(0u));
  const outcome narrow = run_program(std::string("MOV R9, 0x5\nCS2R.32 R8, SR_CLOCKLO\nMOV R6, R9\n") + finish);
  EXPECT_THAT(narrow.memory, Each(5u));
}

}  // namespace
}  // namespace gt200::emulator::volta
