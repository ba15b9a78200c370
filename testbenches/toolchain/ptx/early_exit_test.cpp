// Threads that exit early leave the others together: barriers behind them open, and votes are those of all threads
// that are left. Compiled code for every target, without and with optimisation, does what the interpreter does.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/random_run.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

constexpr unsigned threads = 64;

// %t0: the number of the thread; %r0: a word of its own, stored at the end; %flag: bit 0 of the thread's number.
std::string program_of(const std::string& body, const std::string& functions = "") {
  return ".version 3.1\n.target sm_20\n.address_size 64\n.shared .b32 exchange[64];\n" + functions +
         ".entry random (.param .u64 in, .param .u64 out, .param .u32 scale, .param .s16 small, .param .f32 "
         "factor)\n{\n"
         ".reg .u32 %t<8>; .reg .u32 %r<8>; .reg .u64 %in, %out, %a; .reg .pred %p, %q, %u, %flag;\n"
         "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t0, %tid.x;\n"
         "mul.wide.u32 %a, %t0, 32; add.u64 %in, %in, %a; mul.wide.u32 %a, %t0, 128; add.u64 %out, %out, %a;\n"
         "ld.global.u32 %r0, [%in]; ld.global.u32 %r1, [%in+4]; and.b32 %t1, %t0, 1; setp.ne.u32 %flag, %t1, 0;\n"
         "mov.u32 %t1, exchange; shl.b32 %t2, %t0, 2; add.u32 %t2, %t1, %t2; st.shared.u32 [%t2], %r0; bar.sync "
         "0;\n" +
         body + "st.global.u32 [%out], %r0;\nexit;\n}\n";
}

// All threads that are left are together: they vote and exchange words with their neighbours.
std::string meet(bool with_ballot = true) {
  return "st.shared.u32 [%t2], %r0; bar.sync 0; xor.b32 %t3, %t0, 1; shl.b32 %t3, %t3, 2; add.u32 %t3, %t1, %t3;\n"
         "ld.shared.u32 %t4, [%t3]; add.u32 %r0, %r0, %t4; bar.sync 0;\n" +
         std::string(with_ballot ? "vote.ballot.b32 %t5, %flag; xor.b32 %r0, %r0, %t5;\n" : "") +
         "vote.any.pred %q, %flag; @%q add.u32 %r0, %r0, 7;\n";
}

// %r0 takes as many rounds as the thread's number says, so threads come out of it at different times.
std::string rounds(const std::string& name) {
  return "and.b32 %t6, %t0, 7;\n" + name + ": setp.eq.u32 %p, %t6, 0; @%p bra " + name +
         "_END;\nmad.lo.u32 %r0, %r0, 3, 1; sub.u32 %t6, %t6, 1; bra " + name + ";\n" + name + "_END:\n";
}

// Exits behind a store that shows that the way was gone.
std::string leave(unsigned at) {
  return rounds("LEAVE" + std::to_string(at)) + "st.global.u32 [%out+" + std::to_string(4 * at) + "], %r0; exit;\n";
}

// One region in the other, more than a warp of Volta has convergence barriers.
std::string nested_regions(unsigned count) {
  std::string text, ends;
  for (unsigned n = 0; n < count; ++n) {
    const std::string label = "IN" + std::to_string(n);
    text += "shr.u32 %t7, %t0, " + std::to_string(n % 5) + "; and.b32 %t7, %t7, 3; setp.eq.u32 %p, %t7, " +
            std::to_string(n % 4) + "; @%p bra " + label + ";\nmad.lo.u32 %r0, %r0, 5, " + std::to_string(n) +
            ";\n";
    ends = label + ": add.u32 %r0, %r0, %t0;\n" + ends;
  }
  return text + ends;
}

struct early_exit {
  std::string name;
  std::string body;
  std::string functions = "";
};

void PrintTo(const early_exit& c, std::ostream* out) { *out << c.name; }

