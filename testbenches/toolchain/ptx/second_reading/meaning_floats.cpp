// Floating-point numbers and conversions. Compiled with -frounding-math: the host's rounding modes are used.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "testbenches/toolchain/ptx/second_reading/meaning.h"

namespace gt200::second_reading {
namespace {

__extension__ using number = __int128;

class host_rounding {
 public:
  explicit host_rounding(const std::string& name) : before_(std::fegetround()) {
    std::fesetround(name == "rz"   ? FE_TOWARDZERO
                    : name == "rm" ? FE_DOWNWARD
                    : name == "rp" ? FE_UPWARD
                                   : FE_TONEAREST);
  }
  ~host_rounding() { std::fesetround(before_); }
  host_rounding(const host_rounding&) = delete;
  host_rounding& operator=(const host_rounding&) = delete;

 private:
  int before_;
};

template <class to, class from>
to same_bits(from v) {
  static_assert(sizeof(to) == sizeof(from));
  to r{};
  std::memcpy(&r, &v, sizeof r);
  return r;
}
float single_of(std::uint64_t bits) { return same_bits<float>(static_cast<std::uint32_t>(bits)); }
double double_of(std::uint64_t bits) { return same_bits<double>(bits); }

float flushed(float f) { return std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0f, f) : f; }

double integral(double v, const std::string& rounding) {
  const host_rounding mode(rounding);
  return std::nearbyint(v);
}

template <class real>
real smaller(real a, real b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}

// volatile: the operation happens under the rounding mode, not before.
template <class real>
real computed(const std::string& n, volatile real a, volatile real b, volatile real c,
              const std::string& rounding) {
  const host_rounding mode(rounding);
  volatile real r = 0;
  if (n == "add")
    r = a + b;
  else if (n == "sub")
    r = a - b;
  else if (n == "mul")
    r = a * b;
  else if (n == "div")
    r = a / b;
  else if (n == "rcp")
    r = real{1} / a;
  else if (n == "sqrt")
    r = std::sqrt(static_cast<real>(a));
  else
    r = std::fma(static_cast<real>(a), static_cast<real>(b), static_cast<real>(c));
  return r;
}

}  // namespace

double of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double v = 0;
  if (exponent == 31)
    v = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
  else if (exponent == 0)
    v = std::ldexp(fraction, -24);
  else
    v = std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15) != 0 ? -v : v;
}

std::uint16_t half_of(double v, const std::string& rounding) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(v) ? 0x8000 : 0);
  if (std::isnan(v)) return 0x7fff;
  const double size = std::fabs(v);
  if (std::isinf(v)) return static_cast<std::uint16_t>(sign | 0x7c00);
  if (size == 0) return sign;
  int exponent = 0;
  std::frexp(size, &exponent);
  const int unit = std::max(exponent - 11, -24);
  const double scaled = std::ldexp(v, -unit);
  const auto steps = static_cast<int>(std::fabs(integral(scaled, rounding)));
  // Steps of the smallest unit: an overflow into the next exponent is right by itself.
  const int field = unit == -24 ? steps : ((unit + 24) << 10) + steps;
  if (field >= 0x7c00) {
    const bool away = rounding == "rn" || (rounding == "rp" && sign == 0) || (rounding == "rm" && sign != 0);
    return static_cast<std::uint16_t>(sign | (away ? 0x7c00 : 0x7bff));
  }
  return static_cast<std::uint16_t>(sign | field);
}

