#include "testbenches/toolchain/ptx/interpreter_arithmetic.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

namespace gt200::ptx {
namespace {

__extension__ typedef __int128 integer128;

constexpr std::uint32_t nan32 = 0x7fffffff;
constexpr std::uint64_t quiet64 = std::uint64_t{1} << 51;
constexpr std::uint64_t invalid_nan64 = std::uint64_t{0xfff8} << 48;

float with_denormals(std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  float f = 0;
  std::memcpy(&f, &word, sizeof f);
  return f;
}

std::uint64_t bits_with_denormals(float f) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}

// What the target of the module says about the current statement.
struct float_rules {
  bool flush = true;  // denormals of .f32 are zeros
  bool tesla = true;  // .f32 mad truncates its product; NaNs keep payloads between formats
};
thread_local float_rules rules;

float flushed(float f) { return rules.flush && std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0f, f) : f; }
float as_float(std::uint64_t bits) { return flushed(with_denormals(bits)); }
std::uint64_t bits_of(float f) { return std::isnan(f) ? nan32 : bits_with_denormals(flushed(f)); }

double as_double(std::uint64_t bits) {
  double d = 0;
  std::memcpy(&d, &bits, sizeof d);
  return d;
}

std::uint64_t bits_of(double d) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &d, sizeof bits);
  return bits;
}

bool is_nan64(std::uint64_t bits) { return std::isnan(as_double(bits)); }

unsigned width(scalar t) { return 8 * bytes_of(t); }

// Sets the host's rounding mode temporarily. The operands are volatile, so the compiler moves nothing across the
// change.
class rounding_mode {
 public:
  explicit rounding_mode(const statement& s) : before_(std::fegetround()) {
    std::fesetround(has_modifier(s, "rz")   ? FE_TOWARDZERO
                    : has_modifier(s, "rm") ? FE_DOWNWARD
                    : has_modifier(s, "rp") ? FE_UPWARD
                                            : FE_TONEAREST);
  }
  ~rounding_mode() { std::fesetround(before_); }
  rounding_mode(const rounding_mode&) = delete;
  rounding_mode& operator=(const rounding_mode&) = delete;

 private:
  int before_;
};

double integral(double d, const statement& s) {
  if (has_modifier(s, "rzi")) return std::trunc(d);
  if (has_modifier(s, "rmi")) return std::floor(d);
  if (has_modifier(s, "rpi")) return std::ceil(d);
  return std::nearbyint(d);
}

std::uint64_t float32(const statement& s, const std::array<std::uint64_t, 4>& in) {
  const std::string& n = s.name;
  if (n == "neg") return (in[0] ^ 0x80000000u) & 0xffffffffu;
  if (n == "abs") return in[0] & 0x7fffffffu;
  const volatile float a = as_float(in[0]);
  const volatile float b = as_float(in[1]);
  if (n == "min" || n == "max") {
    if (std::isnan(a)) return bits_of(static_cast<float>(b));
    if (std::isnan(b)) return bits_of(static_cast<float>(a));
    if (a == b)
      return std::signbit(a) == (n == "min") ? bits_of(static_cast<float>(a)) : bits_of(static_cast<float>(b));
    return bits_of((a < b) == (n == "min") ? static_cast<float>(a) : static_cast<float>(b));
  }
  const rounding_mode mode(s);
  volatile float result = 0;
  if (n == "add") {
    result = a + b;
  } else if (n == "sub") {
    result = a - b;
  } else if (n == "mul") {
    result = a * b;
  } else if (n == "div") {
    result = a / b;
  } else if (n == "rcp") {
    result = 1.0f / a;
  } else if (n == "sqrt") {
    result = std::sqrt(a);
  } else if (n == "fma" || (n == "mad" && !rules.tesla)) {
    result = std::fma(a, b, as_float(in[2]));
  } else if (n == "mad") {
    // The product of two numbers of 24 bits is exact in double precision; its lower bits are cut off. With a zero
    // addend it is rounded instead.
    const double c = static_cast<double>(as_float(in[2]));
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double cut = as_double(bits_of(product) & ~((std::uint64_t{1} << 29) - 1));
    result =
        c == 0 ? as_float(bits_of(static_cast<float>(product))) + as_float(in[2]) : static_cast<float>(cut + c);
  } else {
    throw std::logic_error("interpreter: " + n + ".f32");
  }
  if (has_modifier(s, "sat")) return result > 0 ? bits_of(std::min(static_cast<float>(result), 1.0f)) : 0;
  return bits_of(static_cast<float>(result));
}

