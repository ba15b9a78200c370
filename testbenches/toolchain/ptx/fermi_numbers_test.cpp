// Division, reciprocal and square root of compiled code for sm_20 are correctly rounded: a million operands each,
// random and directed, against the host. GT200_NUMBERS: how many, in place of what an ordinary run of the tests
// takes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "toolchain/emulator/functional_device.h"
#include "toolchain/launch/launch_run.h"
#include "toolchain/launch/prepare.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

constexpr std::size_t ordinary_count = 1u << 17;
constexpr unsigned block = 256;

std::size_t count_of_numbers() {
  const char* wanted = std::getenv("GT200_NUMBERS");
  const std::size_t count = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : ordinary_count;
  return (count + block - 1) / block * block;
}

// Results of `instruction` on pairs of operands.
template <class number>
std::vector<number> computed(const std::string& instruction, bool two, const std::vector<number>& a,
                             const std::vector<number>& b) {
  const std::string type = sizeof(number) == 4 ? "f32" : "f64";
  const std::string size = std::to_string(sizeof(number));
  const std::string text =
      ".version 3.1\n.target sm_20\n.address_size 64\n"
      ".entry apply (.param .u64 a, .param .u64 b, .param .u64 c)\n{\n.reg .u64 %a, %b, %c, %o;\n"
      ".reg .u32 %i, %t, %n;\n.reg ." +
      type +
      " %x, %y, %z;\n"
      "mov.u32 %i, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %n, %t;\n"
      "ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u64 %c, [c];\n"
      "mul.wide.u32 %o, %i, " +
      size +
      ";\nadd.u64 %a, %a, %o; add.u64 %b, %b, %o; add.u64 %c, %c, %o;\n"
      "ld.global." +
      type + " %x, [%a]; ld.global." + type + " %y, [%b];\n" + instruction + " %z, %x" + (two ? ", %y" : "") +
      ";\nst.global." + type + " [%c], %z;\nexit;\n}\n";
  compile_options options;
  options.capability = 20;
  const cubin::module module = compile(text, "numbers.ptx", options);
  const std::string count = std::to_string(a.size());
  std::string description = "schema = 1\nsource = \"numbers.ptx\"\n";
  for (const char* name : {"a", "b", "c"})
    description += std::string("[[buffer]]\nname = \"") + name + "\"\ntype = \"" + type + "\"\ncount = " + count +
                   "\ninit = \"zeros\"\n";
  description += "[[step]]\nlaunch = \"apply\"\ngrid = [" + std::to_string(a.size() / block) + "]\nblock = [" +
                 std::to_string(block) + "]\narguments = [\"a\", \"b\", \"c\"]\n";
  const launch::description parsed = launch::parse(description, "launch.toml");
  launch::device_allocator allocator;
  const launch::prepared prepared = launch::prepare(parsed, module, {}, allocator);
  emulator::functional_device device(prepared, {});
  const launch::device interface = device.interface();
  launch::upload(prepared, interface);
  const auto write = [&](const char* name, const std::vector<number>& values) {
    interface.write(prepared.buffer_at(name).address, reinterpret_cast<const std::uint8_t*>(values.data()),
                    values.size() * sizeof(number));
  };
  write("a", a);
  write("b", b);
  launch::execute(prepared, interface);
  std::vector<number> c(a.size());
  interface.read(prepared.buffer_at("c").address, reinterpret_cast<std::uint8_t*>(c.data()),
                 c.size() * sizeof(number));
  return c;
}