bool meaning::conversions(const instruction& i, unsigned lane) {
  if (i.words[0] != "cvt") return false;
  const number_type to = type_named(i.words[i.words.size() - 2]);
  const number_type from = type_named(i.words.back());
  const std::string rounding = rounding_of(i);
  const std::string& name = i.arguments[0].name;
  const bool sat = i.has("sat");
  const auto in_range = [&](number v) {
    const number top = (static_cast<number>(1) << (to.kind == 's' ? to.bits - 1 : to.bits)) - 1;
    return std::clamp<number>(v, to.kind == 's' ? -top - 1 : 0, top);
  };
  const auto low_bits = [&](number v) {
    const number modulus = static_cast<number>(1) << to.bits;
    number low = v & (modulus - 1);
    if (to.kind == 's' && low >= modulus / 2) low -= modulus;
    return low;
  };
  if (from.kind != 'f') {
    const number v = value(i.arguments[1], from, lane);
    if (to.kind != 'f') {
      put(name, lane, low_bits(sat ? in_range(v) : v));
      return true;
    }
    if (sat) {
      put(name, lane, v <= 0 ? 0 : to.bits == 16 ? 0x3c00 : to.bits == 32 ? 0x3f800000 : number{0x3ff} << 52);
      return true;
    }
    if (to.bits == 16) {
      // Beyond 2^17 all are infinity or the largest number, so a double is enough.
      put(name, lane, half_of(static_cast<double>(std::clamp<number>(v, -(1 << 17), 1 << 17)), rounding));
      return true;
    }
    const host_rounding mode(rounding);
    if (to.bits == 32) {
      volatile float f = from.kind == 's' ? static_cast<float>(static_cast<std::int64_t>(v))
                                          : static_cast<float>(static_cast<std::uint64_t>(v));
      put(name, lane, same_bits<std::uint32_t>(static_cast<float>(f)));
    } else {
      volatile double d = from.kind == 's' ? static_cast<double>(static_cast<std::int64_t>(v))
                                           : static_cast<double>(static_cast<std::uint64_t>(v));
      put(name, lane, static_cast<number>(same_bits<std::uint64_t>(static_cast<double>(d))));
    }
    return true;
  }
  const std::uint64_t word = bits(i.arguments[1], from, lane);
  const bool flush =
      i.has("ftz") || (target_ < 20 && from.bits < 64 && to.bits < 64 && (from.bits == 32 || to.bits == 32));
  double v = from.bits == 64   ? double_of(word)
             : from.bits == 32 ? static_cast<double>(flush ? flushed(single_of(word)) : single_of(word))
                               : of_half(static_cast<std::uint16_t>(word));
  if (to.kind != 'f') {
    if (std::isnan(v)) {
      // PTX ISA 9.0: zero, or the highest bit alone if either side has 64 bits.
      const bool marked = from.bits == 64 || to.bits == 64;
      put(name, lane, low_bits(marked ? static_cast<number>(1) << (to.bits - 1) : 0));
      return true;
    }
    const double whole = integral(v, rounding);
    const double limit = std::ldexp(1.0, 65);
    put(name, lane, in_range(static_cast<number>(std::clamp(whole, -limit, limit))));
    return true;
  }
  bool is_integral = false;
  for (const char* r : {"rni", "rzi", "rmi", "rpi"}) is_integral = is_integral || i.has(r);
  if (is_integral) v = integral(v, rounding);
  if (sat) v = !(v > 0) ? 0 : std::min(v, 1.0);
  const std::string round_to = is_integral || to.bits >= from.bits ? "rn" : rounding;
  if (to.bits == 16) {
    put(name, lane, half_of(v, round_to), std::isnan(v));
  } else if (to.bits == 32) {
    const host_rounding mode(round_to);
    volatile double given = v;
    volatile float f = static_cast<float>(given);
    put(name, lane, same_bits<std::uint32_t>(flush ? flushed(f) : static_cast<float>(f)));
  } else {
    put(name, lane, static_cast<number>(same_bits<std::uint64_t>(v)));
  }
  return true;
}

