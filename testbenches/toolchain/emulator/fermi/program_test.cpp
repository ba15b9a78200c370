// Small sm_20 programs in the emulator: divergence step by step, barriers with results, generic addresses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/emulator/fermi/grid_run.h"
#include "toolchain/isa/fermi/codec.h"

namespace gt200::emulator::fermi {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t buffer = 0x1000;

// One instruction per line, 8 bytes each.
cubin::kernel assembled(const std::string& text) {
  cubin::kernel k;
  k.name = "program";
  k.registers = 16;
  k.parameter_base = cubin::fermi_parameter_base;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    std::string label;
    isa::fermi::decode_error error;
    const auto at = static_cast<isa::code_address>(4 * k.code.size());
    const auto i = isa::fermi::parse(line, at, label, error);
    if (!i) throw std::runtime_error(line + ": " + error.reason);
    k.code.insert(k.code.end(), {i->words[0], i->words[1]});
  }
  return k;
}

// Program counter and active lanes of each step.
struct visit {
  isa::code_address pc;
  isa::lane_mask active;
  bool operator==(const visit& o) const { return pc == o.pc && active == o.active; }
  friend std::ostream& operator<<(std::ostream& s, const visit& v) {
    return s << std::hex << "{0x" << v.pc << ", 0x" << v.active << "}" << std::dec;
  }
};

class recorder : public run_observer {
 public:
  void retired(const step_record& r, const block& b) override {
    visits.push_back({r.pc, r.active});
    for (unsigned lane = 0; lane < 8; ++lane) r5[lane] = b.registers(r.warp).gpr(5)[lane];
  }
  std::vector<visit> visits;
  std::array<std::uint32_t, 8> r5{};
};

struct outcome {
  run_result result;
  recorder log;
  std::vector<std::uint32_t> memory;
};

outcome run_program(const std::string& text, std::uint32_t threads, std::uint32_t shared = 0,
                    std::uint32_t local = 0, const std::vector<std::uint8_t>& literals = {}) {
  cubin::module module;
  module.capability = 20;
  module.kernels = {assembled(text)};
  module.kernels[0].shared_bytes = shared;
  module.kernels[0].local_bytes = local;
  module.kernels[0].constants = {{"", 16, 0, static_cast<std::uint32_t>(literals.size()), literals}};
  launch::fermi::launch_parameters l;
  l.kernel = &module.kernels[0];
  l.block = {threads, 1, 1};
  const std::uint32_t parameter = buffer;
  l.parameter_bytes.resize(4);
  std::memcpy(l.parameter_bytes.data(), &parameter, 4);
  arch_state::memory memory;
  memory.map(buffer, 0x1000);
  const arch_state::fermi::generation generation;
  run_options options;
  options.instruction_limit = 10000;
  outcome o;
  o.result = run(module, l, {}, generation, memory, options, &o.log);
  o.memory.resize(threads);
  memory.read(buffer, o.memory.data(), 4 * o.memory.size());
  return o;
}

// Lanes below `limit` take the branch.
std::string if_else(unsigned limit) {
  return "mov b32 $r0 $tidx\n"  // 00
         "set $p0 $p7 lt u32 $r0 " +
         std::to_string(limit) +
         "\n"                      // 08
         "joinat 0x40\n"           // 10
         "$p0 bra 0x30\n"          // 18
         "mov b32 $r5 0x2\n"       // 20
         "join nop\n"              // 28
         "mov b32 $r5 0x1\n"       // 30
         "join nop\n"              // 38
         "add b32 $r5 $r5 0x10\n"  // 40
         "exit\n";
}

TEST(fermi_program, a_divergent_branch_runs_its_fall_through_side_first) {
  const outcome o = run_program(if_else(3), 8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.visits, ElementsAre(visit{0x00, 0xff}, visit{0x08, 0xff}, visit{0x10, 0xff}, visit{0x18, 0xff},
                                        visit{0x20, 0xf8}, visit{0x28, 0xf8}, visit{0x30, 0x07}, visit{0x38, 0x07},
                                        visit{0x40, 0xff}, visit{0x48, 0xff}));
  EXPECT_THAT(o.log.r5, ElementsAre(0x11, 0x11, 0x11, 0x12, 0x12, 0x12, 0x12, 0x12));
}

TEST(fermi_program, a_branch_that_no_lane_takes_pops_the_region_at_the_first_join) {
  const outcome o = run_program(if_else(0), 8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.visits,
              ElementsAre(visit{0x00, 0xff}, visit{0x08, 0xff}, visit{0x10, 0xff}, visit{0x18, 0xff},
                          visit{0x20, 0xff}, visit{0x28, 0xff}, visit{0x40, 0xff}, visit{0x48, 0xff}));
}