std::uint64_t float64(const statement& s, const std::array<std::uint64_t, 4>& in) {
  const std::string& n = s.name;
  if (n == "neg") return in[0] ^ (std::uint64_t{1} << 63);
  if (n == "abs") return in[0] & ~(std::uint64_t{1} << 63);
  const volatile double a = as_double(in[0]);
  const volatile double b = as_double(in[1]);
  if (n == "min" || n == "max") {
    if (is_nan64(in[0])) return is_nan64(in[1]) ? in[1] | quiet64 : in[1];
    if (is_nan64(in[1])) return in[0];
    if (a == b) return std::signbit(a) == (n == "min") ? in[0] : in[1];
    return (a < b) == (n == "min") ? in[0] : in[1];
  }
  const rounding_mode mode(s);
  volatile double result = 0;
  if (n == "add") {
    result = a + b;
  } else if (n == "sub") {
    result = a - b;
  } else if (n == "mul") {
    result = a * b;
  } else if (n == "div") {
    result = a / b;
  } else if (n == "rcp") {
    result = 1.0 / a;
  } else if (n == "sqrt") {
    result = std::sqrt(a);
  } else if (n == "fma" || n == "mad") {
    result = std::fma(a, b, as_double(in[2]));
  } else {
    throw std::logic_error("interpreter: " + n + ".f64");
  }
  if (!std::isnan(result)) return bits_of(static_cast<double>(result));
  // PTX does not define which of several NaNs survives, and hosts differ; docs/ptx.md defines it.
  for (const std::size_t k : {1, 2, 0})
    if (is_nan64(in[k])) return in[k] | quiet64;
  return invalid_nan64;
}

std::uint64_t bit_field(const statement& s, const std::array<std::uint64_t, 4>& in) {
  const scalar t = operand_type(s);
  const std::uint64_t bits = width(t);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (s.name == "bfi") {
    const std::uint64_t from = in[2] & 0xff;
    const std::uint64_t length = std::min(in[3] & 0xff, bits - std::min(from, bits));
    const std::uint64_t field = length >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
    if (length == 0) return in[1] & mask;
    return ((in[1] & ~(field << from)) | (in[0] & field) << from) & mask;
  }
  const std::uint64_t from = in[1] & 0xff;
  const std::uint64_t length = in[2] & 0xff;
  std::uint64_t result = 0;
  const std::uint64_t value = in[0] & mask;
  const std::uint64_t last = std::min(from + length - 1, bits - 1);
  const std::uint64_t sign = is_signed(t) && length != 0 ? (value >> last) & 1 : 0;
  for (std::uint64_t k = 0; k < bits; ++k) {
    const std::uint64_t bit = k < length && from + k < bits ? (value >> (from + k)) & 1 : sign;
    result |= bit << k;
  }
  return result;
}