bool meaning::floats(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  const number_type t = type_named(i.words.back());
  if (t.kind != 'f' || t.bits < 32) return false;
  const std::string& to = i.arguments[0].name;
  std::uint64_t in[3] = {};
  for (std::size_t k = 1; k < i.arguments.size() && k < 4; ++k) in[k - 1] = bits(i.arguments[k], t, lane);
  const std::uint64_t sign = std::uint64_t{1} << (t.bits - 1);
  const auto give = [&](std::uint64_t v) {
    put(to, lane, static_cast<number>(v));
    return true;
  };
  if (n == "neg" || n == "abs") {
    std::uint64_t v = n == "neg" ? in[0] ^ sign : in[0] & ~sign;
    if (i.has("ftz") && (v & 0x7f800000) == 0) v &= sign;
    put(to, lane, static_cast<number>(v), i.has("ftz") && std::isnan(single_of(v)));
    return true;
  }
  if (n == "copysign") return give((in[0] & sign) | (in[1] & ~sign));
  if (n == "testp") {
    const double v = t.bits == 64 ? double_of(in[0]) : static_cast<double>(single_of(in[0]));
    const bool subnormal =
        t.bits == 64 ? std::fpclassify(v) == FP_SUBNORMAL : std::fpclassify(single_of(in[0])) == FP_SUBNORMAL;
    const bool holds = i.has("finite")       ? std::isfinite(v)
                       : i.has("infinite")   ? std::isinf(v)
                       : i.has("number")     ? !std::isnan(v)
                       : i.has("notanumber") ? std::isnan(v)
                       : i.has("subnormal")  ? subnormal
                                             : std::isfinite(v) && v != 0 && !subnormal;
    return give(holds ? 1 : 0);
  }
  std::string rounding = rounding_of(i);
  if (t.bits == 64) {
    if (n == "min") return give(same_bits<std::uint64_t>(smaller(double_of(in[0]), double_of(in[1]))));
    if (n == "max") return give(same_bits<std::uint64_t>(-smaller(-double_of(in[0]), -double_of(in[1]))));
    return give(
        same_bits<std::uint64_t>(computed(n, double_of(in[0]), double_of(in[1]), double_of(in[2]), rounding)));
  }
  float x[3];
  for (std::size_t k = 0; k < 3; ++k) x[k] = flushes(i) ? flushed(single_of(in[k])) : single_of(in[k]);
  float r = 0;
  if (n == "min") {
    r = smaller(x[0], x[1]);
  } else if (n == "max") {
    r = -smaller(-x[0], -x[1]);
  } else if (n == "mad" && target_ < 20) {
    // The product, whose exponent has no limits, is cut to 24 bits; rounded, if nothing is added (docs/isa.md).
    const double exact = static_cast<double>(x[0]) * static_cast<double>(x[1]);
    const auto cut = double_of(same_bits<std::uint64_t>(exact) >> 29 << 29);
    r = x[2] == 0 ? flushed(static_cast<float>(exact)) + x[2] : static_cast<float>(cut + static_cast<double>(x[2]));
  } else {
    r = computed(n, x[0], x[1], x[2], rounding);
  }
  if (i.has("sat")) r = !(r > 0) ? 0 : std::min(r, 1.0f);
  return give(same_bits<std::uint32_t>(flushes(i) ? flushed(r) : r));
}

// .f16 and .f16x2
bool meaning::halves(const instruction& i, unsigned lane) {
  const std::string& n = i.words[0];
  const bool is_pair = i.words.back() == "f16x2";
  if (!is_pair && i.words.back() != "f16") return false;
  std::uint32_t both = 0;
  for (unsigned k = 0; k < (is_pair ? 2u : 1u); ++k) {
    double x[3] = {};
    std::uint16_t raw = 0;
    for (std::size_t a = 1; a < i.arguments.size(); ++a) {
      const auto half =
          static_cast<std::uint16_t>(bits(i.arguments[a], {'b', is_pair ? 32u : 16u}, lane) >> (16 * k));
      if (a == 1) raw = half;
      x[a - 1] = of_half(half);
      if (i.has("ftz") && std::fabs(x[a - 1]) < std::ldexp(1.0, -14)) x[a - 1] = std::copysign(0.0, x[a - 1]);
    }
    std::uint16_t r = 0;
    if (n == "neg") {
      r = static_cast<std::uint16_t>(raw ^ 0x8000);
    } else if (n == "abs") {
      r = static_cast<std::uint16_t>(raw & 0x7fff);
    } else {
      // Products and sums of halves are exact in a long double.
      const long double exact = n == "add"   ? static_cast<long double>(x[0]) + x[1]
                                : n == "sub" ? static_cast<long double>(x[0]) - x[1]
                                : n == "mul" ? static_cast<long double>(x[0]) * x[1]
                                             : static_cast<long double>(x[0]) * x[1] + x[2];
      // Rounded to odd on the way to double: the second rounding then is right.
      double d = static_cast<double>(exact);
      if (static_cast<long double>(d) != exact && std::isfinite(d)) {
        const double down = static_cast<long double>(d) > exact ? std::nextafter(d, -HUGE_VAL) : d;
        d = (same_bits<std::uint64_t>(down) & 1) != 0 ? down : std::nextafter(down, HUGE_VAL);
      }
      if (i.has("sat")) d = !(d > 0) ? 0 : std::min(d, 1.0);
      r = half_of(d, "rn");
      if (i.has("ftz") && (r & 0x7c00) == 0) r &= 0x8000;
    }
    both |= std::uint32_t{r} << (16 * k);
  }
  put(i.arguments[0].name, lane, both);
  return true;
}

}  // namespace gt200::second_reading