TEST(fermi_program, a_branch_that_all_lanes_take_skips_the_other_side) {
  const outcome o = run_program(if_else(8), 8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.visits,
              ElementsAre(visit{0x00, 0xff}, visit{0x08, 0xff}, visit{0x10, 0xff}, visit{0x18, 0xff},
                          visit{0x30, 0xff}, visit{0x38, 0xff}, visit{0x40, 0xff}, visit{0x48, 0xff}));
}

TEST(fermi_program, a_branch_of_the_whole_warp_is_taken_by_all_lanes_or_by_none) {
  const auto visits_with = [](const std::string& limit) {
    const outcome o = run_program(
        "mov b32 $r0 $tidx\n"  // 00
        "set $p0 $p7 lt u32 $r0 " +
            limit +
            "\n"                      // 08
            "$p0 bra allwarp 0x20\n"  // 10
            "mov b32 $r5 0x1\n"       // 18
            "exit\n",                 // 20
        8);
    EXPECT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
    return o.log.visits;
  };
  EXPECT_THAT(visits_with("0x3"), ElementsAre(visit{0x00, 0xff}, visit{0x08, 0xff}, visit{0x10, 0xff},
                                              visit{0x18, 0xff}, visit{0x20, 0xff}));
  EXPECT_THAT(visits_with("0x8"),
              ElementsAre(visit{0x00, 0xff}, visit{0x08, 0xff}, visit{0x10, 0xff}, visit{0x20, 0xff}));
}

TEST(fermi_program, a_guarded_join_takes_only_its_lanes_away) {
  // A loop of as many rounds as the lane number says; lanes leave by a guarded .S.
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"           // 00
      "mov b32 $r5 0x0\n"             // 08
      "joinat 0x38\n"                 // 10
      "set $p0 $p7 ge u32 $r5 $r0\n"  // 18
      "join $p0 nop\n"                // 20
      "add b32 $r5 $r5 0x1\n"         // 28
      "bra 0x18\n"                    // 30
      "exit\n",                       // 38
      8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.r5, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(o.log.visits.back(), (visit{0x38, 0xff}));
}

TEST(fermi_program, lanes_that_break_wait_for_the_others_of_the_loop) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"           // 00
      "mov b32 $r5 0x0\n"             // 08
      "prebrk 0x38\n"                 // 10
      "set $p0 $p7 ge u32 $r5 $r0\n"  // 18
      "$p0 brk\n"                     // 20
      "add b32 $r5 $r5 0x1\n"         // 28
      "bra 0x18\n"                    // 30
      "exit\n",                       // 38
      8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.r5, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(o.log.visits.back(), (visit{0x38, 0xff}));
}

TEST(fermi_program, lanes_that_continue_start_the_next_round_together) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"           // 00
      "mov b32 $r5 0x0\n"             // 08
      "prebrk 0x48\n"                 // 10
      "precont 0x18\n"                // 18
      "add b32 $r5 $r5 0x1\n"         // 20
      "set $p0 $p7 ge u32 $r5 $r0\n"  // 28
      "$p0 brk\n"                     // 30
      "cont\n"                        // 38
      "exit\n"                        // 40, not reached
      "exit\n",                       // 48
      8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.r5, ElementsAre(1, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(o.log.visits.back(), (visit{0x48, 0xff}));
}

TEST(fermi_program, a_branch_with_a_table_splits_the_lanes_by_target) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"          // 00
      "and b32 $r1 $r0 0x1\n"        // 08
      "shl b32 $r1 $r1 clamp 0x2\n"  // 10
      "joinat 0x48\n"                // 18
      "bra pcrel c16[$r1]\n"         // 20
      "mov b32 $r5 0x1\n"            // 28
      "join nop\n"                   // 30
      "mov b32 $r5 0x2\n"            // 38
      "join nop\n"                   // 40
      "exit\n",                      // 48
      8, 0, 0, {0, 0, 0, 0, 0x10, 0, 0, 0});
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_THAT(o.log.r5, ElementsAre(1, 2, 1, 2, 1, 2, 1, 2));
  EXPECT_EQ(o.log.visits.back(), (visit{0x48, 0xff}));
}

TEST(fermi_program, lanes_that_exit_are_not_waited_for) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"           // 00
      "set $p0 $p7 lt u32 $r0 0x4\n"  // 08
      "joinat 0x28\n"                 // 10
      "$p0 exit\n"                    // 18
      "join mov b32 $r5 0x7\n"        // 20
      "exit\n",                       // 28
      8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_EQ(o.log.visits.back(), (visit{0x28, 0xf0}));
}

