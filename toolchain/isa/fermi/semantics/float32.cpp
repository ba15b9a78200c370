// Single precision: sums, products, fused multiply-adds, comparisons. Values are computed exactly in double
// precision, or rounded to odd there, and rounded once to single precision.
#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/fermi/semantics/lanes.h"
#include "toolchain/isa/tesla/semantics/host_float.h"

namespace gt200::isa::fermi::semantics {
namespace {

using tesla::semantics::with_host_float;

inline double exact(std::uint32_t bits) { return static_cast<double>(as_float(bits)); }

struct sources {
  explicit sources(const instruction& i)
      : change{sign_change(i.source[0]), sign_change(i.source[1]), sign_change(i.source[2])}, ftz(i.ftz) {}
  std::uint32_t operator()(unsigned slot, std::uint32_t x) const {
    x = change[slot](x);
    return ftz ? without_denormal(x) : x;
  }
  sign_change change[3];
  bool ftz;
};

struct result {
  explicit result(const instruction& i) : mode(i.round), ftz(i.ftz), saturate(i.saturate) {}
  word_result operator()(double value) const {
    std::uint32_t x = to_single(value, mode);
    if (ftz) x = without_denormal(x);
    if (saturate) x = saturated(x);
    return {x, float_flags(x)};
  }
  rounding mode;
  bool ftz, saturate;
};

struct add {
  explicit add(const instruction& i) : from(i), round(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    return round(odd_sum(exact(from(0, x)), exact(from(1, y)), round.mode == rounding::minus));
  }
  sources from;
  result round;
};

// A product of two singles is exact in double precision.
struct factor {
  explicit factor(const instruction& i) : negate(i.negate_product), fmz(i.fmz) {
    static constexpr double scales[] = {1, 0.5, 0.25, 0.125, 8, 4, 2};
    scale = scales[i.scale];
  }
  double operator()(std::uint32_t x, std::uint32_t y) const {
    if (fmz && ((x & ~sign_bit32) == 0 || (y & ~sign_bit32) == 0)) return 0;
    const double product = exact(x) * exact(y) * scale;
    return negate ? -product : product;
  }
  double scale;
  bool negate, fmz;
};

struct multiply {
  explicit multiply(const instruction& i) : from(i), product(i), round(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    return round(product(from(0, x), from(1, y)));
  }
  sources from;
  factor product;
  result round;
};

struct multiply_add {
  explicit multiply_add(const instruction& i) : from(i), product(i), round(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t) const {
    return round(odd_sum(product(from(0, x), from(1, y)), exact(from(2, z)), round.mode == rounding::minus));
  }
  sources from;
  factor product;
  result round;
};

// A number wins against a NaN; -0 is less than +0.
struct extreme {
  explicit extreme(const instruction& i) : from(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, bool minimum) const {
    x = from(0, x);
    y = from(1, y);
    std::uint32_t v = (ordered(x) < ordered(y)) == minimum ? x : y;
    if (is_nan32(x)) v = is_nan32(y) ? canonical_nan32 : y;
    if (is_nan32(y) && !is_nan32(x)) v = x;
    return {v, float_flags(v)};
  }
  static std::int32_t ordered(std::uint32_t x) {
    return static_cast<std::int32_t>(x >> 31 != 0 ? x ^ ~sign_bit32 : x);
  }
  sources from;
};

struct compare {
  explicit compare(const instruction& i) : from(i), wanted(i.compare) {}
  bool operator()(const lane_bundle& b, unsigned lane) const {
    const double x = exact(from(0, b.source[0][0].lane[lane]));
    const double y = exact(from(1, b.source[1][0].lane[lane]));
    return (wanted & float_relation(x, y)) != 0;
  }
  sources from;
  std::uint32_t wanted;
};

struct choose {
  explicit choose(const instruction& i) : from(i), wanted(i.compare) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t) const {
    return {(wanted & float_relation(exact(from(2, z)), 0)) != 0 ? x : y, 0};
  }
  sources from;
  std::uint32_t wanted;
};

}  // namespace

lane_function float32_function(const instruction& i) {
  switch (i.op) {
    case opcode::fadd: return with_host_float<map_words<add>>;
    case opcode::fmul: return with_host_float<map_words<multiply>>;
    case opcode::ffma: return with_host_float<map_words<multiply_add>>;
    case opcode::fmnmx: return map_words_with_predicate<extreme>;
    case opcode::fset:
    case opcode::fsetp: return with_host_float<map_truth<compare>>;
    case opcode::fcmp: return with_host_float<map_words<choose>>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
