// gt200 emulate: every kernel of the project gives its expected result, and the exit code says how a run ended.
#include <algorithm>
#include <sstream>

#include "testbenches/system/cli/all_kernels.h"
#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class every_kernel : public testing::TestWithParam<std::string> {};

TEST_P(every_kernel, gives_the_expected_result) {
  const outcome result = gt200_run({"emulate", source_path("kernels/" + GetParam())});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("result        correct ("), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "");
}

INSTANTIATE_TEST_SUITE_P(emulate, every_kernel, testing::ValuesIn(all_kernels()),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });

class emulate : public cli_test {
 protected:
  // out[tid.x] = 7
  static constexpr const char* store_seven =
      "    cvt u32 $r1 u16 $r0l\n"
      "    shl b32 $r1 $r1 0x2\n"
      "    add b32 $r1 b32 s[out] $r1\n"
      "    mov b32 $r2 0x7\n"
      "    exit st b32 g14[$r1] $r2\n";
  static std::string expect_words(unsigned count, unsigned value) {
    std::string text = "[[expect]]\nbuffer = \"out\"\nvalues = [";
    for (unsigned i = 0; i < count; ++i) text += std::to_string(value) + ", ";
    return text + "]\n";
  }
};

TEST_F(emulate, a_correct_result_exits_with_0) {
  const outcome result = gt200_run({"emulate", kernel("seven", store_seven, 32, expect_words(32, 7))});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
}

TEST_F(emulate, a_launch_description_can_be_checked_alone) {
  const std::string folder = kernel("seven", store_seven, 32, expect_words(32, 6));
  const outcome checked = gt200_run({"launch", "check", folder});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_EQ(checked.out, "program       " + folder +
                             "/seven.s\nbuffer        out at 0x00100000, 128 bytes\n"
                             "step          k, grid 1 x 1, block 32 x 1 x 1\nexpectations  1, 1 apply\n" +
                             folder + "/launch.toml: ok\n");
}

TEST_F(emulate, the_largest_block_can_be_set) {
  const std::string folder = kernel("seven", store_seven, 32, expect_words(32, 7));
  EXPECT_EQ(gt200_run({"emulate", folder, "--threads-per-block", "32"}).code, 0);
  const outcome refused = gt200_run({"emulate", folder, "--threads-per-block", "31"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("launch.toml:"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("the block has 32 threads, at most 31 are possible"), std::string::npos)
      << refused.err;
}

TEST_F(emulate, runs_code_that_marks_the_end_of_each_path_where_asked_to) {
  const std::string folder = kernel("marked",
                                    "    cvt u32 $r1 u16 $r0l\n"
                                    "    shl b32 $r3 $r1 0x2\n"
                                    "    add b32 $r3 b32 s[out] $r3\n"
                                    "    and b32 $r4 $r1 0x1\n"
                                    "    set $c0 # lg u32 $r4 $r124\n"
                                    "    mov b32 $r5 0x2\n"
                                    "    joinat meet\n"
                                    "    (lg $c0) bra odd\n"
                                    "    mov b32 $r2 0x5\n"
                                    "    add.S b32 $r2 $r2 $r5\n"
                                    "odd:\n"
                                    "    mov b32 $r2 0x7\n"
                                    "    nop.S\n"
                                    "meet:\n"
                                    "    exit st b32 g14[$r3] $r2\n",
                                    32, expect_words(32, 7));
  const outcome marked = gt200_run({"emulate", folder, "--semantics", "ssy_sync"});
  EXPECT_EQ(marked.code, 0) << marked.out << marked.err;
  const outcome joined = gt200_run({"emulate", folder});
  EXPECT_NE(joined.code, 0);
  EXPECT_NE(joined.out.find("join or .S of the other divergence convention"), std::string::npos) << joined.out;
  EXPECT_EQ(
      gt200_run({"run", folder, "--config", "gt200_small", "--set", "tpc.sm.simt_stack.semantics=ssy_sync"}).code,
      0);
}

TEST_F(emulate, counts_warp_and_thread_instructions) {
  const outcome result = gt200_run({"emulate", kernel("seven", store_seven, 48)});
  EXPECT_NE(result.out.find("10 warp instructions, 240 thread instructions with a true predicate"),
            std::string::npos)
      << result.out;
}

TEST_F(emulate, without_an_expectation_it_says_so) {
  const outcome result = gt200_run({"emulate", kernel("seven", store_seven, 32)});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("not checked"), std::string::npos) << result.out;
}

TEST_F(emulate, a_wrong_result_exits_with_3_and_shows_the_difference) {
  const outcome result = gt200_run({"emulate", kernel("seven", store_seven, 32, expect_words(32, 8))});
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.out.find("WRONG"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("32 of 32 elements of 'out' differ"), std::string::npos) << result.out;
}

TEST_F(emulate, a_fault_exits_with_4_and_names_its_place) {
  const outcome result =
      gt200_run({"emulate", kernel("wild", "    mov b32 $r1 0x10\n    exit st b32 g14[$r1] $r1\n", 32)});
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.out.find("unmapped address in kernel 'k' at 0x8 (line 4), block (0, 0), warp 0"),
            std::string::npos)
      << result.out;
}