TEST(fermi_program, a_call_returns_behind_itself) {
  const outcome o = run_program(
      "mov b32 $r5 0x1\n"      // 00
      "call 0x18\n"            // 08
      "exit\n"                 // 10
      "add b32 $r5 $r5 0x1\n"  // 18
      "ret\n",                 // 20
      8);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_EQ(o.log.r5[0], 2u);
}

TEST(fermi_program, a_barrier_counts_the_threads_whose_predicate_is_true) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"
      "set $p0 $p7 lt u32 $r0 0x28\n"  // 40 of 64 threads
      "bar popc $p1 $r5 $r63 $r63 $p0\n"
      "add b32 $r1 (shl $r0 0x2) c0[0x20]\n"
      "st b32 wb g[$r1] $r5\n"
      "exit\n",
      64);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  EXPECT_EQ(o.memory, std::vector<std::uint32_t>(64, 40));
}

TEST(fermi_program, a_barrier_beyond_those_of_the_kernel_is_a_fault) {
  const outcome o =
      run_program("nop\nbar popc $p7 $r63 0x1 $r63 $p7\nexit\n", 32);  // the kernel has barrier 0 alone
  EXPECT_EQ(o.result.fault.kind, arch_state::fault_kind::barrier_not_allocated);
  EXPECT_EQ(o.result.fault.pc, 8u);
}

TEST(fermi_program, a_constant_before_its_space_lies_outside) {
  const outcome o = run_program("long mov b32 $r0 -0x4\nld b32 $r5 c16[$r0]\nexit\n", 8, 0, 0, {1, 2, 3, 4});
  EXPECT_EQ(o.result.fault.kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(o.result.fault.address, 0xfffffffcu);
}

TEST(fermi_program, an_instruction_within_another_is_illegal) {
  const outcome o = run_program("bra 0x4\nexit\n", 8);
  EXPECT_EQ(o.result.fault.kind, arch_state::fault_kind::illegal_instruction);
  EXPECT_EQ(o.result.fault.detail, "the address is not a multiple of 8");
}

TEST(fermi_program, the_limit_of_instructions_names_the_next_one) {
  const outcome o = run_program("bra 0x0\nexit\n", 8);
  EXPECT_EQ(o.result.fault.kind, arch_state::fault_kind::instruction_limit);
  EXPECT_EQ(o.result.fault.disassembly.substr(0, 3), "bra");
  EXPECT_EQ(o.result.fault.detail.rfind("10000 warp instructions; warps 0 at 0x0", 0), 0u) << o.result.fault.detail;
}

TEST(fermi_program, generic_addresses_reach_shared_and_local_memory) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"
      "shl b32 $r2 $r0 clamp 0x2\n"
      "st b32 s[$r2] $r0\n"  // s[4 * tid] = tid
      "add b32 $r3 $r2 c0[0x0]\n"
      "ld b32 $r4 ca g[$r3]\n"  // from the window of shared memory
      "add b32 $r4 $r4 0x64\n"
      "st b32 wb l[0x8] $r4\n"
      "mov b32 $r3 c0[0x4]\n"
      "ld b32 $r5 ca g[$r3+0x8]\n"  // from the window of local memory
      "add b32 $r1 (shl $r0 0x2) c0[0x20]\n"
      "st b32 wb g[$r1] $r5\n"
      "exit\n",
      32, 128, 16);
  ASSERT_FALSE(o.result.fault) << arch_state::describe(o.result.fault);
  for (std::uint32_t thread = 0; thread < 32; ++thread) EXPECT_EQ(o.memory[thread], thread + 100);
}

TEST(fermi_program, an_address_above_32_bits_is_not_mapped) {
  const outcome o = run_program(
      "mov b32 $r2 c0[0x20]\n"
      "mov b32 $r3 0x1\n"
      "ld b32 $r5 ca g[$r2d]\n"
      "exit\n",
      32);
  EXPECT_EQ(o.result.fault.kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(o.result.fault.address, std::uint64_t{1} << 32 | buffer);
}

TEST(fermi_program, a_vote_gives_the_lanes_that_say_yes) {
  const outcome o = run_program(
      "mov b32 $r0 $tidx\n"
      "set $p0 $p7 ge u32 $r0 0x5\n"
      "vote any $r5 $p1 $p0\n"
      "exit\n",
      8);
  EXPECT_EQ(o.log.r5[0], 0xe0u);
}

}  // namespace
}  // namespace gt200::emulator::fermi
