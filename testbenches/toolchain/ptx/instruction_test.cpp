// Single instructions that random programs do not contain, compiled without and with optimisation, give the results
// that PTX defines. Expected values are computed by hand from the definitions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/interpreter.h"
#include "testbenches/toolchain/ptx/random_run.h"
#include "toolchain/ptx/parser.h"

namespace gt200::ptx {
namespace {

struct instruction_case {
  std::string name;
  std::string code;  // %a %b %c hold the first words of `in`, %A %B %C its first pairs; results in %x %y
  std::vector<std::uint32_t> in;  // six words
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::string functions = "";
  unsigned threads = 1;
};

void PrintTo(const instruction_case& c, std::ostream* out) { *out << c.code; }

expected_run run_of(const instruction_case& c) {
  expected_run result;
  result.program.text =
      ".version 1.4\n.target sm_13\n" + c.functions +
      ".global .align 4 .u32 table[4] = {0x11223344, 0x55667788, 0x99aabbcc, 0};\n"
      ".entry random (.param .u64 in, .param .u64 out)\n{\n.reg .u64 %in, %out, %A, %B, %C, %X, %Y;\n"
      ".reg .u32 %a, %b, %c, %x, %y, %z, %w;\n.reg .u16 %h, %i, %j, %k;\n.reg .f32 %f, %g, %e;\n.reg .f64 %d, %D;\n"
      ".reg .pred %p, %q;\n.shared .align 4 .b8 bytes[16];\n.local .align 4 .b8 own[32];\n"
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "ld.global.u32 %a, [%in];\nld.global.u32 %b, [%in+4];\nld.global.u32 %c, [%in+8];\n"
      "ld.global.u64 %A, [%in];\nld.global.u64 %B, [%in+8];\nld.global.u64 %C, [%in+16];\n"
      "mov.u32 %x, 0;\nmov.u32 %y, 0;\n" +
      c.code + "\nst.global.u32 [%out], %x;\nst.global.u32 [%out+4], %y;\nexit;\n}\n";
  std::string in;
  for (const std::uint32_t w : c.in) in += fmt::format("{}, ", w);
  result.launch = fmt::format(
      "schema = 1\nsource = \"random.ptx\"\n[[buffer]]\nname = \"in\"\ntype = \"u32\"\nvalues = [{}]\n"
      "[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = 2\ninit = \"zeros\"\n"
      "[[step]]\nlaunch = \"random\"\ngrid = [1]\nblock = [{}]\narguments = [\"in\", \"out\"]\n"
      "[[expect]]\nbuffer = \"out\"\nvalues = [{}, {}]\n",
      in, c.threads, c.x, c.y);
  return result;
}

class one_instruction : public testing::TestWithParam<instruction_case> {};

TEST_P(one_instruction, gives_what_ptx_defines) {
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.optimise = optimise;
    EXPECT_EQ(difference(run_of(GetParam()), options), "") << (optimise ? "-O2" : "-O0");
  }
}

constexpr std::uint32_t minus(std::uint32_t v) { return 0u - v; }
constexpr std::uint32_t one_f32 = 0x3f800000;

const std::vector<instruction_case> cases = {
    // Variables of module scope: one for each thread, the same in all functions
    {"module_register",
     "mov.u32 %kept, %a; call add_b; mov.u32 %x, %kept;",
     {5, 7, 0, 0, 0, 0},
     12,
     0,
     ".reg .u32 %kept;\n.func add_b ()\n{\nadd.u32 %kept, %kept, 7;\nret;\n}\n"},
    {"module_memory",
     "st.local.u32 [kept+4], %a; call (%x), load_kept, (); add.u32 %y, %x, %b;",
     {5, 7, 0, 0, 0, 0},
     5,
     12,
     ".local .align 4 .b8 kept[8];\n.func (.reg .u32 r) load_kept ()\n{\nld.local.u32 r, [kept+4];\nret;\n}\n"},
    {"module_parameter",
     "st.param.u32 [passed], %a; call add_two; ld.param.u32 %x, [passed];",
     {5, 0, 0, 0, 0, 0},
     7,
     0,
     ".param .u32 passed;\n.func add_two ()\n{\n.reg .u32 %v;\nld.param.u32 %v, [passed];\n"
     "add.u32 %v, %v, 2;\nst.param.u32 [passed], %v;\nret;\n}\n"},
    // Forms of sm_20
    {"setp_ftz",
     "mov.b32 %f, %a; mov.b32 %g, %b; setp.lt.ftz.f32 %p, %f, %g; selp.u32 %x, 3, 4, %p;",
     {one_f32, 0x40000000, 0, 0, 0, 0},
     3,
     0},
    {"ldu", "ldu.global.u32 %x, [%in+4];", {5, 7, 0, 0, 0, 0}, 7, 0},
    // Carries
    {"add_cc", "add.cc.u32 %x, %a, %b; addc.u32 %y, %c, 0;", {0xffffffff, 2, 7, 0, 0, 0}, 1, 8},
    {"addc_cc",
     "add.cc.u32 %z, %a, 1; addc.cc.u32 %x, %b, 0; addc.u32 %y, %c, 5;",
     {0xffffffff, 0xffffffff, 1, 0, 0, 0},
     0,
     7},
    {"sub_cc_borrow", "sub.cc.u32 %x, %a, %b; subc.u32 %y, %c, 1;", {1, 2, 7, 0, 0, 0}, 0xffffffff, 5},
    {"sub_cc", "sub.cc.u32 %x, %a, %b; subc.u32 %y, %c, 1;", {2, 2, 7, 0, 0, 0}, 0, 6},
    // Literals only
    {"literals_and_or_xor",
     "and.b32 %x, 12, 10; or.b32 %z, 12, 3; xor.b32 %w, 5, 3; add.u32 %y, %z, %w;",
     {0, 0, 0, 0, 0, 0},
     8,
     21},
    {"literals_sub_mul", "sub.u32 %x, 3, 5; mul.lo.u32 %y, 6, 7;", {0, 0, 0, 0, 0, 0}, minus(2), 42},
    {"literals_mad_shl", "mad.lo.u32 %x, 3, 4, 5; shl.b32 %y, 1, 5;", {0, 0, 0, 0, 0, 0}, 17, 32},
    {"literals_shr_selp",
     "setp.lt.s32 %p, 1, 2; shr.s32 %x, -8, 1; selp.b32 %y, 4, 9, %p;",
     {0, 0, 0, 0, 0, 0},
     minus(4),
     4},
    {"literals_div_rem", "div.u32 %x, 17, 5; rem.s32 %y, -17, 5;", {0, 0, 0, 0, 0, 0}, 3, minus(2)},
    {"literals_min_abs", "min.s32 %x, -1, 1; abs.s32 %y, -5;", {0, 0, 0, 0, 0, 0}, minus(1), 5},
    {"literals_wide", "mad.wide.u32 %X, 32768, 8388608, 1; mov.b64 {%x, %y}, %X;", {0, 0, 0, 0, 0, 0}, 1, 0x40},
    {"literals_mad_64",
     "mad.lo.u64 %X, 0x500000001, 2, 0x10000000f; mov.b64 {%x, %y}, %X;",
     {0, 0, 0, 0, 0, 0},
     0x11,
     0xb},
    // A register that a loop reads before the only write to it there
    {"copy_of_the_round_before",
     "again: setp.eq.u32 %p, %y, 0; @%p bra first; add.u32 %x, %x, %z;\n"
     "first: mul.lo.u32 %w, %y, %y; mov.u32 %z, %w; add.u32 %y, %y, 1; setp.lt.u32 %q, %y, %a; @%q bra again;",
     {5, 0, 0, 0, 0, 0},
     1 + 4 + 9,
     5},
    {"sum_with_the_round_before",
     "again: setp.eq.u32 %p, %y, 0; add.u32 %w, %z, 100; @%p bra first; add.u32 %x, %x, %w;\n"
     "first: mul.lo.u32 %z, %y, %y; add.u32 %w, %z, 100; xor.b32 %x, %x, %w; add.u32 %y, %y, 1;\n"
     "setp.lt.u32 %q, %y, %a; @%q bra again;",
     {5, 0, 0, 0, 0, 0},
     392,
     5},
    // Results in longer registers
    {"cvt_to_a_longer_register",
     "cvt.u16.u32 %h, %a; cvt.s16.u16 %x, %h; cvt.u16.s16 %y, %h;",
     {0xffff, 0, 0, 0, 0, 0},
     0xffffffff,
     0xffff},
    {"cvt_of_8_bits", "cvt.s8.u8 %x, %a; cvt.u8.s8 %y, %a;", {0xff, 0, 0, 0, 0, 0}, 0xffffffff, 0xff},
    {"cvt_to_a_pair",
     "cvt.s32.s16 %X, %a; cvt.u32.u64 %x, %X; shr.u64 %X, %X, 32; cvt.u32.u64 %y, %X;",
     {0xffff, 0, 0, 0, 0, 0},
     0xffffffff,
     0xffffffff},
    {"cvt_of_a_float_to_a_pair",
     "mov.b32 %f, %a; cvt.rzi.s32.f32 %X, %f; mov.b64 {%x, %y}, %X;",
     {0xc0a00000, 0, 0, 0, 0, 0},
     minus(5),
     0xffffffff},
    {"parameter_to_a_pair",
     "{ .param .b32 p0; st.param.b32 [p0], %a; .param .b64 r0; call (r0), widen, (p0); ld.param.b64 %X, [r0]; }\n"
     "mov.b64 {%x, %y}, %X;",
     {minus(3), 0, 0, 0, 0, 0},
     minus(3),
     0xffffffff,
     ".func (.param .b64 r) widen (.param .b32 v)\n{\n.reg .s64 %l;\nld.param.s32 %l, [v];\n"
     "st.param.b64 [r], %l;\nret;\n}\n"},
    // Scopes
    {"labels_of_scopes",
     "{ mov.u32 %z, %a; again: add.u32 %x, %x, 1; sub.u32 %z, %z, 1; setp.ne.u32 %p, %z, 0; @%p bra again; }\n"
     "{ mov.u32 %z, %b; bra over; again: add.u32 %y, %y, 2; over: sub.u32 %z, %z, 1; setp.ne.u32 %p, %z, 0;\n"
     "@%p bra again; }",
     {3, 5, 0, 0, 0, 0},
     3,
     8},
    // Guards
    {"guarded_parameter_store",
     "{ .param .b32 p0; st.param.b32 [p0], %a; .param .b32 r0; call (r0), pick, (p0); ld.param.b32 %x, [r0]; }\n"
     "{ .param .b32 p0; st.param.b32 [p0], %b; .param .b32 r0; call (r0), pick, (p0); ld.param.b32 %y, [r0]; }",
     {1, 77, 0, 0, 0, 0},
     5,
     77,
     ".func (.param .b32 r) pick (.param .b32 v)\n{\n.reg .u32 %l;\n.reg .pred %n;\nld.param.u32 %l, [v];\n"
     "st.param.b32 [r], 5;\nsetp.eq.u32 %n, %l, 77;\n@%n st.param.b32 [r], %l;\nret;\n}\n"},
    {"guarded_fma_sat",
     "mov.b32 %f, %a; setp.eq.u32 %p, %a, 0; @%p fma.rn.sat.f32 %f, %f, %f, %f; mov.b32 %x, %f;",
     {0x40a00000, 0, 0, 0, 0, 0},
     0x40a00000,
     0},
    {"guarded_vote",
     "cvt.u32.u16 %z, %tid.x; setp.ge.u32 %p, %z, 16; setp.eq.u32 %q, %a, %a; @%p vote.all.pred %q, %p;\n"
     "selp.u32 %x, 1, 0, %q;",
     {0, 0, 0, 0, 0, 0},
     1,
     0,
     "",
     32},
    // Saturation
    {"mad_hi_sat",
     "mad.hi.sat.s32 %x, %a, %b, %c; mad.hi.sat.s32 %y, %a, 4, %c;",
     {0x40000000, 0x40000000, 0x7ffffff0, 0, 0, 0},
     0x7fffffff,
     0x7ffffff1},
    {"mad24_hi_sat",
     "mad24.hi.sat.s32 %x, %a, %b, %c;",
     {minus(0x7fffff), 0x7fffff, 0x80000001, 0, 0, 0},
     0x80000000,
     0},
    {"cvt_sat_u8_s32", "cvt.sat.u8.s32 %x, %a; cvt.sat.u8.s32 %y, %b;", {minus(5), 300, 0, 0, 0, 0}, 0, 255},
    {"cvt_sat_s8_s32",
     "cvt.sat.s8.s32 %x, %a; cvt.sat.s8.s32 %y, %b;",
     {minus(500), 100, 0, 0, 0, 0},
     minus(128),
     100},
    {"cvt_sat_s16_u32",
     "cvt.sat.s16.u32 %h, %a; cvt.u32.u16 %x, %h; cvt.sat.u16.u32 %h, %a; cvt.u32.u16 %y, %h;",
     {0xfffffff0, 0, 0, 0, 0, 0},
     0x7fff,
     0xffff},
    {"cvt_sat_u32_s32",
     "cvt.sat.u32.s32 %x, %a; cvt.sat.s32.u32 %y, %b;",
     {minus(1), 0x90000000, 0, 0, 0, 0},
     0,
     0x7fffffff},
    {"cvt_sat_s32_s64",
     "cvt.sat.s32.s64 %x, %A; cvt.sat.s32.s64 %y, %B;",
     {0, 1, 0, 0x80000000, 0, 0},
     0x7fffffff,
     0x80000000},
    {"cvt_sat_u32_s64", "cvt.sat.u32.s64 %x, %A; cvt.sat.u32.s64 %y, %B;", {5, 0, 0, 0x80000000, 0, 0}, 5, 0},
    {"cvt_sat_u64_s64", "cvt.sat.u64.s64 %X, %A; mov.b64 {%x, %y}, %X;", {5, 0x80000000, 0, 0, 0, 0}, 0, 0},
    {"cvt_sat_s64_u64",
     "cvt.sat.s64.u64 %X, %A; mov.b64 {%x, %y}, %X;",
     {5, 0x80000000, 0, 0, 0, 0},
     0xffffffff,
     0x7fffffff},
    {"cvt_sat_u64_s32", "cvt.sat.u64.s32 %X, %a; mov.b64 {%x, %y}, %X;", {minus(5), 0, 0, 0, 0, 0}, 0, 0},
    {"sat_of_special",
     "mov.b32 %f, %a; rcp.approx.sat.f32 %f, %f; mov.b32 %x, %f; mov.b32 %f, %b; div.full.sat.f32 %f, %f, %f; "
     "mov.b32 %y, %f;",
     {0x3f000000, 0x40400000, 0, 0, 0, 0},
     one_f32,
     one_f32},
    // Quotients by numbers whose reciprocal is not a normal number
    {"div_full_by_large",
     "mov.b32 %f, %a; mov.b32 %g, %b; div.full.f32 %e, %f, %f; mov.b32 %x, %e; div.full.f32 %e, %g, %f; "
     "mov.b32 %y, %e;",
     {0x7f000000, 0xff7fffff, 0, 0, 0, 0},
     one_f32,
     0xbfffffff},
    {"div_full_of_and_by_literals",
     "mov.b32 %f, %a; div.full.f32 %e, 0f7E800000, %f; mov.b32 %x, %e; div.full.f32 %e, %f, 0f7F000000; "
     "mov.b32 %y, %e;",
     {0xff000000, 0, 0, 0, 0, 0},
     0xbf000000,
     0xbf800000},
    {"div_full_at_the_ends",
     "mov.b32 %f, %a; mov.b32 %g, %b; div.full.f32 %e, %f, %g; mov.b32 %x, %e; mov.b32 %f, %c; "
     "div.full.f32 %e, %g, %f; mov.b32 %y, %e;",
     {0x3f800000, 0x7e800000, 0x00800000, 0, 0, 0},
     0x00800000,
     0x7f800000},
    {"div_full_of_infinities",
     "mov.b32 %f, %a; mov.b32 %g, %b; div.full.f32 %e, %f, %f; mov.b32 %x, %e; div.full.f32 %e, %g, %f; "
     "mov.b32 %y, %e;",
     {0x7f800000, 0xff7fffff, 0, 0, 0, 0},
     0x7fffffff,
     0x80000000},
    {"div_full_with_one_destination",
     "mov.b32 %f, %a; div.full.f32 %f, %f, %f; mov.b32 %x, %f; mov.b32 %g, %b; mov.b32 %f, %a; setp.eq.u32 %p, "
     "%c, 0; @%p div.full.f32 %g, %f, %g; @!%p div.full.f32 %g, %g, %g; mov.b32 %y, %g;",
     {0x7f000000, 0x7f000000, 0, 0, 0, 0},
     one_f32,
     one_f32},
    {"div_approx_by_large",
     "mov.b32 %f, %a; div.approx.f32 %e, %f, %f; mov.b32 %x, %e;",
     {0x7f000000, 0, 0, 0, 0, 0},
     0,
     0},
    // Half precision
    {"cvt_f32_f16",
     "cvt.u16.u32 %h, %a; cvt.f32.f16 %f, %h; mov.b32 %x, %f; cvt.u16.u32 %h, %b; cvt.f32.f16 %f, %h; mov.b32 %y, "
     "%f;",
     {0x3c00, 0xc500, 0, 0, 0, 0},
     one_f32,
     0xc0a00000},
    {"cvt_rn_f16_f32",
     "mov.b32 %f, %a; cvt.rn.f16.f32 %h, %f; cvt.u32.u16 %x, %h; mov.b32 %f, %b; cvt.rz.f16.f32 %h, %f; "
     "cvt.u32.u16 %y, %h;",
     {0x3f803000, 0x3f803000, 0, 0, 0, 0},
     0x3c02,
     0x3c01},
    {"cvt_f64_f16",
     "cvt.u16.u32 %h, %a; cvt.f64.f16 %d, %h; mov.b64 {%x, %y}, %d;",
     {0xc500, 0, 0, 0, 0, 0},
     0,
     0xc0140000},
    // 1 + 2^-11 + 2^-40 lies above the midpoint of two .f16 numbers, although its .f32 neighbour is the midpoint.
    {"cvt_rn_f16_f64",
     "mov.b64 %d, %A; cvt.rn.f16.f64 %h, %d; cvt.u32.u16 %x, %h; mov.b64 %d, %B; cvt.rn.f16.f64 %h, %d; "
     "cvt.u32.u16 %y, %h;",
     {0x1000, 0x3ff00200, 0, 0x3ff00200, 0, 0},
     0x3c01,
     0x3c00},
    {"cvt_rn_f16_s32",
     "cvt.rn.f16.s32 %h, %a; cvt.u32.u16 %x, %h; cvt.rn.f16.s64 %h, %B; cvt.u32.u16 %y, %h;",
     {minus(5), 0, 0, 1, 0, 0},
     0xc500,
     0x7c00},
    {"cvt_rzi_s32_f16",
     "cvt.u16.u32 %h, %a; cvt.rzi.s32.f16 %x, %h; cvt.rmi.s32.f16 %y, %h;",
     {0xc580, 0, 0, 0, 0, 0},
     minus(5),
     minus(6)},
    // 64 bits
    {"mad_hi_u64", "mad.hi.u64 %X, %A, %B, %C; mov.b64 {%x, %y}, %X;", {0, 0x80000000, 0, 4, 7, 1}, 7, 3},
    {"mad_hi_s64", "mad.hi.s64 %X, %A, %B, %C; mov.b64 {%x, %y}, %X;", {minus(1), minus(1), 3, 0, 7, 0}, 6, 0},
    {"sad_s64", "sad.s64 %X, %A, %B, %C; mov.b64 {%x, %y}, %X;", {minus(2), minus(1), 3, 1, 7, 0}, 12, 1},
    {"cnot_b64",
     "cnot.b64 %X, %A; cvt.u32.u64 %x, %X; cnot.b64 %X, %B; cvt.u32.u64 %y, %X;",
     {0, 1, 0, 0, 0, 0},
     0,
     1},
    {"rsqrt_f64",
     "mov.b64 %d, %A; rsqrt.approx.f64 %d, %d; mov.b64 {%x, %y}, %d;",
     {0, 0x40300000, 0, 0, 0, 0},
     0,
     0x3fd00000},
    // The reciprocal of 2 - 2^-52 lies just above the midpoint of two numbers.
    {"div_f64_by_all_ones",
     "mov.b64 %d, %A; div.rn.f64 %D, 0d3FF0000000000000, %d; mov.b64 {%x, %z}, %D; div.rn.f64 %D, "
     "0d4000000000000000, %d; mov.b64 {%z, %w}, %D; shl.b32 %z, %z, 4; or.b32 %x, %x, %z; rcp.rn.f64 %D, %d; "
     "mov.b64 {%z, %y}, %D; shl.b32 %z, %z, 8; or.b32 %x, %x, %z;",
     {0xffffffff, 0x3fffffff, 0, 0, 0, 0},
     0x111,
     0x3fe00000},
    {"div_f64_by_nearly_one",
     "mov.b64 %d, %A; div.rn.f64 %D, 0d3FF0000000000000, %d; mov.b64 {%x, %y}, %D; div.rn.f64 %D, %d, %d; "
     "mov.b64 {%z, %w}, %D; or.b32 %x, %x, %z;",
     {0xffffffff, 0x3fefffff, 0, 0, 0, 0},
     1,
     0x3ff00000},
    {"atom_add_u64",
     "atom.global.add.u64 %X, [%out], %A; atom.global.add.u64 %X, [%out], %B; mov.b64 {%x, %y}, %X;",
     {5, 6, 1, 1, 0, 0},
     5,
     6},
    {"atom_cas_b64",
     "atom.global.cas.b64 %X, [%in], %A, %B; ld.global.u64 %X, [%in]; mov.b64 {%x, %y}, %X;",
     {5, 6, 1, 2, 0, 0},
     1,
     2},
    {"atom_exch_b64",
     "atom.global.exch.b64 %X, [%in], %B; ld.global.u64 %Y, [%in]; xor.b64 %X, %X, %Y; mov.b64 {%x, %y}, %X;",
     {5, 6, 1, 2, 0, 0},
     4,
     4},
    {"red_add_u64",
     "red.global.add.u64 [%in], %B; ld.global.u64 %X, [%in]; mov.b64 {%x, %y}, %X;",
     {0xffffffff, 6, 1, 2, 0, 0},
     0,
     9},
    // Votes, packing
    {"vote_uni",
     "setp.eq.u32 %p, %a, 1; vote.uni.pred %q, %p; selp.u32 %x, 1, 0, %q; setp.eq.u32 %p, %a, 2; vote.uni.pred %q, "
     "!%p; "
     "selp.u32 %y, 1, 0, %q;",
     {1, 0, 0, 0, 0, 0},
     1,
     1},
    {"pack_halves",
     "mov.b64 {%h, %i, %j, %k}, %A; mov.b64 %X, {%k, %j, %i, %h}; mov.b64 {%x, %y}, %X;",
     {0x22221111, 0x44443333, 0, 0, 0, 0},
     0x33334444,
     0x11112222},
    {"pack_bytes",
     "mov.b32 {%h, %i, %j, %k}, %a; mov.b32 %x, {%k, %j, %i, %h}; mov.b16 {%h, %i}, %j; cvt.u32.u16 %y, %h;",
     {0x44332211, 0, 0, 0, 0, 0},
     0x11223344,
     0x33},
    // Accesses whose alignment is known to be smaller
    {"unaligned_load",
     "ld.global.u64 %X, [table+4]; mov.b64 {%x, %y}, %X;",
     {0, 0, 0, 0, 0, 0},
     0x55667788,
     0x99aabbcc},
    {"unaligned_word",
     "ld.global.u32 %x, [table+2]; ld.global.s16 %y, [table+7];",
     {0, 0, 0, 0, 0, 0},
     0x77881122,
     minus(0x33ab)},
    {"unaligned_shared",
     "st.shared.u32 [bytes+3], %a; st.shared.u16 [bytes+9], %b; ld.shared.u32 %x, [bytes+3]; ld.shared.s16 %y, "
     "[bytes+9];",
     {0x12345678, 0x8765, 0, 0, 0, 0},
     0x12345678,
     0xffff8765},
    {"unaligned_local",
     "st.local.v2.u32 [own+4], {%a, %b}; st.local.u32 [own+17], %a; ld.local.u32 %x, [own+17]; ld.local.u32 %y, "
     "[own+8];",
     {0x12345678, 0x8765, 0, 0, 0, 0},
     0x12345678,
     0x8765},
    // Instructions without effect on one thread
    {"membar_alone", "membar.gl; mov.u32 %x, 1;", {0, 0, 0, 0, 0, 0}, 1, 0},
    {"trap_under_a_false_guard",
     "setp.eq.u32 %p, %a, 1; @%p trap; pmevent 3; mov.u32 %x, 1;",
     {0, 0, 0, 0, 0, 0},
     1,
     0},
    {"folded_constants",
     "mov.u32 %z, 5; xor.b32 %z, %z, 3; add.u32 %z, %z, 4; xor.b32 %x, %z, %a; cvt.s32.s8 %w, 0xf0; add.u32 %y, "
     "%w, %a;",
     {1, 0, 0, 0, 0, 0},
     11,
     minus(15)},
};

INSTANTIATE_TEST_SUITE_P(ptx, one_instruction, testing::ValuesIn(cases),
                         [](const auto& test) { return test.param.name; });

// NaNs, signed zeros, denormals, and the ends of ranges: docs/ptx.md says which bits are guaranteed, for compiled
// code and for the interpreter of the random programs.
class special_number : public testing::TestWithParam<instruction_case> {};

TEST_P(special_number, has_these_bits_in_compiled_code) {
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.optimise = optimise;
    EXPECT_EQ(difference(run_of(GetParam()), options), "") << (optimise ? "-O2" : "-O0");
  }
}

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
