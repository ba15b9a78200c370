// Errors of the special functions for every input of the ranges with published bounds, as Markdown.
//
// The functions are executed as instructions, after the range reduction that programs use, and compared with the
// double-precision functions of the host, whose own error (below 2^-28 of the units here) is negligible. An ulp is
// that of the binade of the exact value.
//
// Bounds: Oberman and Siu, ARITH-17 2005 (rcp, rsqrt, ex2 on [0.5, 1), lg2 on [1, 2)); CUDA C programming guide 5.5
// (sin, cos); elsewhere the largest error of the hardware, measured with envytools' bit-exact model.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::isa::tesla {
namespace {

enum class measure : std::uint8_t { ulp, absolute };

struct range {
  const char* function;
  const char* text;  // of the range
  std::uint32_t first, end;
  double (*exact)(double);
  measure unit;
  double bound;     // ulp, or log2 of the absolute error
  double hardware;  // largest error of the hardware, same unit
};

double reciprocal(double x) { return 1 / x; }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }

constexpr std::uint32_t pi = 0x40490fdb;
const range ranges[] = {
    {"rcp", "[1, 2)", 0x3f800000, 0x40000000, reciprocal, measure::ulp, 0.98, 0.9749},
    {"rsqrt", "[1, 4)", 0x3f800000, 0x40800000, reciprocal_root, measure::ulp, 1.52, 1.5145},
    {"ex2", "[0.5, 1)", 0x3f000000, 0x3f800000, std::exp2, measure::ulp, 1.41, 1.3984},
    {"ex2", "[1, 2)", 0x3f800000, 0x40000000, std::exp2, measure::ulp, 1.3903, 1.3903},
    {"ex2", "(-2, -1]", 0xbf800000, 0xc0000000, std::exp2, measure::ulp, 2.0550, 2.0550},
    {"lg2", "[1, 2)", 0x3f800000, 0x40000000, std::log2, measure::absolute, -22.57, -22.577},
    {"lg2", "[2, 4)", 0x40000000, 0x40800000, std::log2, measure::ulp, 1.3820, 1.3820},
    {"lg2", "[0.5, 1)", 0x3f000000, 0x3f800000, std::log2, measure::absolute, -22.148, -22.148},
    {"sin", "[2^-7, pi)", 0x3c000000, pi, std::sin, measure::absolute, -21.41, -21.457},
    {"cos", "[2^-7, pi)", 0x3c000000, pi, std::cos, measure::absolute, -21.19, -21.240},
};

instruction parsed(const std::string& text) {
  std::string label;
  decode_error error;
  const auto i = parse(text, label, error);
  if (!i) throw std::runtime_error(text + ": " + error.reason);
  return *i;
}

double number(std::uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return static_cast<double>(f);
}

struct errors {
  std::uint64_t inputs = 0;
  std::uint64_t exactly_rounded = 0;
  double ulp = 0;
  double absolute = 0;
};

class function {
 public:
  explicit function(const std::string& name)
      : reduced_(name == "ex2" || name == "sin" || name == "cos"),
        reduction_(parsed(name == "ex2" ? "preex2 f32 $r1 $r1" : "presin f32 $r1 $r1")),
        unit_(parsed(name + " f32 $r0 $r1")) {
    std::memset(&bundle_, 0, sizeof bundle_);
  }

  // The results of 32 consecutive inputs.
  const lane_words& operator()(std::uint32_t first) {
    lane_words& x = bundle_.source[0][0];
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) x.lane[lane] = first + lane;
    if (reduced_) {
      reduction_.execute(reduction_, bundle_, ~lane_mask{0});
      x = bundle_.destination[0];
    }
    unit_.execute(unit_, bundle_, ~lane_mask{0});
    return bundle_.destination[0];
  }

 private:
  bool reduced_;
  instruction reduction_, unit_;
  lane_bundle bundle_;
};

errors measured(const range& r) {
  errors e;
  function f(r.function);
  for (std::uint32_t first = r.first; first < r.end; first += warp_size) {
    const lane_words& results = f(first);
    const std::uint32_t count = std::min<std::uint32_t>(warp_size, r.end - first);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const double exact = r.exact(number(first + lane));
      const double result = number(results.lane[lane]);
      const double deviation = std::fabs(result - exact);
      e.absolute = std::max(e.absolute, deviation);
      if (exact != 0) e.ulp = std::max(e.ulp, deviation / std::ldexp(1.0, std::ilogb(exact) - 23));
      if (result == static_cast<double>(static_cast<float>(exact))) ++e.exactly_rounded;
    }
    e.inputs += count;
  }
  return e;
}

double error_of(const range& r, const errors& e) { return r.unit == measure::ulp ? e.ulp : std::log2(e.absolute); }

std::string with_unit(measure unit, double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, unit == measure::ulp ? "%.*f ulp" : "2^%.*f", digits, value);
  return text;
}

int run() {
  std::printf(
      "# Error of the special functions\n\n"
      "`scripts/validate sfu` executes the instructions for every single-precision number of each range (with "
      "`presin` or\n"
      "`preex2` in front of sin, cos and ex2) and compares with the double-precision functions of the host. "
      "Bounds: Oberman\n"
      "and Siu, ARITH-17 2005, and the CUDA C programming guide; where none is published, or the hardware exceeds "
      "it, the\n"
      "largest error of the hardware.\n\n"
      "| function | range | inputs | bound | measured | hardware | exactly rounded | "
      "|\n|---|---|---|---|---|---|---|---|\n");
  bool all_within = true;
  for (const range& r : ranges) {
    const errors e = measured(r);
    const double error = error_of(r, e);
    const bool good = error <= r.bound;
    all_within = all_within && good;
    std::printf("| %s | %s | %" PRIu64 " | %s | %s | %s | %.2f %% | %s |\n", r.function, r.text, e.inputs,
                with_unit(r.unit, r.bound, 4).c_str(), with_unit(r.unit, error, 4).c_str(),
                with_unit(r.unit, r.hardware, 4).c_str(),
                100.0 * static_cast<double>(e.exactly_rounded) / static_cast<double>(e.inputs),
                good ? "within" : "EXCEEDS");
    std::fflush(stdout);
  }
  std::printf("\nVerdict: %s.\n", all_within ? "every error is within its bound" : "a bound is exceeded");
  return all_within ? 0 : 1;
}

}  // namespace
}  // namespace gt200::isa::tesla

int main() {
  try {
    return gt200::isa::tesla::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sfu_error: %s\n", error.what());
    return 2;
  }
}