std::vector<early_exit> programs() {
  const std::string odd_third = "rem.u32 %t7, %t0, 3; setp.eq.u32 %p, %t7, 1;\n";
  const std::string second_warp = "setp.ge.u32 %p, %t0, 32;\n";
  const auto switch_with = [](const std::string& otherwise) {
    std::string text = "and.b32 %t7, %r1, 3;\n";
    for (const char* k : {"0", "1", "2"})
      text += std::string("setp.eq.u32 %p, %t7, ") + k + "; @%p bra CASE" + k + ";\n";
    text += otherwise;
    for (const char* k : {"0", "1", "2"})
      text += std::string("CASE") + k + ":\n" + rounds(std::string("R") + k) + "add.u32 %r0, %r0, " + k +
              "; bra END;\n";
    return text + "END:\n" + meet();
  };
  const std::string loop_with = "mov.u32 %t7, 0;\nLOOP: setp.eq.u32 %p, %t7, 9; @%p bra END;\n";
  const std::string loop_end = "add.u32 %t7, %t7, 1; bra LOOP;\nEND:\n";
  return {
      {"switch_whose_default_exits", switch_with("exit;\n")},
      {"switch_whose_default_stores_and_exits", switch_with(leave(1))},
      {"return_on_one_side", odd_third + "@!%p bra GO;\n" + leave(1) + "GO:\n" + meet()},
      {"return_at_once", odd_third + "@%p exit;\n" + meet() + odd_third + "@%p ret;\n" + rounds("A") + meet()},
      {"return_of_a_whole_warp", second_warp + "@!%p bra GO;\n" + leave(1) + "GO:\n" + meet()},
      {"return_in_a_nested_if", "@%flag bra ODD;\n" + rounds("A") + "bra END;\nODD: " + odd_third +
                                    "@!%p bra GO;\n" + leave(1) + "GO:\n" + rounds("B") + "END:\n" + meet()},
      {"returns_on_both_sides", "@%flag bra ODD;\n" + odd_third + "@!%p bra EVEN;\n" + leave(1) + "EVEN:\n" +
                                    rounds("A") + "bra END;\nODD: " + odd_third + "@!%p bra GO;\n" + leave(2) +
                                    "GO:\n" + rounds("B") + "END:\n" + meet()},
      {"a_region_that_all_leave", "@%flag bra ODD;\n" + rounds("A") + leave(1) + "ODD:\n" + rounds("B") + leave(2)},
      {"both_sides_of_a_uniform_branch_have_barriers_and_exit",
       second_warp + "@%p bra SECOND;\n" + meet() + leave(1) + "SECOND:\n" + meet() + leave(2)},
      {"return_in_a_loop", loop_with + "and.b32 %t6, %t0, 15; setp.eq.u32 %p, %t6, %t7; @!%p bra GO;\n" + leave(1) +
                               "GO: add.u32 %r0, %r0, %t7;\n" + loop_end + meet()},
      {"barriers_in_a_loop_that_threads_leave_by_return",
       loop_with +
           "and.b32 %t6, %t0, 15; setp.eq.u32 %p, %t6, %t7; @!%p bra GO;\nst.global.u32 [%out+4], %r0; exit;\n"
           "GO:\n" +
           meet() + loop_end + rounds("A")},
      {"barriers_in_a_loop_that_is_the_same_for_all_and_that_threads_leave_by_a_long_way",
       "mov.u32 %t7, 0;\nLOOP: setp.eq.u32 %u, %t7, 9; @%u bra END;\nand.b32 %t6, %t0, 15; setp.eq.u32 %p, %t6, "
       "%t7;\n"
       "@!%p bra GO;\n" +
           leave(1) + "GO:\n" + meet() + loop_end + meet()},
      {"a_loop_left_in_its_middle_and_by_return",
       loop_with +
           "and.b32 %t6, %r1, 15; setp.eq.u32 %p, %t6, %t7; @%p bra END;\nadd.u32 %r0, %r0, %t7;\n"
           "and.b32 %t6, %t0, 15; setp.eq.u32 %p, %t6, %t7; @!%p bra GO;\n" +
           leave(1) + "GO:\n" + loop_end + meet()},
      {"a_loop_left_by_return_alone", "mov.u32 %t7, 0;\nLOOP: setp.eq.u32 %p, %t7, 9; @!%p bra BODY;\n" + meet() +
                                          leave(1) +
                                          "BODY: add.u32 %r0, %r0, %t7; add.u32 %t7, %t7, 1; bra LOOP;\n"},
      {"a_return_that_several_regions_share",
       "@%flag bra ODD;\n" + rounds("A") + odd_third + "@%p bra FAIL;\nbra END;\nODD:\n" + rounds("B") +
           "setp.eq.u32 %p, %t0, 9; @%p bra FAIL;\nEND:\n" + meet() + "setp.eq.u32 %p, %t0, 20; @%p bra FAIL;\n" +
           rounds("C") + meet() + "bra LAST;\nFAIL:\n" + leave(1) + "LAST:\n"},
      {"return_that_shares_the_end", odd_third + "@%p bra END;\n" + rounds("A") + meet() + "END:\n" + rounds("B")},
      {"return_that_shares_the_end_in_a_nested_if", "@%flag bra ODD;\n" + rounds("A") +
                                                        "bra MET;\nODD: " + odd_third + "@%p bra END;\n" +
                                                        rounds("B") + "MET:\n" + meet() + "END:\n" + rounds("C")},
      {"return_that_shares_the_end_in_a_loop",
       "mov.u32 %t7, 0;\nLOOP: and.b32 %t6, %t0, 15; setp.eq.u32 %p, %t6, %t7; @%p bra END;\n" + meet() +
           "add.u32 %t7, %t7, 1; setp.ne.u32 %u, %t7, 9; @%u bra LOOP;\nEND:\n" + rounds("A")},
      {"regions_on_a_way_that_exits", odd_third + "@!%p bra GO;\n@%flag bra ODD;\n" + rounds("A") +
                                          "bra MET;\nODD:\n" + rounds("B") + "MET:\n" + leave(1) + "GO:\n" +
                                          meet()},
      {"a_long_way_that_exits_and_a_short_one_with_a_barrier", odd_third + "@!%p bra GO;\n" + rounds("A") +
                                                                   rounds("B") + rounds("C") + rounds("D") +
                                                                   leave(1) + "GO:\n" + meet()},
      {"more_regions_than_barriers", nested_regions(20) + meet()},
      {"a_function_that_returns_early_and_one_that_exits",
       "call (%r0), early, (%r0, %t0);\n" + meet() + "call (%r0), last, (%r0, %t0);\n" + meet(),
       ".func (.reg .u32 y) early (.reg .u32 x, .reg .u32 t)\n{\n.reg .pred p; .reg .u32 k; mov.u32 y, x;\n"
       "and.b32 k, t, 3; setp.eq.u32 p, k, 2; @p ret;\nL: setp.eq.u32 p, k, 0; @p bra M;\nadd.u32 y, y, k; "
       "sub.u32 k, k, 1; bra L;\nM: ret;\n}\n"
       ".func (.reg .u32 y) last (.reg .u32 x, .reg .u32 t)\n{\n.reg .pred p; .reg .u32 k; and.b32 k, t, 7;\n"
       "setp.eq.u32 p, k, 5; @!p bra L;\nmad.lo.u32 y, x, 3, t; exit;\nL: add.u32 y, x, k; ret;\n}\n"},
  };
}

