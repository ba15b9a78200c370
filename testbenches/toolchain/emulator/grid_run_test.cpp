// Whole launches: initial state of threads, control flow, barriers, faults and the watchdog.
#include "toolchain/emulator/grid_run.h"

#include "program_fixture.h"
#include "toolchain/arch_state/initial_state.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

class run_test : public program_fixture {};

TEST_F(run_test, each_thread_stores_its_number) {
  launch.block = {64, 1, 1};
  run_well("mov b32 $r2 $r1\n" + std::string(finish));
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t);
  EXPECT_EQ(out[64], 0u);
}

TEST_F(run_test, a_partial_warp_has_only_the_lanes_of_its_threads) {
  launch.block = {40, 1, 1};
  run_well("mov b32 $r2 0x7\n" + std::string(finish));
  EXPECT_EQ(out[39], 7u);
  EXPECT_EQ(out[40], 0u);
}

TEST_F(run_test, threads_are_packed_into_warps_with_x_fastest) {
  launch.block = {4, 4, 4};
  // out[tid.x + 4 tid.y + 16 tid.z] = $physid: lane in bits 0-7, warp in bits 8-15
  run_well(R"(
    shr u32 $r3 $r0 0x10
    and b32 $r4 $r3 c1[mask10]
    shr u32 $r5 $r0 0x1a
    shl b32 $r4 $r4 0x2
    shl b32 $r5 $r5 0x4
    add b32 $r1 $r1 $r4
    add b32 $r1 $r1 $r5
    shl b32 $r20 $r1 0x2
    add b32 $r20 b32 s[out] $r20
    mov $r2 $physid
    exit st b32 g14[$r20] $r2
  )",
           ".literal mask10 u32 0x3ff");
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t % 32 | t / 32 << 8);
}

TEST_F(run_test, blocks_know_their_place_in_the_grid) {
  launch.grid = {3, 2};
  launch.block = {1, 1, 1};
  run_well(R"(
    mov b16 $r3l u16 s[%ctaid.x]
    mov b16 $r3h u16 s[%nctaid.x]
    cvt u32 $r2 u16 $r3l
    add $r2 (mul u16 u16 s[%ctaid.y] $r3h) $r2
    shl b32 $r4 $r2 0x2
    add b32 $r4 b32 s[out] $r4
    add b32 $r2 $r2 0x64
    exit st b32 g14[$r4] $r2
  )");
  for (std::uint32_t block = 0; block < 6; ++block) EXPECT_EQ(out[block], 100 + block);
  EXPECT_EQ(out[6], 0u);
}

TEST_F(run_test, undefined_registers_and_shared_memory_start_with_the_seeded_pattern) {
  options.initial_state_seed = 99;
  run_well("add b32 $r2 b32 s[behind] $r5\n" + std::string(finish), ".registers 21\n.shared behind 4");
  const std::uint32_t shared_word = initial_shared_word(99, 0, (16 + 8) / 4);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], initial_register(99, 0, 0, 5, lane) + shared_word);
  const auto first = out;
  options.initial_state_seed = 100;
  run_well("add b32 $r2 b32 s[behind] $r5\n" + std::string(finish), ".registers 21\n.shared behind 4");
  EXPECT_NE(first, out);
}

TEST_F(run_test, registers_beyond_the_allocated_ones_read_as_zero_and_drop_writes) {
  allocated_registers = 21;
  run_well("mov b32 $r90 $r1\nadd b32 $r2 $r90 $r124\n" + std::string(finish));
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 0u);
}

TEST_F(run_test, predicated_instructions_leave_the_other_lanes_alone) {
  run_well("mov b32 $r2 0x1\nset $c0 # l u32 $r1 c1[eight]\n(lg $c0) mov b32 $r2 $r1\n" + std::string(finish),
           ".literal eight u32 8");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t < 8 ? t : 1u);
}

TEST_F(run_test, both_sides_of_an_if_run_and_reconverge) {
  run_well(R"(
    set $c0 # l u32 $r1 c1[eight]
    joinat meet
    (lg $c0) bra then
    mov b32 $r2 0x64
    bra meet
  then:
    mov b32 $r2 0xc8
  meet:
    join add b32 $r2 $r2 $r1
  )" + std::string(finish),
           ".literal eight u32 8");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], (t < 8 ? 200 : 100) + t);
}