// All exponents, simple and crowded significands, neighbours of powers of two, zeros, denormals, infinities, NaNs.
template <class number, class word>
std::vector<number> operands(std::uint64_t seed, unsigned fraction_bits) {
  std::mt19937_64 random(seed);
  std::vector<number> made;
  for (std::size_t k = 0; k < count_of_numbers(); ++k) {
    auto bits = static_cast<word>(random());
    const word fraction = (word{1} << fraction_bits) - 1;
    switch (k % 8) {
      case 0: bits |= fraction; break;                                             // just below a power of two
      case 1: bits &= ~(fraction >> 3); break;                                     // few bits
      case 2: bits = (bits & ~fraction) | static_cast<word>(random() % 4); break;  // just above
      case 3: bits &= fraction | word{1} << (8 * sizeof(word) - 1); break;         // denormal
      case 4:                                                                      // near one
        bits = (bits & fraction) | word{(word{1} << (8 * sizeof(word) - 2 - fraction_bits)) - 1} << fraction_bits;
        break;
      default: break;
    }
    number v = 0;
    std::memcpy(&v, &bits, sizeof v);
    made.push_back(v);
  }
  const number directed[] = {number{0},
                             -number{0},
                             number{1},
                             -number{1},
                             std::numeric_limits<number>::infinity(),
                             -std::numeric_limits<number>::infinity(),
                             std::numeric_limits<number>::quiet_NaN(),
                             std::numeric_limits<number>::max(),
                             std::numeric_limits<number>::min(),
                             std::numeric_limits<number>::denorm_min(),
                             -std::numeric_limits<number>::denorm_min()};
  constexpr std::size_t kinds = sizeof directed / sizeof directed[0];
  // Each with each, as `seed` is 1 or 2.
  for (std::size_t k = 0; k < kinds * kinds && k < made.size(); ++k)
    made[k] = directed[seed == 1 ? k % kinds : k / kinds];
  return made;
}

template <class number, class word, class host>
void expect_rounded(const std::string& instruction, bool two, host reference) {
  constexpr unsigned fraction_bits = std::numeric_limits<number>::digits - 1;
  const auto a = operands<number, word>(1, fraction_bits);
  const auto b = operands<number, word>(2, fraction_bits);
  const auto c = computed(instruction, two, a, b);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    const number expected = reference(a[k], b[k]);
    const bool same = std::isnan(expected) ? std::isnan(c[k]) : std::memcmp(&expected, &c[k], sizeof expected) == 0;
    if (same) continue;
    if (++wrong <= 5)
      ADD_FAILURE() << instruction << " of " << std::hexfloat << a[k] << (two ? " and " : "")
                    << (two ? b[k] : number{0}) << " is " << c[k] << ", expected " << expected;
  }
  EXPECT_EQ(wrong, 0u) << "of " << c.size();
}

TEST(fermi_numbers, quotients_of_floats_are_correctly_rounded) {
  expect_rounded<float, std::uint32_t>("div.rn.f32", true, [](float x, float y) { return x / y; });
}
TEST(fermi_numbers, reciprocals_of_floats_are_correctly_rounded) {
  expect_rounded<float, std::uint32_t>("rcp.rn.f32", false, [](float x, float) { return 1 / x; });
}
TEST(fermi_numbers, roots_of_floats_are_correctly_rounded) {
  expect_rounded<float, std::uint32_t>("sqrt.rn.f32", false, [](float x, float) { return std::sqrt(x); });
}
TEST(fermi_numbers, quotients_of_doubles_are_correctly_rounded) {
  expect_rounded<double, std::uint64_t>("div.rn.f64", true, [](double x, double y) { return x / y; });
}
TEST(fermi_numbers, reciprocals_of_doubles_are_correctly_rounded) {
  expect_rounded<double, std::uint64_t>("rcp.rn.f64", false, [](double x, double) { return 1 / x; });
}
TEST(fermi_numbers, roots_of_doubles_are_correctly_rounded) {
  expect_rounded<double, std::uint64_t>("sqrt.rn.f64", false, [](double x, double) { return std::sqrt(x); });
}

// PTX for sm_20: results that are not a number are 0x7fffffff in single precision; denormals stay unless .ftz.
TEST(fermi_numbers, keep_denormals_unless_flushed) {
  const std::vector<float> a(block, 1.5e-39f);
  const std::vector<float> b(block, 0.5f);
  EXPECT_EQ(computed("mul.rn.f32", true, a, b)[0], 1.5e-39f * 0.5f);
  EXPECT_EQ(computed("mul.rn.ftz.f32", true, a, b)[0], 0.0f);
  EXPECT_EQ(computed("div.rn.ftz.f32", true, b, a)[0], std::numeric_limits<float>::infinity());
}

TEST(fermi_numbers, that_are_none_have_one_pattern) {
  const std::vector<float> a(block, std::numeric_limits<float>::infinity());
  const auto c = computed("sub.rn.f32", true, a, a);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &c[0], sizeof bits);
  EXPECT_EQ(bits, 0x7fffffffu);
}

}  // namespace
}  // namespace gt200::ptx