std::uint64_t integer(const statement& s, scalar t, const std::array<std::uint64_t, 4>& in) {
  const std::string& n = s.name;
  using wide = integer128;
  const bool sign = is_signed(t);
  const auto number = [&](std::size_t k) {
    return sign ? static_cast<wide>(static_cast<std::int64_t>(in[k])) : static_cast<wide>(in[k]);
  };
  const wide a = number(0);
  const wide b = number(1);
  const auto product = [&] {
    if (n == "mul24" || n == "mad24") {
      const auto cut = [&](std::uint64_t v) {
        const auto low = static_cast<std::int64_t>(v << 40);
        return sign ? static_cast<wide>(low >> 40) : static_cast<wide>(static_cast<std::uint64_t>(low) >> 40);
      };
      const wide p = cut(in[0]) * cut(in[1]);
      return has_modifier(s, "hi") ? p >> 16 : p;
    }
    return has_modifier(s, "hi") ? (a * b) >> width(t) : a * b;
  };
  const auto low = [](wide v) { return static_cast<std::uint64_t>(v); };
  if (n == "add") {
    if (!has_modifier(s, "sat")) return low(a + b);
    return low(std::clamp<wide>(a + b, std::numeric_limits<std::int32_t>::min(),
                                std::numeric_limits<std::int32_t>::max()));
  }
  if (n == "sub") {
    if (!has_modifier(s, "sat")) return low(a - b);
    return low(std::clamp<wide>(a - b, std::numeric_limits<std::int32_t>::min(),
                                std::numeric_limits<std::int32_t>::max()));
  }
  if (n == "mul" || n == "mul24") return low(product());
  if (n == "mad" || n == "mad24") return low(product()) + in[2];
  if (n == "div") return low(a / b);
  if (n == "rem") return low(a % b);
  if (n == "min") return low(std::min(a, b));
  if (n == "max") return low(std::max(a, b));
  if (n == "abs") return low(a < 0 ? -a : a);
  if (n == "neg") return low(-a);
  if (n == "sad") return low((a < b ? b - a : a - b) + static_cast<wide>(in[2]));
  if (n == "and") return in[0] & in[1];
  if (n == "or") return in[0] | in[1];
  if (n == "xor") return in[0] ^ in[1];
  if (n == "not") return ~in[0];
  if (n == "cnot") return typed(in[0], t) == 0 ? 1 : 0;
  if (n == "shl") return in[1] >= width(t) ? 0 : in[0] << in[1];
  if (n == "shr") {
    const std::uint64_t count = std::min<std::uint64_t>(in[1] & 0xffffffffu, width(t));
    return low(a >> count);
  }
  if (n == "popc") return static_cast<std::uint64_t>(__builtin_popcountll(in[0]));
  if (n == "clz") {
    std::uint64_t zeros = 0;
    for (unsigned k = width(t); k-- > 0 && ((in[0] >> k) & 1) == 0;) ++zeros;
    return zeros;
  }
  if (n == "brev") {
    std::uint64_t result = 0;
    for (unsigned k = 0; k < width(t); ++k) result |= ((in[0] >> k) & 1) << (width(t) - 1 - k);
    return result;
  }
  if (n == "prmt") {
    const std::uint64_t bytes = (in[1] & 0xffffffffu) << 32 | (in[0] & 0xffffffffu);
    std::uint64_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint64_t select = in[2] >> (4 * k);
      std::uint64_t byte = (bytes >> (8 * (select & 7))) & 0xff;
      if ((select & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      result |= byte << (8 * k);
    }
    return result;
  }
  if (n == "bfe" || n == "bfi") return bit_field(s, in);
  if (n == "bfind") {
    std::uint64_t v = typed(in[0], t);
    if (sign && (v >> 63) != 0) v = ~v;
    if (width(t) == 32) v &= 0xffffffffu;
    if (v == 0) return 0xffffffffu;
    const auto highest = 63 - static_cast<std::uint64_t>(__builtin_clzll(v));
    return has_modifier(s, "shiftamt") ? width(t) - 1 - highest : highest;
  }
  throw std::logic_error("interpreter: " + n);
}

// Between formats, sign and payload stay as far as they fit. Integers: 0, or the number with only the highest bit
// set if either side has 64 bits.
std::uint64_t converted_nan(std::uint64_t bits, scalar from, scalar to) {
  if (!is_float(to))
    return from == scalar::f64 || width(to) == 64 ? std::uint64_t{1} << (width(to) - 1) : std::uint64_t{0};
  if (!rules.tesla) return to == scalar::f32 ? nan32 : std::uint64_t{0x7ff8} << 48;
  if (from == to) return from == scalar::f32 ? nan32 : bits | quiet64;
  if (to == scalar::f64) return (bits >> 31 & 1) << 63 | (bits & 0x7fffffffu) << 29 | std::uint64_t{0x7ff8} << 48;
  return (bits >> 63) << 31 | 0x7fc00000u | (bits >> 29 & 0x7fffffu);
}

std::uint64_t convert(const statement& s, const volatile std::uint64_t bits) {
  const scalar to = result_type(s);
  const scalar from = operand_type(s);
  if (!is_float(from) && !is_float(to)) {
    if (!has_modifier(s, "sat")) return bits;
    const auto value =
        is_signed(from) ? static_cast<integer128>(static_cast<std::int64_t>(bits)) : static_cast<integer128>(bits);
    const unsigned w = width(to);
    const integer128 most = (static_cast<integer128>(1) << (is_signed(to) ? w - 1 : w)) - 1;
    return static_cast<std::uint64_t>(std::clamp<integer128>(value, is_signed(to) ? -most - 1 : 0, most));
  }
  if (!is_float(from)) {
    const rounding_mode mode(s);
    if (to == scalar::f64) {
      volatile double d =
          is_signed(from) ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
      return bits_of(static_cast<double>(d));
    }
    volatile float f =
        is_signed(from) ? static_cast<float>(static_cast<std::int64_t>(bits)) : static_cast<float>(bits);
    return bits_of(static_cast<float>(f));
  }
  // PTX up to 1.4 keeps denormals where either side has 64 bits.
  const bool flushes = rules.tesla ? width(from) < 64 && width(to) < 64 : rules.flush;
  const float single = flushes ? as_float(bits) : with_denormals(bits);
  const double value = from == scalar::f32 ? static_cast<double>(single) : as_double(bits);
  if (std::isnan(value) && !has_modifier(s, "sat")) return converted_nan(bits, from, to);
  if (is_float(to)) {
    if (to == from && s.modifiers[0].back() == 'i')
      return to == scalar::f32 ? bits_of(static_cast<float>(integral(value, s))) : bits_of(integral(value, s));
    const volatile double number = !has_modifier(s, "sat") ? value : !(value > 0) ? 0 : std::min(value, 1.0);
    const rounding_mode mode(s);
    if (to == scalar::f64) return bits_of(static_cast<double>(number));
    volatile float f = static_cast<float>(number);
    return flushes ? bits_of(static_cast<float>(f)) : bits_with_denormals(static_cast<float>(f));
  }
  const double whole = integral(value, s);
  const unsigned w = width(to);
  const double limit = std::ldexp(1.0, static_cast<int>(is_signed(to) ? w - 1 : w));
  if (whole >= limit) return (is_signed(to) ? (std::uint64_t{1} << (w - 1)) : std::uint64_t{0}) - 1;
  if (!is_signed(to)) return whole <= 0 ? 0 : static_cast<std::uint64_t>(whole);
  if (whole <= -limit) return static_cast<std::uint64_t>(-1) << (w - 1);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
}

}  // namespace