// Every order of paths and both kinds of join compute the same.
TEST_F(run_test, data_dependent_loops_do_not_depend_on_the_divergence_options) {
  const std::string body = R"(
    mov b32 $r2 0x0
    mov b32 $r3 $r1
    joinat done
  again:
    add b32 $r2 $r2 $r3
    sub b32 $c0 $r3 $r3 c1[one]
    (ge $c0) bra again
  done:
    join add b32 $r2 $r2 c1[one]
  )" + std::string(finish);
  for (const auto first : {first_path::last_in_program, first_path::taken, first_path::fall_through})
    for (const auto join : {join_moment::before, join_moment::after}) {
      options.divergence.first = first;
      options.divergence.join = join;
      run_well(body, ".literal one u32 1");
      for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t * (t + 1) / 2 + 1);
    }
}

TEST_F(run_test, functions_can_be_called_from_divergent_code) {
  run_well(R"(
    set $c0 # l u32 $r1 c1[eight]
    mov b32 $r2 $r1
    joinat meet
    (e $c0) bra meet
    call twice
  meet:
    join nop
    exit st b32 g14[$r20] $r2
  twice:
    add b32 $r2 $r2 $r2
    ret
  )",
           ".literal eight u32 8");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t < 8 ? 2 * t : t);
}

TEST_F(run_test, a_barrier_makes_shared_memory_of_other_warps_visible) {
  launch.block = {128, 1, 1};
  // Each thread passes its number to the thread opposite.
  run_well(R"(
    shl $a1 $r1 0x2
    st b32 s[$a1+buffer] $r1
    bar inc wait 0x0 0xfff
    xor b32 $r3 $r1 c1[last]
    shl $a2 $r3 0x2
    mov b32 $r2 b32 s[$a2+buffer]
  )" + std::string(finish),
           ".shared buffer 512\n.literal last u32 127");
  for (std::uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], 127 - t);
}

TEST_F(run_test, finished_warps_do_not_delay_a_barrier) {
  launch.block = {96, 1, 1};
  run_well(R"(
    set $c0 # l u32 $r1 c1[limit]
    (e $c0) ret
    bar inc wait 0x0 0xfff
    mov b32 $r2 0x5
  )" + std::string(finish),
           ".literal limit u32 64");
  EXPECT_EQ(out[0], 5u);
  EXPECT_EQ(out[63], 5u);
  EXPECT_EQ(out[64], 0u);
}

TEST_F(run_test, warps_at_different_barriers_are_a_deadlock) {
  launch.block = {64, 1, 1};
  const run_result r = run(R"(
    set $c0 # l u32 $r1 c1[limit]
    (e $c0) bra other
    bar inc wait 0x1 0xfff
    exit nop
  other:
    bar inc wait 0x2 0xfff
    exit nop
  )",
                           ".literal limit u32 32");
  EXPECT_EQ(r.fault.kind, fault_kind::deadlock);
  EXPECT_NE(r.fault.detail.find("0 at barrier 1, 1 at barrier 2"), std::string::npos) << r.fault.detail;
}

TEST_F(run_test, a_barrier_in_divergent_code_is_a_fault) {
  const run_result r = run(R"(
    set $c0 # l u32 $r1 c1[limit]
    (lg $c0) bra other
    bar inc wait 0x0 0xfff
    exit nop
  other:
    exit nop
  )",
                           ".literal limit u32 8");
  EXPECT_EQ(r.fault.kind, fault_kind::none) << "the side that runs first has ended: the warp is converged again";
  options.divergence.first = first_path::fall_through;
  EXPECT_EQ(
      run("set $c0 # l u32 $r1 c1[limit]\n(lg $c0) bra other\nbar inc wait 0x0 0xfff\nexit nop\nother:\nexit nop",
          ".literal limit u32 8")
          .fault.kind,
      fault_kind::divergent_barrier);
}

TEST_F(run_test, a_fault_names_its_place) {
  launch.grid = {1, 2};
  launch.block = {64, 1, 1};
  const run_result r = run(R"(
    set $c0 # e u32 $r1 c1[who]
    mov b32 $r3 0x40
    (lg $c0) st b32 g14[$r3] $r1
    exit nop
  )",
                           ".literal who u32 35");
  EXPECT_EQ(r.fault.kind, fault_kind::unmapped_address);
  EXPECT_EQ(r.fault.kernel, "test");
  EXPECT_EQ(r.fault.block_x, 0u);
  EXPECT_EQ(r.fault.block_y, 0u);
  EXPECT_EQ(r.fault.warp, 1u);
  EXPECT_EQ(r.fault.lanes, 8u);
  EXPECT_EQ(r.fault.address, 0x40u);
  EXPECT_EQ(r.fault.pc, 5 * 8u);
  EXPECT_EQ(r.fault.line, 11u);
  EXPECT_EQ(describe(r.fault),
            "unmapped address in kernel 'test' at 0x28 (line 11), block (0, 0), warp 1, lanes 0x00000008, address "
            "0x00000040: (lg $c0) st b32 g14[$r3] $r1");
}