class early_exits : public testing::TestWithParam<early_exit> {
 protected:
  static void expect_same(const random_program& program, unsigned capability) {
    const expected_run expected = expect_of(program, 1);
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.capability = capability;
      options.optimise = optimise;
      EXPECT_EQ(difference(expected, options), "") << "sm_" << capability << (optimise ? " -O2" : " -O0");
    }
  }
};

TEST_P(early_exits, leave_the_others_together) {
  const early_exit& c = GetParam();
  random_program program{program_of(c.body, c.functions), 1, threads};
  for (const unsigned capability : {20u, 70u}) expect_same(program, capability);
  // Tesla has no ballot.
  const std::string ballot = "vote.ballot.b32 %t5, %flag; xor.b32 %r0, %r0, %t5;\n";
  for (std::size_t at = 0; (at = program.text.find(ballot)) != std::string::npos;)
    program.text.erase(at, ballot.size());
  program.text.replace(program.text.find("sm_20"), 5, "sm_13");
  expect_same(program, 13);
}

INSTANTIATE_TEST_SUITE_P(of, early_exits, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.name; });

// The regions that optimised code for sm_20 announces.
unsigned announced(const std::string& body) {
  compile_options options;
  options.capability = 20;
  const std::vector<std::uint32_t> code = compile(program_of(body), "k.ptx", options).kernels.at(0).code;
  unsigned count = 0;
  for (std::size_t k = 0; k + 1 < code.size(); k += 2) {
    isa::fermi::decode_error error;
    const auto instruction = isa::fermi::decode(std::uint64_t{code[k + 1]} << 32 | code[k], error);
    count += instruction && instruction->op == isa::fermi::opcode::ssy ? 1 : 0;
  }
  return count;
}

TEST(regions, are_announced_for_threads_that_exit_only_if_the_others_come_to_a_barrier) {
  const std::string way = "@!%flag bra GO;\nst.global.u32 [%out+4], %r0; exit;\nGO: st.global.u32 [%out+8], %r0;\n";
  EXPECT_EQ(announced(way), 0u);
  EXPECT_EQ(announced(way + "bar.sync 0;\n"), 1u);
  EXPECT_EQ(announced("@%flag exit;\nbar.sync 0;\n"), 0u) << "threads that end at once need none";
}

}  // namespace
}  // namespace gt200::ptx