TEST_F(emulate, a_trace_holds_every_instruction_and_what_it_wrote) {
  const outcome result = gt200_run({"emulate", kernel("seven", store_seven, 32), "--trace", path("trace.txt")});
  EXPECT_EQ(result.code, 0) << result.err;
  const std::string text = content_of(path("trace.txt"));
  EXPECT_EQ(text.substr(0, text.find('\n')), "# gt200 trace 1");
  EXPECT_NE(text.find("0 0 0 0018 ffffffff  mov b32 $r2 0x7\n  $r2 = 00000007 all\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  g[0010007c] = 00000007\n"), std::string::npos) << text;
}

TEST_F(emulate, ctrl_c_exits_with_130_and_leaves_a_whole_trace) {
  const std::string folder = kernel("endless", "again:\n    bra again\n    exit nop\n", 32);
  std::filesystem::create_directory(path("traces"));
  const outcome result = gt200_run_interrupted({"emulate", folder, "--trace", path("traces/trace.txt")},
                                               [&] { return !std::filesystem::is_empty(path("traces")); });
  EXPECT_EQ(result.code, 130) << result.out << result.err;
  EXPECT_NE(result.out.find("interrupted in kernel 'k'"), std::string::npos) << result.out;
  const std::string text = content_of(path("traces/trace.txt"));
  EXPECT_EQ(text.substr(0, text.find('\n')), "# gt200 trace 1");
}

TEST_F(emulate, a_trace_reaches_to_the_fault) {
  const std::string wild = kernel("wild", "    mov b32 $r1 0x10\n    exit st b32 g14[$r1] $r1\n", 32);
  EXPECT_EQ(gt200_run({"emulate", wild, "--trace", path("trace.txt")}).code, 4);
  const std::string text = content_of(path("trace.txt"));
  EXPECT_EQ(text.substr(text.rfind("0 0 0 ")), "0 0 0 0000 ffffffff  mov b32 $r1 0x10\n  $r1 = 00000010 all\n");
}

TEST_F(emulate, a_trace_that_cannot_be_written_is_an_error) {
  const outcome result =
      gt200_run({"emulate", kernel("seven", store_seven, 32), "--trace", path("no/such/trace.txt")});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_clear_line(result.err));
}

// -- out of bounds --

// Every access that is one too far: the kernel, and the messages of emulator and chip. "-" = none.
struct far_access {
  const char* name;
  const char* body;
  const char* fault;
};
std::ostream& operator<<(std::ostream& out, const far_access& a) { return out << a.name; }

class access_out_of_bounds : public cli_test, public testing::WithParamInterface<far_access> {
 protected:
  // "unmapped address ..., address 0x...": the part of a fault message that emulator and model share. Only the
  // model knows ids of instructions.
  static std::string fault_in(const std::string& text) {
    const auto begin = text.find("FAULT: ");
    if (begin == std::string::npos) return "-";
    const std::string fault = text.substr(begin + 7, text.find_first_of(":\n", begin + 7) - begin - 7);
    return fault.substr(0, fault.find(", instruction i"));
  }
};

TEST_P(access_out_of_bounds, is_found_by_emulator_and_chip_alike) {
  const std::string folder = kernel("far", GetParam().body, 32);
  const outcome emulated = gt200_run({"emulate", folder});
  const outcome modelled = gt200_run({"run", folder, "--config", "gt200_small"});
  EXPECT_EQ(fault_in(emulated.out), fault_in(modelled.out)) << emulated.out << modelled.out << modelled.err;
  EXPECT_EQ(emulated.code, modelled.code);
  EXPECT_EQ(fault_in(emulated.out).substr(0, std::string(GetParam().fault).size()), GetParam().fault);
}

