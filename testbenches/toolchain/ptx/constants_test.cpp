// Constant expressions where PTX has them, initial values of arrays, and vector registers.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

class written_value : public testing::TestWithParam<std::tuple<unsigned, instruction_case>> {};

TEST_P(written_value, is_what_ptx_defines) {
  const auto& [capability, work] = GetParam();
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.capability = capability;
    options.optimise = optimise;
    EXPECT_EQ(difference(run_of(work), options), "") << (optimise ? "-O2" : "-O0");
  }
}

const std::vector<std::uint32_t> in = {7, 8, 9, 0, 0, 0};
constexpr const char* table = ".const .u32 t[2][3] = {{1, 2}, {3 + 4*2, (1 << 4)|3, ~0}};\n";
constexpr const char* singles = ".const .f32 f[3] = {-0f3F800000, 1.5*2.0, -(1.0/4.0)};\n";
constexpr const char* vectors = ".const .v2 .u32 v[] = {{1, 2}, {3, WARP_SZ*2}, {5}};\n";

const std::vector<instruction_case> cases = {
    {"precedence", "mov.u32 %x, 1 + 2*3 << 1 | 64 & 96 ^ 3; mov.u32 %y, 100 %7 - 8/-3;", in, 14 | (64 ^ 3), 4},
    {"comparison_with_sign", "mov.u32 %x, -1 > 0 ? 1 : 2; mov.u32 %y, -1 > 0U ? 1 : 2;", in, 2, 1},
    {"large_number_has_no_sign",
     "mov.u32 %x, 0xffffffffffffffff > 0 ? 1 : 2; mov.u32 %y, (.s64)0xffffffffffffffff > 0 ? 1 : 2;", in, 1, 2},
    {"shift_of_a_sign", "mov.u32 %x, -16 >> 2; mov.u32 %y, (.u64)-16 >> 60;", in, minus(4), 15},
    {"logic", "mov.u32 %x, !0 && 3 || 0; mov.u32 %y, ~(5 | 2) & 0xff;", in, 1, 0xf8},
    {"nested_choice", "mov.u32 %x, 0 ? 1 : 0 ? 2 : 3; mov.u32 %y, (1 ? 4 : 5) + 1;", in, 3, 5},
    {"lowest_by_minus_one",
     "mov.u32 %x, (.s64)0x8000000000000000 / -1 == (.s64)0x8000000000000000; mov.u32 %y, -7 % 4;", in, 1, minus(3)},
    {"real_numbers", "mov.b32 %x, 0f3F800000; .reg .f32 %f; mov.f32 %f, 1.5*2.0 - 0.5; mov.b32 %y, %f;", in,
     one_f32, 0x40200000},
    {"row_that_ends_early", "ld.const.u32 %x, [t + 2*4]; ld.const.u32 %y, [t+12+2*2];", in, 0, 19, table},
    {"offset_that_goes_back", "ld.const.u32 %x, [t+24-12]; ld.const.u32 %y, [t+-4+2*4];", in, 11, 2, table},
    {"real_initial_values", "ld.const.u32 %x, [f]; ld.const.u32 %y, [f+4];", in, 0xbf800000, 0x40400000, singles},
    {"minus_of_a_real_one", "ld.const.u32 %x, [f+8]; mov.u32 %y, 0;", in, 0xbe800000, 0, singles},
    {"initial_vectors", "ld.const.u32 %x, [v+12]; ld.const.u32 %y, [v+20];", in, 64, 0, vectors},
    {"vector_load", ".reg .v2 .u32 %p; ld.const.v2.u32 %p, [v+8]; mov.u32 %x, %p.y; mov.u32 %y, %p.r;", in, 64, 3,
     vectors},
    {"signed_word_into_a_long_register", ".reg .s64 %l; ld.const.s32 %l, [m]; mov.b64 {%x, %y}, %l;", in, minus(5),
     minus(1), ".const .s32 m[1] = {-5};\n"},
    {"unsigned_word_into_a_long_register", ".reg .u64 %l; ld.const.u32 %l, [m]; mov.b64 {%x, %y}, %l;", in,
     minus(5), 0, ".const .s32 m[1] = {-5};\n"},
    {"signed_words_into_long_registers",
     ".reg .s64 %l, %m; ld.global.v2.s32 {%l, %m}, [%in]; mov.b64 {%x, %y}, %m;",
     {1, minus(7), 0, 0, 0, 0},
     minus(7),
     minus(1)},
    {"vector_move",
     ".reg .v4 .u32 %p; mov.v4.u32 %p, {%a, %b, %c, 4}; mov.v4.u32 {%p.y, %p.x, %p.w, %p.z}, %p; "
     "mad.lo.u32 %x, %p.r, 16, %p.g; mad.lo.u32 %y, %p.b, 16, %p.a;",
     in, 8 * 16 + 7, 4 * 16 + 9},
    {"range_of_vectors",
     ".reg .v2 .u32 %p<3>, %p2x; mov.u32 %p0.x, 1; mov.u32 %p1.x, 2; mov.u32 %p2.x, 3; "
     "add.u32 %x, %p0.x, %p2.x; mov.u32 %y, %p1.x;",
     in, 4, 2},
    {"inner_scope",
     ".reg .v2 .u32 %p; mov.u32 %p.x, 1; { .reg .u32 %p; mov.u32 %p, 2; add.u32 %y, %p, %p; } "
     "{ .reg .v2 .u32 %p; mov.u32 %p.x, 5; } mov.u32 %x, %p.x;",
     in, 1, 4},
    {"special_vector", ".reg .v4 .u32 %p; mov.v4.u32 %p, %ntid; add.u32 %x, %p.x, %p.y; add.u32 %y, %p.z, %p.w;",
     in, 2, 1},
    {"fourth_elements", "add.u32 %x, %tid.w, %ntid.w; add.u32 %y, %ctaid.w, %nctaid.w;", in, 0, 0},
    {"packed_vector",
     ".reg .v2 .u32 %p; .reg .u64 %w; mov.u32 %p.x, %a; mov.u32 %p.y, %b; mov.b64 %w, %p; "
     "shr.u64 %w, %w, 32; cvt.u32.u64 %x, %w; mov.u32 %y, %p.x;",
     in, 8, 7}};

