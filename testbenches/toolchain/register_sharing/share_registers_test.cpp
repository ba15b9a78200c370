// The pass that makes warps share registers over time: what it inserts, what it refuses, and that a rewritten
// program computes the same in the emulator, which finds a use of what is lost.
#include "toolchain/register_sharing/share_registers.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "testbenches/support/pressure_program.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/grid_run.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/launch/shared_section.h"
#include "toolchain/register_sharing/insert_sections.h"

namespace gt200::register_sharing {
namespace {

using arch_state::fault_kind;

constexpr std::uint32_t out_address = 0x100000, in_address = 0x200000, words = 2048;

std::string program(const std::string& body) {
  return ".target sm_13\n.entry test\n.param u32 out\n.param u32 in\n"
         "  mov b16 $r0h u16 s[%ntid.x]\n"
         "  cvt u32 $r1 u16 $r0l\n"
         "  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1\n"
         "  shl b32 $r2 $r0 0x2\n"
         "  add b32 $r3 b32 s[in] $r2\n"
         "  add b32 $r4 b32 s[out] $r2\n" +
         body + "\n.end\n";
}

struct outcome {
  arch_state::fault fault;
  std::vector<std::uint32_t> out;
};

outcome run(const cubin::module& module, unsigned blocks, unsigned threads,
            const arch_state::tesla::divergence_options& divergence = {}) {
  const cubin::kernel& kernel = module.kernels[0];
  launch::launch_parameters launch{&kernel, {blocks, 1}, {threads, 1, 1}, 0, std::vector<std::uint8_t>(8), 0};
  std::memcpy(launch.parameter_bytes.data(), &out_address, 4);
  std::memcpy(launch.parameter_bytes.data() + 4, &in_address, 4);
  arch_state::memory global;
  EXPECT_TRUE(global.map(out_address, 4 * words) && global.map(in_address, 4 * words));
  for (std::uint32_t i = 0; i < words; ++i) {
    const std::uint32_t value = arch_state::mix_bits(i + 1);
    EXPECT_TRUE(global.write(in_address + 4 * i, &value, 4));
  }
  emulator::run_options options;
  options.divergence = divergence;
  const emulator::code_image code(kernel);
  const emulator::constant_memory constants(module, kernel, {});
  outcome result{emulator::run(launch, code, constants, global, options).fault, {}};
  result.out.resize(words);
  EXPECT_TRUE(global.read(out_address, result.out.data(), 4 * words));
  return result;
}

residency unlimited(unsigned) { return {32, 32}; }

shared_kernel share(cubin::module& module, unsigned base) {
  return share_registers(module, module.kernels[0], base, unlimited);
}

unsigned count(const cubin::kernel& kernel, isa::section_action action) {
  unsigned found = 0;
  for (std::size_t i = 0; i < kernel.code.size(); i += isa::tesla::length_of(kernel.code[i]) / 4) {
    isa::tesla::decode_error error;
    const auto instruction =
        isa::tesla::decode(kernel.code[i], i + 1 < kernel.code.size() ? kernel.code[i + 1] : 0, error);
    if (instruction && instruction->section.action == action) ++found;
  }
  return found;
}

// Six values at once, then the sum alone.
constexpr const char* one_peak = R"(
  add b32 $r5 $r1 0x1
  add b32 $r6 $r1 0x2
  add b32 $r7 $r1 0x3
  add b32 $r8 $r1 0x4
  add b32 $r9 $r1 0x5
  add b32 $r5 $r5 $r6
  add b32 $r5 $r5 $r7
  add b32 $r5 $r5 $r8
  add b32 $r5 $r5 $r9
  bar inc wait 0x0 0xfff
  st b32 g14[$r4] $r5
  exit nop
)";

TEST(share_registers_test, a_peak_is_enclosed_and_computes_the_same) {
  cubin::module module = assembler::assemble(program(one_peak), "test.s");
  const outcome before = run(module, 2, 64);
  const shared_kernel shared = share(module, 5);
  EXPECT_EQ(shared.reason, "");
  EXPECT_EQ(shared.base, 5u);
  EXPECT_EQ(count(module.kernels[0], isa::section_action::acquire), 1u);
  EXPECT_EQ(count(module.kernels[0], isa::section_action::release), 1u);
  EXPECT_EQ(launch::shared_section(module.kernels[0]).first, 5u);
  EXPECT_EQ(launch::shared_section(module.kernels[0]).count, 5u);
  const outcome after = run(module, 2, 64);
  EXPECT_EQ(arch_state::describe(after.fault), "no fault");
  EXPECT_EQ(after.out, before.out);
}

TEST(share_registers_test, a_value_in_a_high_register_moves_down_before_the_release) {
  std::string text = one_peak;
  // The sum is in $r9 instead.
  for (std::size_t at = 0; (at = text.find("add b32 $r5 $r5", at)) != std::string::npos; at += 5)
    text.replace(at, 15, "add b32 $r9 $r9");
  text.replace(text.find("$r9 $r9 $r9"), 11, "$r9 $r9 $r5");
  text.replace(text.find("g14[$r4] $r5"), 12, "g14[$r4] $r9");
  cubin::module module = assembler::assemble(program(text), "test.s");
  const outcome before = run(module, 1, 64);
  const shared_kernel shared = share(module, 5);
  EXPECT_EQ(shared.reason, "");
  EXPECT_GE(shared.moves, 1u);
  const outcome after = run(module, 1, 64);
  EXPECT_EQ(arch_state::describe(after.fault), "no fault");
  EXPECT_EQ(after.out, before.out);
}

TEST(share_registers_test, a_base_below_what_lives_at_a_barrier_is_refused) {
  cubin::module module = assembler::assemble(program(R"(
  add b32 $r5 $r1 0x1
  add b32 $r6 $r1 0x2
  add b32 $r7 $r1 0x3
  bar inc wait 0x0 0xfff
  add b32 $r5 $r5 $r6
  add b32 $r5 $r5 $r7
  st b32 g14[$r4] $r5
  exit nop
)"),
                                             "test.s");
  const std::vector<std::uint32_t> code = module.kernels[0].code;
  const shared_kernel refused = share(module, 3);
  EXPECT_EQ(refused.base, 0u);
  EXPECT_NE(refused.reason.find("at a barrier"), std::string::npos) << refused.reason;
  EXPECT_EQ(module.kernels[0].code, code) << "a refused kernel stays as it was";
}

TEST(share_registers_test, targets_and_lines_follow_their_instructions) {
  cubin::module module = assembler::assemble(program(R"(
  mov b32 $r12 0x3
again:
  add b32 $r5 $r1 0x1
  add b32 $r6 $r1 0x2
  add b32 $r7 $r1 0x3
  add b32 $r8 $r1 0x4
  add b32 $r9 $r12 0x5
  add b32 $r5 $r5 $r6
  add b32 $r5 $r5 $r7
  add b32 $r5 $r5 $r8
  add b32 $r5 $r5 $r9
  ld b32 $r6 g14[$r4]
  add b32 $r6 $r6 $r5
  st b32 g14[$r4] $r6
  sub b32 $r12 $r12 0x1
  mov b32 $r6 0x0
  set $c0 # lg u32 $r12 $r6
  ld b32 $r6 g14[$r4]
  st b32 g14[$r4] $r6
  ld b32 $r6 g14[$r4]
  st b32 g14[$r4] $r6
  ld b32 $r6 g14[$r4]
  st b32 g14[$r4] $r6
  ld b32 $r6 g14[$r4]
  st b32 g14[$r4] $r6
  (lg $c0) bra again
  exit nop
)"),
                                             "test.s");
  const outcome before = run(module, 1, 64);
  const cubin::kernel old = module.kernels[0];
  const shared_kernel shared = share(module, 6);
  EXPECT_EQ(shared.reason, "");
  EXPECT_GT(shared.acquires, 0u);
  const outcome after = run(module, 1, 64);
  EXPECT_EQ(arch_state::describe(after.fault), "no fault");
  EXPECT_EQ(after.out, before.out);
  const cubin::kernel& kernel = module.kernels[0];
  EXPECT_GT(kernel.code.size(), old.code.size());
  // Every old line is still there, and none is new.
  std::set<std::uint32_t> lines, old_lines;
  for (const cubin::source_line& l : kernel.lines) lines.insert(l.line);
  for (const cubin::source_line& l : old.lines) old_lines.insert(l.line);
  EXPECT_EQ(lines, old_lines);
}

TEST(share_registers_test, occupancy_chooses_the_base_or_leaves_the_kernel) {
  cubin::module module = assembler::assemble(program(one_peak), "test.s");
  const cubin::module unchanged = module;
  const shared_kernel none = share_registers(module, module.kernels[0], {}, unlimited);
  EXPECT_EQ(none.base, 0u);
  EXPECT_EQ(none.reason, "no smaller number of registers lets more warps be resident");
  EXPECT_EQ(module.kernels[0].code, unchanged.kernels[0].code);
  const shared_kernel chosen = share_registers(module, module.kernels[0], {}, [](unsigned base) {
    return residency{base <= 5 ? 32u : 16u, 20};
  });
  EXPECT_EQ(chosen.base, 5u) << chosen.reason;
}

TEST(share_registers_test, kernels_that_cannot_share_say_why) {
  cubin::module module = assembler::assemble(program(one_peak), "test.s");
  EXPECT_EQ(share(module, 10).reason, "it has 10 registers, of which a warp can keep 1 to 9");
  module.capability = 20;
  EXPECT_EQ(share(module, 5).reason, "its code is for sm_20; registers are shared in code of sm_10 to sm_13");
  module.capability = 13;
  EXPECT_EQ(share(module, 5).reason, "");
  EXPECT_EQ(share(module, 5).reason, "its warps share registers already");
}

TEST(share_registers_test, sections_of_a_kernel_agree) {
  const auto of = [](const std::string& code) {
    return launch::shared_section(
        assembler::assemble(program("  mov b32 $r9 0x1\n" + code + "  exit nop\n"), "t.s").kernels[0]);
  };
  EXPECT_EQ(of("").count, 0u);
  EXPECT_EQ(of("  regacquire $r8 0x2\n  regrelease $r8 0x2\n").first, 8u);
  EXPECT_THROW(of("  regacquire $r8 0x2\n  regrelease $r7 0x3\n"), input_error);
  EXPECT_THROW(of("  regacquire $r7 0x2\n"), input_error) << "not the last registers";
}

TEST(share_registers_test, the_emulator_finds_wrong_use_of_sections) {
  const auto fault_of = [](const std::string& code) {
    const cubin::module module = assembler::assemble(program(code + "  st b32 g14[$r4] $r5\n  exit nop\n"), "t.s");
    return run(module, 1, 64).fault;
  };
  EXPECT_EQ(
      fault_of("  regacquire $r8 0x1\n  add b32 $r8 $r1 0x1\n  add b32 $r5 $r8 0x1\n  regrelease $r8 0x1\n").kind,
      fault_kind::none);
  EXPECT_EQ(fault_of("  regrelease $r8 0x1\n  regacquire $r8 0x1\n  regacquire $r8 0x1\n  add b32 $r8 $r1 0x1\n"
                     "  add b32 $r5 $r8 0x1\n  regrelease $r8 0x1\n  regrelease $r8 0x1\n")
                .kind,
            fault_kind::none)
      << "what is held is acquired in vain, what is not is released in vain";
  const arch_state::fault unheld = fault_of("  add b32 $r8 $r1 0x1\n  regrelease $r8 0x1\n");
  EXPECT_EQ(unheld.kind, fault_kind::section_not_held);
  EXPECT_EQ(unheld.line, 11u);
  EXPECT_EQ(fault_of("  regacquire $r8 0x1\n  add b32 $r8 $r1 0x1\n").kind, fault_kind::section_kept);
  EXPECT_EQ(fault_of("  regacquire $r8 0x1\n  add b32 $r8 $r1 0x1\n  regrelease $r8 0x1\n  regacquire $r8 0x1\n"
                     "  add b32 $r5 $r8 0x1\n  regrelease $r8 0x1\n")
                .kind,
            fault_kind::section_unwritten);
}

// Code of which some lanes alone take the result executes in all of them (compilers make it of `if`).
TEST(share_registers_test, lanes_may_calculate_with_what_they_do_not_use) {
  const auto fault_of = [](const std::string& code) {
    const cubin::module module = assembler::assemble(
        program("  regacquire $r8 0x1\n  mov b32 $r5 $r1\n  and b32 $r6 $r1 0x1\n  mov b32 $r7 0x0\n"
                "  set $c0 # lg u32 $r6 $r7\n  (lg $c0) mov b32 $r8 $r1\n  add b32 $r8 $r8 0x1\n  add b32 $r6 $r8 "
                "$r8\n" +
                code + "  regrelease $r8 0x1\n  st b32 g14[$r4] $r5\n  exit nop\n"),
        "t.s");
    return run(module, 1, 64).fault;
  };
  EXPECT_EQ(fault_of("  (lg $c0) mov b32 $r5 $r6\n").kind, fault_kind::none);
  const arch_state::fault stored = fault_of("  mov b32 $r5 $r6\n");
  EXPECT_EQ(stored.kind, fault_kind::section_unwritten);
  EXPECT_EQ(stored.lanes, 0x55555555u) << "the even threads";
  EXPECT_EQ(fault_of("  ld b32 $r5 g14[$r6]\n").kind, fault_kind::section_unwritten) << "an address";
  EXPECT_EQ(fault_of("  shl $a1 $r6 0x2\n").kind, fault_kind::section_unwritten) << "an address register";
  const std::string compare = "  set $c1 # lg u32 $r6 $r7\n";
  EXPECT_EQ(fault_of(compare).kind, fault_kind::none) << "nobody asks";
  EXPECT_EQ(fault_of(compare + "  (lg $c1) mov b32 $r5 $r7\n").kind, fault_kind::section_unwritten) << "a guard";
}

// A plan that forgets that a value lives loses it at a release. The run finds that.
TEST(share_registers_test, a_wrong_live_set_is_found) {
  const cubin::module module = assembler::assemble(program(R"(
  add b32 $r9 $r1 0x6
  add b32 $r5 $r1 0x1
  add b32 $r6 $r1 0x2
  add b32 $r7 $r1 0x3
  add b32 $r8 $r1 0x4
  add b32 $r5 $r5 $r6
  add b32 $r5 $r5 $r7
  add b32 $r5 $r5 $r8
  bar inc wait 0x0 0xfff
  add b32 $r6 $r5 0x1
  add b32 $r7 $r5 0x2
  add b32 $r8 $r5 0x3
  add b32 $r5 $r9 $r5
  add b32 $r5 $r6 $r5
  add b32 $r5 $r7 $r5
  add b32 $r5 $r8 $r5
  st b32 g14[$r4] $r5
  exit nop
)"),
                                                   "test.s");
  analysed_code code(module.kernels[0]);
  const auto faults = [&](analysed_code& analysed) {
    cubin::module rewritten = module;
    insert_sections(analysed, plan_sections(analysed, 5), rewritten.kernels[0]);
    return run(rewritten, 1, 64).fault.kind;
  };
  EXPECT_EQ(faults(code), fault_kind::none);
  // $r9 is forgotten from the barrier on.
  bool behind = false;
  for (std::size_t n = 0; n < code.graph.size(); ++n) {
    behind |= code.graph.nodes[n].instruction.unit == isa::unit_class::barrier;
    if (!behind) continue;
    code.life[n].before.reset(9);
    code.life[n].after.reset(9);
  }
  EXPECT_EQ(faults(code), fault_kind::section_unwritten);
}

TEST(share_registers_test, random_programs_compute_the_same_with_any_base) {
  unsigned rewritten = 0, moves = 0, refused = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const support::pressure_program p = support::make_pressure_program(seed);
    const cubin::module original = assembler::assemble(program(p.body), "random.s");
    const outcome expected = run(original, p.blocks, p.threads);
    ASSERT_EQ(arch_state::describe(expected.fault), "no fault") << p.body;
    for (const unsigned base : {10u, 12u, 14u, 17u, 20u}) {
      cubin::module module = original;
      if (base >= module.kernels[0].registers) continue;
      const shared_kernel shared = share(module, base);
      if (shared.base == 0) {
        ++refused;
        continue;
      }
      ++rewritten;
      moves += shared.moves;
      for (const auto mechanism :
           {arch_state::tesla::stack_mechanism::typed_tokens, arch_state::tesla::stack_mechanism::pdom}) {
        arch_state::tesla::divergence_options divergence;
        divergence.first = static_cast<arch_state::tesla::first_path>((seed + base) % 3);
        divergence.mechanism = mechanism;
        const outcome got = run(module, p.blocks, p.threads, divergence);
        ASSERT_EQ(arch_state::describe(got.fault), "no fault") << "seed " << seed << " base " << base << "\n"
                                                               << p.body;
        ASSERT_EQ(got.out, expected.out) << "seed " << seed << " base " << base << "\n" << p.body;
      }
    }
  }
  EXPECT_GT(rewritten, 200u);
  EXPECT_GT(moves, 100u);
  RecordProperty("refused", static_cast<int>(refused));
}

}  // namespace
}  // namespace gt200::register_sharing