bool has_modifier(const statement& s, const char* name) {
  return std::find(s.modifiers.begin(), s.modifiers.end(), name) != s.modifiers.end();
}

std::uint64_t typed(std::uint64_t bits, scalar t) {
  const unsigned unused = 64 - width(t);
  if (unused == 0) return bits;
  const std::uint64_t up = bits << unused;
  return is_signed(t) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(up) >> unused) : up >> unused;
}

scalar operand_type(const statement& s) {
  for (auto m = s.modifiers.rbegin(); m != s.modifiers.rend(); ++m)
    if (scalar_named(*m) != scalar::none) return scalar_named(*m);
  throw std::logic_error("interpreter: " + s.name + " without a type");
}

scalar result_type(const statement& s) {
  const scalar last = operand_type(s);
  if (has_modifier(s, "wide")) {
    static const std::map<scalar, scalar> doubled = {{scalar::u16, scalar::u32},
                                                     {scalar::s16, scalar::s32},
                                                     {scalar::u32, scalar::u64},
                                                     {scalar::s32, scalar::s64}};
    return doubled.at(last);
  }
  if (s.name == "popc" || s.name == "clz" || s.name == "bfind") return scalar::u32;
  for (const std::string& m : s.modifiers)
    if (scalar_named(m) != scalar::none) return scalar_named(m);  // the first of two
  return last;
}

void follow_target(const statement& s, bool is_tesla) { rules = {is_tesla || has_modifier(s, "ftz"), is_tesla}; }

std::uint64_t arithmetic(const statement& s, const std::array<std::uint64_t, 4>& in) {
  const scalar t = operand_type(s);
  if (s.name == "cvt") return convert(s, in[0]);
  if (t == scalar::f32) return float32(s, in);
  if (t == scalar::f64) return float64(s, in);
  return integer(s, t, in);
}

bool comparison(const statement& s, std::uint64_t a, std::uint64_t b) {
  const scalar t = operand_type(s);
  std::string name = s.modifiers.at(0);
  bool less = false;
  bool equal = a == b;
  bool unordered = false;
  if (is_float(t)) {
    const double x = t == scalar::f32 ? static_cast<double>(as_float(a)) : as_double(a);
    const double y = t == scalar::f32 ? static_cast<double>(as_float(b)) : as_double(b);
    less = x < y;
    equal = x == y;
    unordered = std::isnan(x) || std::isnan(y);
    if (name == "num") return !unordered;
    if (name == "nan") return unordered;
    if (name.size() == 3) {
      if (unordered) return true;
      name.pop_back();
    } else if (unordered) {
      return false;
    }
  } else {
    less = is_signed(t) ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
  }
  if (name == "eq") return equal;
  if (name == "ne") return !equal;
  if (name == "lt" || name == "lo") return less;
  if (name == "le" || name == "ls") return less || equal;
  if (name == "gt" || name == "hi") return !less && !equal;
  if (name == "ge" || name == "hs") return !less;
  throw std::logic_error("interpreter: comparison " + name);
}

}  // namespace gt200::ptx