TEST_F(run_test, misaligned_accesses_fault) {
  EXPECT_EQ(fault_of("add b32 $r20 $r20 0x2\nst b32 g14[$r20] $r1\nexit nop"), fault_kind::misaligned_address);
  EXPECT_EQ(fault_of("st b16 s[argument+2] $r1l\nexit nop"), fault_kind::none);
}

TEST_F(run_test, control_faults_are_reported) {
  EXPECT_EQ(fault_of("join nop\nexit nop"), fault_kind::stack_underflow);
  EXPECT_EQ(fault_of("trap\nexit nop"), fault_kind::trap);
  EXPECT_EQ(fault_of("brkpt\nexit nop"), fault_kind::breakpoint);
  EXPECT_EQ(fault_of("break\nexit nop"), fault_kind::stack_underflow);
  EXPECT_EQ(fault_of(".word 0x11000003 0x780\nexit nop"), fault_kind::invalid_pc) << "bra 0x8000";
  const run_result r = run(".word 0x00000001 0x80000000\nexit nop");
  EXPECT_EQ(r.fault.kind, fault_kind::illegal_instruction);
  EXPECT_FALSE(r.fault.detail.empty());
}

TEST_F(run_test, texture_fetches_without_textures_fault) {
  EXPECT_EQ(fault_of("texfetch all $r4:$r5:$r6:$r7 $t0 $s0 $r4 0x0 0x0 0x0\nexit nop"),
            fault_kind::texture_not_bound);
}

TEST_F(run_test, the_watchdog_ends_endless_loops) {
  options.instruction_limit = 1000;
  const run_result r = run("here: bra here");
  EXPECT_EQ(r.fault.kind, fault_kind::instruction_limit);
  EXPECT_EQ(r.counters.warp_instructions, 1000u);
  EXPECT_EQ(r.fault.disassembly, "bra 0x18");
}

TEST_F(run_test, a_lock_that_is_never_released_is_named) {
  options.instruction_limit = 10000;
  launch.block = {64, 1, 1};
  const run_result r = run(R"(
  again:
    ld lock $c0 $r3 b32 s[argument]
    (e $c0) bra again
    exit nop
  )");
  EXPECT_EQ(r.fault.kind, fault_kind::instruction_limit);
  EXPECT_NE(r.fault.detail.find("warp 0 holds the lock of s[20]"), std::string::npos) << r.fault.detail;
}

TEST_F(run_test, counters_count_what_was_executed) {
  const run_result r = run("set $c0 # l u32 $r1 c1[eight]\n(lg $c0) mov b32 $r2 $r1\n" + std::string(finish),
                           ".literal eight u32 8");
  EXPECT_EQ(r.counters.warp_instructions, 6u);
  EXPECT_EQ(r.counters.thread_instructions, 5u * 32 + 8);
  EXPECT_EQ(r.counters.per_opcode[static_cast<std::size_t>(isa::tesla::opcode::st_global)], 1u);
  EXPECT_EQ(r.counters.per_unit[static_cast<std::size_t>(isa::unit_class::memory)], 1u);
  EXPECT_EQ(r.counters.per_unit[static_cast<std::size_t>(isa::unit_class::sp)], 5u);
}

TEST_F(run_test, an_observer_sees_instructions_in_order_with_their_results) {
  struct recorder : run_observer {
    void retired(const step_record& r, const block_state&) override {
      pcs.push_back(r.pc);
      if (isa::tesla::as_tesla(*r.instruction).op == isa::tesla::opcode::st_global) {
        address = r.values.address.lane[3];
        data = r.values.source[1][0].lane[3];
      }
    }
    std::vector<isa::code_address> pcs;
    std::uint32_t address = 0, data = 0;
  } seen;
  observer = &seen;
  run_well("mov b32 $r2 $r1\n" + std::string(finish));
  EXPECT_EQ(seen.pcs, (std::vector<isa::code_address>{0, 8, 16, 24, 32}));
  EXPECT_EQ(seen.address, out_address + 12);
  EXPECT_EQ(seen.data, 3u);
}

TEST_F(run_test, vote_sees_the_active_lanes) {
  run_well(R"(
    set $c0 # l u32 $r1 c1[eight]
    (lg $c0) vote any $c1
    (lg $c0) vote all $c2
    mov b32 $r2 0x0
    (l $c1) add b32 $r2 $r2 c1[one]
    (l $c2) add b32 $r2 $r2 c1[two]
  )" + std::string(finish),
           ".literal eight u32 8\n.literal one u32 1\n.literal two u32 2");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 1u);
}

}  // namespace
}  // namespace gt200::emulator
