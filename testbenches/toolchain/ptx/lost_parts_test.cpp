// A part of an instruction that has no meaning is refused with its place: nothing is dropped. Neither are kernels
// that are too large: the message says what there is too much of.
#include <gtest/gtest.h>

#include <string>

#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

// The message that refuses the only kernel; empty if it is compiled.
std::string refusal(const std::string& body, unsigned capability) {
  compile_options options;
  options.capability = capability;
  const std::string text =
      ".version 7.6\n.target sm_20\n.address_size 64\n.entry k ()\n{\n.reg .u32 %r<9>; .reg .f32 %f<9>; .reg .f64 "
      "%d<9>; "
      ".reg .f16 %h<9>; .reg .pred %p<9>;\n" +
      body + "\nexit;\n}\n";
  try {
    compile(text, "f.ptx", options);
  } catch (const input_error& error) {
    return error.what();
  }
  return {};
}

struct lost {
  std::string name;
  std::string code;
  std::string reason;
  unsigned targets_from = 13;
};
void PrintTo(const lost& c, std::ostream* out) { *out << c.code; }

class lost_part : public testing::TestWithParam<lost> {};

TEST_P(lost_part, is_refused_with_its_place) {
  const lost& c = GetParam();
  for (const unsigned capability : {13u, 20u, 70u}) {
    if (capability < c.targets_from) continue;
    const std::string message = refusal(c.code, capability);
    EXPECT_NE(message.find(c.reason), std::string::npos) << "sm_" << capability << ": " << message;
    EXPECT_EQ(message.find("f.ptx:7:"), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    of, lost_part,
    testing::Values(
        lost{"inverted_number", "add.u32 %r1, !%r2, %r3;", "'!' stands before predicates only"},
        lost{"inverted_result", "add.u32 !%r1, %r2, %r3;", "'!' stands before predicates only"},
        lost{"inverted_predicate_result", "setp.lt.u32 !%p1, %r2, %r3;", "'!' stands before predicates only"},
        lost{"second_result", "add.u32 %r1|%p1, %r2, %r3;", "'|' stands between the two results"},
        lost{"second_source", "add.u32 %r1, %r2|%r4, %r3;", "'|' stands between the two results"},
        lost{"minus", "add.u32 %r1, -%r2, %r3;", "'-' stands before numbers"},
        lost{"byte_of_a_source", "add.u32 %r1, %r2.b1, %r3;", "'.b1' stands behind registers of video"},
        lost{"half_of_a_result", "add.u32 %r1.h0, %r2, %r3;", "'.h0' stands behind registers of video"},
        lost{"offset_of_a_register", "add.u32 %r1, %r2+4, %r3;", "an offset follows the name of a variable"},
        lost{"inverted_real_number", "add.f32 %f1, ~1.5, %f2;",
             "'~' does not stand before a floating-point number"},
        lost{"sum_of_kinds", "mov.u32 %r1, 1+1.5;", "'+' stands between an integer and a floating-point number"},
        lost{"sum_with_bits", "mov.f32 %f1, 0f3F800000+1.0;", "a number written 0f stands alone"},
        lost{"division_by_zero", "mov.u32 %r1, 4/(2-2);", "a division by zero"},
        lost{"whole_vector", ".reg .v2 .u32 %v; add.u32 %r1, %v, 1;", "expected a register"},
        lost{"element_that_is_not_there", ".reg .v2 .u32 %v; mov.u32 %r1, %v.z;", "'%v' has 2 elements, and no .z"},
        lost{"vector_with_an_offset", ".reg .v2 .u32 %v; ld.global.u32 %r1, [%v];", "'%v' is a vector"},
        lost{"vectors_of_two_sizes", ".reg .v2 .u32 %v; mov.v4.u32 %v, {1,2,3,4};", "two vectors of 4 elements"},
        lost{"array_of_registers", ".reg .u32 %v[4];", "there are no arrays of registers"},
        lost{"modifier_of_a_wide_carry", "add.cc.lo.u64 %d1, %d2, %d3;", ".lo has no meaning here"},
        lost{"real_number_of_an_integer", "add.u32 %r1, %r2, 1.5;", "a floating-point number is no integer"},
        lost{"integer_of_a_real_number", "add.f32 %f1, %f2, 1;", "an integer is no number of this type"},
        lost{"unknown_modifier", "add.fast.u32 %r1, %r2, %r3;", ".fast is no modifier of add"},
        lost{"modifier_of_another", "popc.sat.b32 %r1, %r2;", ".sat is no modifier of popc"},
        lost{"carry_of_a_product", "mul.lo.cc.u32 %r1, %r2, %r3;", ".cc is no modifier of mul"},
        lost{"saturated_carry", "add.sat.cc.s32 %r1, %r2, %r3;", ".cc and .sat exclude each other"},
        lost{"wide_carry", "mad.wide.cc.u32 %d1, %r2, %r3, %d4;", ".cc and .wide exclude each other"},
        lost{"two_roundings", "add.rn.rz.f32 %f1, %f2, %f3;", ".rn and .rz exclude each other"},
        lost{"two_parts", "mul.lo.hi.u32 %r1, %r2, %r3;", ".lo and .hi exclude each other"},
        lost{"two_comparisons", "setp.lt.ge.s32 %p1, %r2, %r3;", ".lt and .ge exclude each other"},
        lost{"two_operators", "set.lt.and.or.s32.s32 %r1, %r2, %r3, %p1;", ".and and .or exclude each other"},
        lost{"rna", "cvt.rna.tf32.f32 %r1, %f2;", "cvt.rna.tf32.f32: .rna needs sm_80"},
        lost{"satfinite", "cvt.rn.satfinite.f16.f32 %h1, %f2;", ".satfinite needs sm_80"},
        lost{"relu", "cvt.rn.relu.f16.f32 %h1, %f2;", ".relu needs sm_80"},
        lost{"nan_of_min", "min.NaN.f32 %f1, %f2, %f3;", ".NaN needs sm_80"},
        lost{"tanh", "tanh.approx.f32 %f1, %f2;", "does not have it; it needs sm_75"},
        lost{"redux", "redux.sync.add.s32 %r1, %r2, -1;", "does not have it; it needs sm_80"},
        lost{"no_instruction", "frobnicate.u32 %r1, %r2;", "there is no instruction of this name"},
        lost{"video_second_operation", "vadd.u32.u32.u32.add %r1.b0, %r2, %r3, %r4;", "exclude each other", 20},
        lost{"video_types", "vadd.u32.u32 %r1, %r2, %r3;", "expected the types of the result and of both", 20},
        lost{"video_minus", "vadd.u32.u32.u32 %r1, -%r2, %r3;", "only sources of vmad have minus signs", 20},
        lost{"table_of_lop3", "lop3.b32 %r1, %r2, %r3, %r4, 256;", "the table is a number from 0 to 255", 70},
        lost{"operator_of_lop3", "lop3.xor.b32 %r1|%p1, %r2, %r3, %r4, 1, %p2;", "expected .and or .or", 70},
        lost{"result_of_lop3", "lop3.and.b32 %r1, %r2, %r3, %r4, 1, %p2;", "expected two results, d|p", 70},
        lost{"lanes_of_a_result", "vadd4.u32.u32.u32 %r1.b12, %r2, %r3, %r4;", "'.b12' is no set of lanes", 70},
        lost{"lanes_of_a_source", "vadd2.u32.u32.u32 %r1, %r2.h04, %r3, %r4;", "no choice of 2 lanes", 70},
        lost{"lanes_of_bytes", "vadd4.u32.u32.u32 %r1, %r2, %r3.h10, %r4;", "no choice of 4 lanes", 70},
        lost{"saturated_sum_of_lanes", "vadd4.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;", "does not saturate", 70},
        lost{"comparison_of_lanes", "vset4.u32.u32 %r1, %r2, %r3, %r4;", "the comparison is missing", 70},
        lost{"byte_of_a_word", "vadd.u32.u32.u32 %r1, %r2.b10, %r3;", "'.b10' is no byte or half of a word", 20},
        lost{"half_as_a_real_number", "add.f16 %h1, %h2, 1.5;", "a floating-point number is no integer", 70},
        lost{"matrices", "wmma.load.a.sync.row.m16n16k16.f16 {%r1}, [%d1];",
             "products of matrices are not supported"},
        lost{"saturated_half", "cvt.rmi.sat.f16.f16 %h1, %h2;", ".sat between numbers of 16 bits", 70},
        lost{"property", "testp.small.f32 %p1, %f1;", ".small is no modifier of testp", 20}),
    [](const auto& info) { return info.param.name; });

TEST(missing_instruction, names_the_first_target_that_has_it) {
  const std::pair<const char*, const char*> missing[] = {
      {"lop3.b32 %r1, %r2, %r3, %r4, 150;", "it needs sm_50"},
      {"dp4a.u32.u32 %r1, %r2, %r3, %r4;", "it needs sm_61"},
      {"shf.l.wrap.b32 %r1, %r2, %r3, %r4;", "it needs sm_32"},
      {"fns.b32 %r1, %r2, %r3, %r4;", "it needs sm_30"},
      {"szext.wrap.u32 %r1, %r2, %r3;", "it needs sm_70"},
      {"lop3.and.b32 %r1|%p1, %r2, %r3, %r4, 1, %p2;", "it needs sm_50"},
      {"vadd4.u32.u32.u32 %r1.b31, %r2, %r3.b7542, %r4;", "it needs sm_30"},
      {"vset2.u32.u32.lt.add %r1, %r2, %r3, %r4;", "it needs sm_30"},
      {"vote.sync.any.pred %p1, %p2, -1;", ".sync needs sm_30"}};
  for (const auto& [code, reason] : missing)
    for (const unsigned capability : {13u, 20u})
      EXPECT_NE(refusal(code, capability).find(reason), std::string::npos) << refusal(code, capability);
  for (const char* code :
       {"div.rz.f32 %f1, %f2, %f3;", "rcp.rp.f64 %d1, %d2;", "sqrt.rm.f32 %f1, %f2;",
        "fma.rm.f32 %f1, %f2, %f3, %f4;", "add.rp.f32 %f1, %f2, %f3;", "mad.lo.cc.u64 %d1, %d2, %d3, %d4;",
        "cvt.rm.f16.f32 %h1, %f2;", "mad.hi.cc.u32 %r1, %r2, %r3, %r4;", "@%p1 add.cc.u64 %d1, %d2, %d3;"})
    EXPECT_NE(refusal(code, 13).find("needs sm_20"), std::string::npos) << refusal(code, 13);
}

TEST(large_kernel, is_refused_by_what_is_too_large) {
  std::string labels;
  for (int k = 0; k < 20000; ++k) labels += "L" + std::to_string(k) + ":\n";
  const std::string many = refusal(labels, 70);
  EXPECT_NE(many.find("'k' has 20000 labels; 16384 are possible"), std::string::npos) << many.substr(0, 200);
  std::string sums;
  for (int k = 0; k < 140000; ++k) sums += "add.u32 %r1, %r1, %r2;\n";
  const std::string long_block = refusal(sums, 70);
  EXPECT_NE(long_block.find("kernel 'k' is too large: up to here it takes"), std::string::npos)
      << long_block.substr(0, 200);
}

// A chain of short branches, each of which becomes a guard.
TEST(large_kernel, with_thousands_of_branches_is_compiled) {
  std::string code;
  for (int k = 0; k < 3000; ++k) {
    const std::string n = std::to_string(k);
    code += "setp.lt.u32 %p1, %r1, " + n + ";\n@%p1 bra B" + n + ";\nadd.u32 %r1, %r1, %r2;\nB" + n + ":\n";
  }
  EXPECT_EQ(refusal(code, 20), "");
}

}  // namespace
}  // namespace gt200::ptx