// The buffer "out" has 128 bytes at 0x100000; its page ends at 0x101000.
const far_access far_accesses[] = {
    {"last_word_of_the_page", "mov b32 $r1 0x100ffc\nld b32 $r2 g14[$r1]\nexit nop\n", "-"},
    {"behind_the_page", "mov b32 $r1 0x101000\nld b32 $r2 g14[$r1]\nexit nop\n", "unmapped address"},
    {"before_the_first_page", "mov b32 $r1 0xffff8\nst b32 g14[$r1] $r1\nexit nop\n", "unmapped address"},
    {"last_byte_of_local_memory", ".local 20\nst b8 l[0x1f] $r1\nexit nop\n", "-"},
    {"behind_local_memory", ".local 20\nst b32 l[0x20] $r1\nexit nop\n", "unmapped address"},
    {"last_constant", ".literal two u32 1 2\nld $r1 b32 c1[0x4]\nexit nop\n", "-"},
    {"behind_the_constants", ".literal two u32 1 2\nld $r1 b32 c1[0x8]\nexit nop\n", "unmapped address"},
    {"constants_nobody_gave", "ld $r1 b32 c5[0x0]\nexit nop\n", "unmapped address"},
    {"behind_shared_memory", "ld $r1 b32 s[0x14]\nexit nop\n", "unmapped address"},
};
INSTANTIATE_TEST_SUITE_P(emulate, access_out_of_bounds, testing::ValuesIn(far_accesses),
                         [](const auto& access) { return std::string(access.param.name); });

class emulate_memcheck : public cli_test {
 protected:
  std::string result_of(const std::string& body) const {
    const outcome result = gt200_run({"emulate", "--memcheck", kernel("near", body, 30)});
    EXPECT_EQ(result.code, 4) << result.err;
    return result.out;
  }
};

TEST_F(emulate_memcheck, names_the_nearest_buffer_and_the_distance) {
  EXPECT_NE(result_of("mov b32 $r1 b32 s[out]\nadd b32 $r1 $r1 0xfffffff8\nld b32 $r2 g14[$r1]\nexit nop\n")
                .find("address 0x000ffff8: ld b32 $r2 g14[$r1] - 8 bytes before buffer 'out'"),
            std::string::npos);
  EXPECT_NE(result_of("mov b32 $r1 b32 s[out]\nadd b32 $r1 $r1 0x78\nst b32 g14[$r1] $r1\nexit nop\n")
                .find("0 bytes behind the end of buffer 'out'"),
            std::string::npos);
  EXPECT_NE(result_of("mov b32 $r1 b32 s[out]\nadd b32 $r1 $r1 0x70\nld b128 $r4q g14[$r1]\nexit nop\n")
                .find("at byte 112 of buffer 'out', which has 120"),
            std::string::npos);
}

TEST_F(emulate_memcheck, leaves_correct_programs_alone) {
  EXPECT_EQ(gt200_run({"emulate", "--memcheck", source_path("kernels/matrix_mul")}).code, 0);
}

TEST_F(emulate, a_program_that_never_ends_exits_with_6_at_its_limit) {
  const std::string endless = kernel("endless", "again:\n    bra again\n    exit nop\n", 32);
  const outcome result = gt200_run({"emulate", endless, "--max-instructions", "1000"});
  EXPECT_EQ(result.code, 6);
  EXPECT_NE(result.out.find("1000 warp instructions"), std::string::npos) << result.out;
}

TEST_F(emulate, a_program_can_be_run_as_the_description_beside_it_says) {
  const std::string folder = kernel("seven", store_seven, 32, expect_words(32, 7));
  EXPECT_EQ(gt200_run({"emulate", folder + "/seven.s"}).code, 0);
  ASSERT_EQ(gt200_run({"asm", folder + "/seven.s"}).code, 0);
  EXPECT_EQ(gt200_run({"emulate", folder + "/seven.cubin"}).code, 0);
  EXPECT_EQ(gt200_run({"emulate", folder + "/launch.toml"}).code, 0);
  EXPECT_EQ(gt200_run({"emulate", folder + "/seven.cubin", "--launch", folder + "/launch.toml"}).code, 0);
}

TEST_F(emulate, parameters_of_the_description_can_be_changed) {
  const outcome result = gt200_run({"emulate", source_path("kernels/madloop"), "--param", "ITERS=2"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.out.find("correct (2 checks)"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace gt200::cli
