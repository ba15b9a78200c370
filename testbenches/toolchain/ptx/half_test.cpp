// Arithmetic and comparisons of .f16 and .f16x2 on sm_70, compiled without and with optimisation, on random
// numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "testbenches/toolchain/isa/volta/exact_half.h"
#include "testbenches/toolchain/ptx/random_run.h"
#include "toolchain/error.h"

namespace gt200::ptx {
namespace {

using isa::volta::flushed_half;
using isa::volta::rounded_half;
using isa::volta::value_of_half;

constexpr unsigned threads = 256;
constexpr unsigned words_per_thread = 3;

// %a, %b, %c are the thread's words, %h, %i, %j their lower halves; the result is %x.
std::string program_of(const std::string& code) {
  return ".version 6.0\n.target sm_70\n.address_size 64\n.entry random (.param .u64 in, .param .u64 out)\n{\n"
         ".reg .u64 %in, %out, %t;\n.reg .u32 %n, %a, %b, %c, %x;\n.reg .f16 %h, %i, %j, %k;\n.reg .pred %p, %q;\n"
         "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %n, %tid.x;\n"
         "mul.wide.u32 %t, %n, 12;\nadd.u64 %in, %in, %t;\nmul.wide.u32 %t, %n, 4;\nadd.u64 %out, %out, %t;\n"
         "ld.global.u32 %a, [%in];\nld.global.u32 %b, [%in+4];\nld.global.u32 %c, [%in+8];\n"
         "ld.global.b16 %h, [%in];\nld.global.b16 %i, [%in+4];\nld.global.b16 %j, [%in+8];\n" +
         code + "\nst.global.u32 [%out], %x;\nexit;\n}\n";
}

using result_function = std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>;

void expect_results(const std::string& code, const result_function& expected) {
  std::mt19937_64 random(17);
  constexpr std::uint32_t special[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                       0x0001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3bff, 0x1000, 0x8001};
  const auto half = [&] {
    return random() % 3 == 0 ? special[random() % 16] : static_cast<std::uint32_t>(random() & 0xffff);
  };
  std::string in;
  std::string out;
  for (unsigned k = 0; k < threads; ++k) {
    std::uint32_t words[words_per_thread];
    for (std::uint32_t& w : words) w = half() | half() << 16;
    in += fmt::format("{}, {}, {}, ", words[0], words[1], words[2]);
    out += fmt::format("{}, ", expected(words[0], words[1], words[2]));
  }
  expected_run run;
  run.program.text = program_of(code);
  run.launch = fmt::format(
      "schema = 1\nsource = \"random.ptx\"\n[[buffer]]\nname = \"in\"\ntype = \"u32\"\nvalues = [{}]\n"
      "[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = {}\ninit = \"zeros\"\n"
      "[[step]]\nlaunch = \"random\"\ngrid = [1]\nblock = [{}]\narguments = [\"in\", \"out\"]\n"
      "[[expect]]\nbuffer = \"out\"\nvalues = [{}]\n",
      in, threads, threads, out);
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.capability = 70;
    options.optimise = optimise;
    EXPECT_EQ(difference(run, options), "") << code << (optimise ? " -O2" : " -O0");
  }
}

constexpr std::uint32_t low(std::uint32_t x) { return x & 0xffff; }

// `name` of pairs and of single numbers, with the operands that the arity says.
void expect_arithmetic(const std::string& name, unsigned arity, const result_function& of_halves) {
  const char* const pairs[] = {"", "%a", "%a, %b", "%a, %b, %c"};
  const char* const numbers[] = {"", "%h", "%h, %i", "%h, %i, %j"};
  expect_results(name + ".f16x2 %x, " + pairs[arity] + ";", [&](auto a, auto b, auto c) {
    return of_halves(low(a), low(b), low(c)) | of_halves(a >> 16, b >> 16, c >> 16) << 16;
  });
  expect_results(name + ".f16 %k, " + numbers[arity] + "; cvt.u32.u16 %x, %k;",
                 [&](auto a, auto b, auto c) { return of_halves(low(a), low(b), low(c)); });
}

TEST(halves, sums_products_and_multiply_adds_are_rounded_once) {
  expect_arithmetic("add", 2,
                    [](auto a, auto b, auto) { return rounded_half(value_of_half(a) + value_of_half(b)); });
  expect_arithmetic("sub.rn", 2,
                    [](auto a, auto b, auto) { return rounded_half(value_of_half(a) - value_of_half(b)); });
  expect_arithmetic("mul", 2,
                    [](auto a, auto b, auto) { return rounded_half(value_of_half(a) * value_of_half(b)); });
  expect_arithmetic("fma.rn", 3, [](auto a, auto b, auto c) {
    return rounded_half(value_of_half(a) * value_of_half(b) + value_of_half(c));
  });
  expect_arithmetic("mul.ftz", 2, [](auto a, auto b, auto) {
    return flushed_half(rounded_half(value_of_half(flushed_half(a)) * value_of_half(flushed_half(b))));
  });
  expect_arithmetic("add.sat", 2, [](auto a, auto b, auto) -> std::uint32_t {
    const auto v = value_of_half(a) + value_of_half(b);
    return !(v > 0) ? 0 : v > 1 ? 0x3c00 : rounded_half(v);
  });
}

TEST(halves, neg_and_abs_change_the_sign_alone) {
  expect_arithmetic("neg", 1, [](auto a, auto, auto) { return a ^ 0x8000; });
  expect_arithmetic("abs", 1, [](auto a, auto, auto) { return a & 0x7fff; });
  expect_arithmetic("neg.ftz", 1, [](auto a, auto, auto) { return rounded_half(-value_of_half(flushed_half(a))); });
}

TEST(halves, numbers_in_the_code_are_as_good_as_registers) {
  expect_results("mov.b32 %b, 0x4000c000; sub.f16x2 %x, %a, %b;", [](auto a, auto, auto) {
    return rounded_half(value_of_half(low(a)) + 2) | rounded_half(value_of_half(a >> 16) - 2) << 16;
  });
  expect_results("mov.b16 %i, 0x3800; sub.f16 %k, %i, %h; cvt.u32.u16 %x, %k;",
                 [](auto a, auto, auto) { return rounded_half(0.5L - value_of_half(low(a))); });
}

const std::string both = "selp.u32 %x, 1, 0, %p; @%q add.u32 %x, %x, 2;";

TEST(halves, a_comparison_of_pairs_gives_a_predicate_for_each_half) {
  expect_results("setp.gt.f16x2 %p|%q, %a, %b; " + both, [](auto a, auto b, auto) {
    return (value_of_half(low(a)) > value_of_half(low(b)) ? 1u : 0u) |
           (value_of_half(a >> 16) > value_of_half(b >> 16) ? 2u : 0u);
  });
}

TEST(halves, a_comparison_of_numbers_gives_a_predicate_and_its_opposite) {
  expect_results("setp.ltu.f16 %p|%q, %h, %i; " + both,
                 [](auto a, auto b, auto) { return !(value_of_half(low(a)) >= value_of_half(low(b))) ? 1u : 2u; });
  expect_results("setp.gt.u32 %p, %a, %b; setp.eq.or.f16 %p|%q, %h, %h, %p; " + both, [](auto a, auto b, auto) {
    const bool is_number = value_of_half(low(a)) == value_of_half(low(a));
    return (is_number || a > b ? 1u : 0u) | (!is_number || a > b ? 2u : 0u);
  });
}

TEST(halves, a_guard_leaves_the_result_alone) {
  expect_results("mov.u32 %x, 7; setp.gt.u32 %p, %a, %b; @%p add.f16x2 %x, %a, %b;", [](auto a, auto b, auto) {
    if (a <= b) return 7u;
    return rounded_half(value_of_half(low(a)) + value_of_half(low(b))) |
           rounded_half(value_of_half(a >> 16) + value_of_half(b >> 16)) << 16;
  });
}

TEST(halves, what_needs_a_later_chip_is_refused_by_name) {
  for (const char* code : {"min.f16x2 %x, %a, %b;", "max.f16 %k, %h, %i;", "fma.rn.relu.f16x2 %x, %a, %b, %c;",
                           "add.bf16x2 %x, %a, %b;", "tanh.approx.f16 %k, %h;", "ex2.approx.f16 %k, %h;"}) {
    compile_options options;
    options.capability = 70;
    EXPECT_THROW(compile(program_of(code), "random.ptx", options), input_error) << code;
  }
}

}  // namespace
}  // namespace gt200::ptx
