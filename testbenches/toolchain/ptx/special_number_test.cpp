// What single instructions make of NaNs, signed zeros, denormals, and the ends of ranges: docs/ptx.md says which
// bits are guaranteed, for compiled code and for the interpreter of the random programs.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "testbenches/toolchain/ptx/interpreter.h"
#include "toolchain/ptx/parser.h"

namespace gt200::ptx {
namespace {

class special_number : public testing::TestWithParam<instruction_case> {};

TEST_P(special_number, has_these_bits_in_compiled_code) { expect_in_compiled_code(GetParam()); }

TEST_P(special_number, has_these_bits_in_the_interpreter) {
  const instruction_case& c = GetParam();
  const expected_run run = run_of(c);
  global_image memory;
  memory.base = 4096;
  const std::size_t in_bytes = 4 * c.in.size();
  memory.bytes.resize(in_bytes + 8);
  std::memcpy(memory.bytes.data(), c.in.data(), in_bytes);
  reference_grid grid{1, 1, std::vector<std::uint8_t>(16)};
  const std::uint64_t addresses[2] = {memory.base, memory.base + in_bytes};
  std::memcpy(grid.parameters.data(), addresses, sizeof addresses);
  interpret(parse(run.program.text, source_file("special.ptx", run.program.text)), grid, memory);
  std::uint32_t out[2];
  std::memcpy(out, &memory.bytes[in_bytes], sizeof out);
  EXPECT_EQ(out[0], c.x);
  EXPECT_EQ(out[1], c.y);
}

const std::vector<instruction_case> special_numbers = {
    {"f64_nan_to_words",
     "mov.b64 %d, %A; cvt.rzi.s32.f64 %x, %d; cvt.rzi.u32.f64 %y, %d;",
     {0, 0x7ff80000, 0, 0, 0, 0},
     0x80000000,
     0x80000000},
    {"f64_nan_to_halves",
     "mov.b64 %d, %A; cvt.rzi.s16.f64 %h, %d; cvt.s32.s16 %x, %h; cvt.rzi.u16.f64 %h, %d; cvt.u32.u16 %y, %h;",
     {0, 0x7ff80000, 0, 0, 0, 0},
     minus(0x8000),
     0x8000},
    {"f32_nan_to_integers",
     "mov.b32 %f, %a; cvt.rni.s32.f32 %x, %f; cvt.rni.s64.f32 %X, %f; mov.b64 {%z, %y}, %X;",
     {0x7fffffff, 0, 0, 0, 0, 0},
     0,
     0x80000000},
    {"large_to_bytes_and_halves",
     "mov.b32 %f, %a; cvt.rzi.u8.f32 %x, %f; mov.b32 %f, %b; cvt.rzi.s16.f32 %h, %f; cvt.s32.s16 %y, %h;",
     {0x43960000, 0xc71c4000, 0, 0, 0, 0},
     255,
     minus(0x8000)},
    {"f64_nan_to_f32_keeps_sign_and_payload",
     "mov.b64 %d, %A; cvt.rn.f32.f64 %f, %d; mov.b32 %x, %f; mov.b64 %d, %B; cvt.rz.f32.f64 %f, %d; "
     "mov.b32 %y, %f;",
     {0x40000000, 0xfff80000, 0x40000000, 0x7ff00000, 0, 0},
     0xffc00002,
     0x7fc00002},
    {"f32_nan_to_f64_keeps_sign_and_payload",
     "mov.b32 %f, %a; cvt.f64.f32 %d, %f; mov.b64 {%x, %y}, %d;",
     {0xff800001, 0, 0, 0, 0, 0},
     0x20000000,
     0xfff80000},
    {"sqrt_of_nan_f64",
     "mov.b64 %d, %A; sqrt.rn.f64 %d, %d; mov.b64 {%x, %y}, %d;",
     {5, 0xfff00000, 0, 0, 0, 0},
     5,
     0xfff80000},
    {"sqrt_of_negative_f64",
     "mov.b64 %d, %A; sqrt.rn.f64 %d, %d; mov.b64 {%x, %y}, %d;",
     {0, 0xbff00000, 0, 0, 0, 0},
     0,
     0xfff80000},
    {"sqrt_of_negative_zero_f64",
     "mov.b64 %d, %A; sqrt.rn.f64 %d, %d; mov.b64 {%x, %y}, %d;",
     {0, 0x80000000, 0, 0, 0, 0},
     0,
     0x80000000},
    {"sqrt_of_infinity_f64",
     "mov.b64 %d, %A; sqrt.rn.f64 %d, %d; mov.b64 {%x, %y}, %d;",
     {0, 0x7ff00000, 0, 0, 0, 0},
     0,
     0x7ff00000},
    {"rcp_of_nan_f64",
     "mov.b64 %d, %A; rcp.rn.f64 %d, %d; mov.b64 {%x, %y}, %d;",
     {5, 0x7ff80000, 0, 0, 0, 0},
     5,
     0x7ff80000},
    {"quotient_of_two_nans_f64",
     "mov.b64 %d, %A; mov.b64 %D, %B; div.rn.f64 %d, %d, %D; mov.b64 {%x, %y}, %d;",
     {5, 0x7ff80000, 7, 0xfff00000, 0, 0},
     7,
     0xfff80000},
    {"quotient_of_nan_f64",
     "mov.b64 %d, %A; mov.b64 %D, %B; div.rn.f64 %d, %d, %D; mov.b64 {%x, %y}, %d;",
     {5, 0xfff80000, 0, 0xc0000000, 0, 0},
     5,
     0xfff80000},
    {"zero_over_zero_f64",
     "mov.b64 %d, %A; div.rn.f64 %d, %d, %d; mov.b64 {%x, %y}, %d;",
     {0, 0, 0, 0, 0, 0},
     0,
     0xfff80000},
    {"sum_of_two_nans_f64",
     "mov.b64 %d, %A; mov.b64 %D, %B; add.rn.f64 %d, %d, %D; mov.b64 {%x, %y}, %d;",
     {5, 0x7ff80000, 7, 0x7ff80000, 0, 0},
     7,
     0x7ff80000},
    {"fma_of_two_nans_f64",
     "mov.b64 %d, %A; mov.b64 %D, %C; fma.rz.f64 %d, %d, 0d3FF0000000000000, %D; mov.b64 {%x, %y}, %d;",
     {5, 0x7ff80000, 0, 0, 9, 0x7ff80000},
     9,
     0x7ff80000},
    {"difference_of_infinities_f64",
     "mov.b64 %d, %A; sub.rn.f64 %d, %d, %d; mov.b64 {%x, %y}, %d;",
     {0, 0x7ff00000, 0, 0, 0, 0},
     0,
     0xfff80000},
    {"max_leaves_nan_f64",
     "mov.b64 %d, %A; mov.b64 %D, %B; max.f64 %d, %d, %D; mov.b64 {%x, %y}, %d;",
     {5, 0x7ff80000, 0, 0xc0000000, 0, 0},
     0,
     0xc0000000},
    {"min_of_zeros_f64",
     "mov.b64 %d, %A; mov.b64 %D, %B; min.f64 %d, %d, %D; mov.b64 {%x, %y}, %d;",
     {0, 0, 0, 0x80000000, 0, 0},
     0,
     0x80000000},
    {"f32_results_are_one_nan",
     "mov.b32 %f, %a; sub.rn.f32 %g, %f, %f; mov.b32 %x, %g; mov.b32 %g, %b; sqrt.rn.f32 %g, %g; mov.b32 %y, %g;",
     {0x7f800000, 0xbf800000, 0, 0, 0, 0},
     0x7fffffff,
     0x7fffffff},
    {"f32_quotient_and_maximum_of_nans",
     "mov.b32 %f, %a; div.rn.f32 %g, %f, %f; mov.b32 %x, %g; max.f32 %g, %f, %f; mov.b32 %y, %g;",
     {0xffc00001, 0, 0, 0, 0, 0},
     0x7fffffff,
     0x7fffffff},
    {"f32_sign_of_nan_by_neg_and_abs",
     "mov.b32 %f, %a; neg.f32 %g, %f; mov.b32 %x, %g; abs.f32 %g, %g; mov.b32 %y, %g;",
     {0x7fc00001, 0, 0, 0, 0, 0},
     0xffc00001,
     0x7fc00001},
    {"f32_signs_of_zeros",
     "mov.b32 %f, %a; mov.b32 %g, %b; add.rn.f32 %e, %f, %f; mov.b32 %x, %e; sub.rn.f32 %e, %g, %g; mul.rn.f32 %e, "
     "%e, %f; mov.b32 %y, %e;",
     {0x80000000, 0x3f800000, 0, 0, 0, 0},
     0x80000000,
     0x80000000},
    {"f32_zeros_by_rounding_and_minimum",
     "mov.b32 %f, %a; cvt.rni.f32.f32 %f, %f; mov.b32 %x, %f; mov.b32 %g, %b; min.f32 %g, %g, %f; mov.b32 %y, %g;",
     {0xbe99999a, 0, 0, 0, 0, 0},
     0x80000000,
     0x80000000},
    {"f64_signs_of_zeros",
     "mov.b64 %d, %A; sub.rm.f64 %D, %d, %d; mov.b64 {%z, %x}, %D; sub.rn.f64 %D, %d, %d; mov.b64 {%z, %y}, %D;",
     {0, 0x3ff00000, 0, 0, 0, 0},
     0x80000000,
     0},
    {"denormal_f32_to_f64_and_back",
     "mov.b32 %f, %a; cvt.f64.f32 %d, %f; mov.b64 {%z, %y}, %d; cvt.rn.f32.f64 %f, %d; mov.b32 %x, %f;",
     {1, 0, 0, 0, 0, 0},
     1,
     0x36a00000},
    {"denormal_f32_to_integers",
     "mov.b32 %f, %a; cvt.rpi.s32.f32 %x, %f; cvt.rpi.s64.f32 %X, %f; cvt.u32.u64 %y, %X;",
     {1, 0, 0, 0, 0, 0},
     0,
     1},
    {"fma_of_denormals",
     "mov.b32 %f, %a; mov.b32 %g, %b; mov.b32 %e, %c; fma.rn.f32 %f, %f, %g, %e; mov.b32 %x, %f; "
     "fma.rn.f32 %g, %g, %g, %e; mov.b32 %y, %g;",
     {0x80000001, 0x5f000000, 0x007fffff, 0, 0, 0},
     0,
     0x7e800000},
    {"fma_of_a_denormal_addend",
     "mov.b32 %f, %a; mov.b32 %g, %b; mov.b32 %e, %c; fma.rn.f32 %f, %g, %f, %e; mov.b32 %x, %f; mov.b32 %f, %a; "
     "fma.rn.f32 %f, %f, %f, %e; mov.b32 %y, %f;",
     {0x80000000, 0x3f800000, 0x807fffff, 0, 0, 0},
     0x80000000,
     0},
    {"fma_of_a_denormal_and_infinity",
     "mov.b32 %f, %a; mov.b32 %g, %b; fma.rn.f32 %e, %f, %g, %g; mov.b32 %x, %e;",
     {0x007fffff, 0x7f800000, 0, 0, 0, 0},
     0x7fffffff,
     0},
    {"saturated_f64_to_f32",
     "mov.b64 %d, %A; cvt.rn.sat.f32.f64 %f, %d; mov.b32 %x, %f; mov.b64 %d, %B; cvt.rn.sat.f32.f64 %f, %d; "
     "mov.b32 "
     "%y, %f;",
     {0, 0x40000000, 0, 0x7ff80000, 0, 0},
     one_f32,
     0},
    {"saturated_nan_of_infinities",
     "mov.b32 %f, %a; neg.f32 %g, %f; add.sat.f32 %e, %f, %g; mov.b32 %x, %e; sub.sat.f32 %e, %f, %f; "
     "mov.b32 %y, %e; add.rz.sat.f32 %e, %f, %g; mov.b32 %z, %e; or.b32 %x, %x, %z;",
     {0x7f800000, 0, 0, 0, 0, 0},
     0,
     0},
    {"saturated_nan_of_zero_and_infinity",
     "mov.b32 %f, %a; mov.b32 %g, %b; mul.sat.f32 %e, %f, %g; mov.b32 %x, %e; mad.sat.f32 %e, %f, %g, %f; "
     "mov.b32 %y, %e; mul.rz.sat.f32 %e, %f, %g; mov.b32 %z, %e; or.b32 %x, %x, %z; fma.rn.sat.f32 %e, %f, %g, %f; "
     "mov.b32 %z, %e; or.b32 %y, %y, %z;",
     {0x7f800000, 0, 0, 0, 0, 0},
     0,
     0},
    {"saturated_nan_operand",
     "mov.b32 %f, %a; mov.b32 %g, %b; add.sat.f32 %e, %f, %g; mov.b32 %x, %e; mad.sat.f32 %e, %g, %f, %g; "
     "mov.b32 %y, %e; mul.sat.f32 %e, %f, %g; mov.b32 %z, %e; or.b32 %x, %x, %z;",
     {0xffc00001, one_f32, 0, 0, 0, 0},
     0,
     0},
    {"saturated_numbers",
     "mov.b32 %f, %a; mov.b32 %g, %b; add.sat.f32 %e, %f, %f; mov.b32 %x, %e; mad.sat.f32 %e, %g, %f, %g; "
     "mov.b32 %y, %e; mul.sat.f32 %e, %f, %g; mov.b32 %z, %e; or.b32 %y, %y, %z;",
     {0x3f000000, 0xbf800000, 0, 0, 0, 0},
     one_f32,
     0},
    {"saturated_to_f64",
     "mov.b32 %f, %a; cvt.sat.f64.f32 %d, %f; mov.b64 {%z, %x}, %d; mov.b64 %d, %B; cvt.sat.f64.f64 %d, %d; "
     "mov.b64 "
     "{%z, %y}, %d;",
     {0xffffffff, 0, 0, 0x40000000, 0, 0},
     0,
     0x3ff00000},
};

INSTANTIATE_TEST_SUITE_P(ptx, special_number, testing::ValuesIn(special_numbers),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace gt200::ptx