INSTANTIATE_TEST_SUITE_P(sm, written_value,
                         testing::Combine(testing::Values(13u, 20u, 70u), testing::ValuesIn(cases)),
                         [](const auto& tested) {
                           return std::to_string(std::get<0>(tested.param)) + "_" + std::get<1>(tested.param).name;
                         });

TEST(initial_value, of_another_kind_is_refused_with_its_place) {
  const std::pair<const char*, const char*> wrong[] = {
      {".global .u32 x = 1.5;", "2:18: a floating-point number is no integer"},
      {".global .f16 x = 1.5;", "2:18: a number of this type is written as its bits"},
      {".global .f32 x = 1;", "2:18: an integer is no number of this type"},
      {".global .u32 x = 1/0;", "2:18: a division by zero"},
      {".global .u32 x[2] = {1, 2, 3};", "more initial values than elements"},
      {".global .u32 x[2][2] = {{1, 2, 3}, {4}};", "2:25: more initial values than elements of this row"},
      {".global .u32 x[2] = {{{1}}, 2};", "2:23: more nested braces than dimensions"},
      {".global .u64 x = generic(y)+8;", "addresses as initial values are not supported"},
      {".shared .u32 x[2*1.5];", "2:16: '*' stands between an integer and a floating-point number"}};
  for (const auto& [declaration, reason] : wrong) {
    std::string message;
    try {
      compile(".version 7.0\n" + std::string(declaration) + "\n.entry k ()\n{\nexit;\n}\n", "k.ptx", {});
    } catch (const input_error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(reason), std::string::npos) << declaration << ": " << message;
  }
}

// A parameter as well: int32 numbers are passed to registers of 64 bits.
TEST(a_signed_parameter, keeps_its_sign_in_a_long_register) {
  expected_run run =
      run_of({"parameter", ".reg .s64 %l; ld.param.s32 %l, [n]; mov.b64 {%x, %y}, %l;", in, minus(7), minus(1)});
  const auto replace = [](std::string& text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace(run.program.text, ".param .u64 out)", ".param .u64 out, .param .s32 n)");
  replace(run.launch, "\"out\"]\n[[expect]]", "\"out\", {type = \"s32\", value = -7}]\n[[expect]]");
  for (const unsigned capability : {13u, 20u, 70u}) {
    compile_options options;
    options.capability = capability;
    EXPECT_EQ(difference(run, options), "") << "capability " << capability;
  }
}

}  // namespace
}  // namespace gt200::ptx
