#include "toolchain/isa/tesla/semantics/sfu_tables/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace gt200::isa::tesla::semantics {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double unit_in_last_place = 0x1p-23;  // of an argument, a fraction with 23 bits

double significand(std::uint32_t argument) { return 1.0 + argument * unit_in_last_place; }
double single(std::uint32_t bits) { return static_cast<double>(as_float(bits)); }

// Every problem below describes how to fit one function:
//   residual_bits                bits of an argument below the segment number
//   c0_shift, c2_shift           as in the unit: sum = (c0 << c0_shift) + c1 * residual + c2 * (square << c2_shift)
//   largest_c0 ... largest_c2    limits of the magnitudes, from the widths of the hardware's tables
//   goal(argument)               the sum wanted before the unit adds its constant and truncates
//   exact(argument)              reference values, computed once per argument
//   error(table, argument, square, reference)   largest error relative to the bounds; above 1 is not good enough

struct rcp_problem {
  using unit = rcp_unit;
  using reference = double;
  static constexpr int residual_bits = 16, c0_shift = 13, c2_shift = 0;
  static constexpr int largest_c0 = (1 << 26) - 1, largest_c1 = (1 << 16) - 1, largest_c2 = (1 << 10) - 1;
  static double goal(std::uint32_t argument) { return 0x1p39 / significand(argument) - 0x47e7 + 0x4000; }
  static reference exact(std::uint32_t argument) { return 1.0 / significand(argument); }
  // 0.98 ulp (Oberman and Siu)
  static double error(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square, reference r) {
    const double value = single(unit::result(table, one32 | argument, argument, square));
    return std::fabs(value - r) / 0x1p-24 / 0.98;
  }
};

struct rsqrt_problem {
  using unit = rsqrt_unit;
  using reference = double;
  static constexpr int residual_bits = 17, c0_shift = 14, c2_shift = 2;
  static constexpr int largest_c0 = (1 << 26) - 1, largest_c1 = (1 << 16) - 1, largest_c2 = (1 << 10) - 1;
  static double goal(std::uint32_t argument) { return 0x1p40 * exact(argument) - 0x7fff + 0x8000; }
  static double operand(std::uint32_t argument) {
    return significand(argument & 0x7fffffu) * (argument < 0x800000u ? 1.0 : 2.0);
  }
  static reference exact(std::uint32_t argument) { return 1.0 / std::sqrt(operand(argument)); }
  // 1.52 ulp (Oberman and Siu)
  static double error(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square, reference r) {
    const std::uint32_t x = bits_of(static_cast<float>(operand(argument)));
    return std::fabs(single(unit::result(table, x, argument, square)) - r) / 0x1p-24 / 1.52;
  }
};

// presin multiplies by a constant below 2/pi and truncates. So the true position lies above the computed one, by up
// to one unit plus `drift` per quadrant from zero. In quadrants that run backwards the hardware complements instead
// of negating; there the true position lies below one unit above the argument.
struct sin_problem {
  using unit = sin_unit;
  struct reference {
    double value, slope;  // slope per unit of the argument
  };
  static constexpr int residual_bits = 17, c0_shift = 11, c2_shift = 0;
  static constexpr int largest_c0 = (1 << 26) - 1, largest_c1 = (1 << 15) - 1, largest_c2 = (1 << 11) - 1;
  static constexpr double drift = (0x1p25 / pi / 0xa2f983 - 1) / unit_in_last_place;
  static double goal(std::uint32_t argument) {
    return 0x1p37 * std::sin(pi / 2 * unit_in_last_place * (argument + 0.4)) + 0x1000;
  }
  static reference exact(std::uint32_t argument) {
    const double value = std::sin(pi / 2 * unit_in_last_place * argument);
    return {value, pi / 2 * unit_in_last_place * std::sqrt(1 - value * value)};
  }
  // Absolute error on [0, pi]: 2^-21.41 for sin, 2^-21.19 for cos (CUDA C programming guide). Zero and one are
  // exact, and no result is above one.
  static double error(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square, reference r) {
    const std::uint32_t bits = unit::result(table, argument, argument, square);
    const bool misses_end = (argument == 0 && bits != 0) || (argument == 0x7fffffu && bits != one32);
    if (bits > one32 || misses_end) return 1000;
    const double g = argument * unit_in_last_place;
    const double deviation = single(bits) - r.value;
    const auto worst_between = [&](double lowest, double highest) {
      return std::max(std::fabs(deviation - lowest * r.slope), std::fabs(deviation - highest * r.slope));
    };
    // sin: the first quadrant runs forwards, the second backwards; cos: the other way round.
    const double of_sin = worst_between(-drift * (2 - g), 1 + drift * g);
    const double of_cos = worst_between(-drift * (1 - g), 1 + drift * (1 + g));
    return std::max(of_sin / sin_bound, of_cos / cos_bound);
  }
  static constexpr double sin_bound = 0x1.8157d9d08a78dp-22;  // 2^-21.41
  static constexpr double cos_bound = 0x1.c0d2771113e52p-22;  // 2^-21.19
};

// preex2 truncates inputs in [0.5, 1) by half a unit. It complements negative inputs instead of negating them, so
// the true exponent is one unit larger than the argument.
struct ex2_problem {
  using unit = ex2_unit;
  struct reference {
    double here, half_further, one_further;
  };
  static constexpr int residual_bits = 17, c0_shift = 13, c2_shift = 0;
  static constexpr int largest_c0 = (1 << 26) - 1, largest_c1 = (1 << 16) - 1, largest_c2 = (1 << 10) - 1;
  static double power(double argument) { return std::exp2(argument * unit_in_last_place); }
  static double goal(std::uint32_t argument) { return 0x1p38 * power(argument + 0.45) - 0x77e2 + 0x4000; }
  static reference exact(std::uint32_t argument) {
    return {power(argument), power(argument + 0.5), power(argument + 1.0)};
  }
  // In ulp: 1.3903 on [1, 2), 1.3984 on [0.5, 1), 2.055 on (-2, -1], the maxima of the hardware, of which Oberman
  // and Siu publish 1.41 for [0.5, 1). Powers of integers are exact.
  static double error(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square, reference r) {
    const double value = single(unit::result(table, argument, argument, square));
    if (argument == 0 && value != 1) return 1000;
    double worst = std::fabs(value - r.here) / 1.3903;
    worst = std::max(worst, std::fabs(value - r.one_further) / 2.055);
    if (argument >= 0x400000u) worst = std::max(worst, std::fabs(value - r.half_further) / 1.3984);
    return worst / 0x1p-23;
  }
};

struct lg2_problem {
  using unit = lg2_unit;
  using reference = double;
  static constexpr int residual_bits = 17, c0_shift = 12, c2_shift = 1;
  static constexpr int largest_c0 = (1 << 26) - 1, largest_c1 = (1 << 16) - 1, largest_c2 = (1 << 10) - 1;
  static double goal(std::uint32_t argument) { return 0x1p38 * exact(argument) - 0x3345 + 0x1000; }
  static reference exact(std::uint32_t argument) { return std::log2(significand(argument)); }
  // 2^-22.57 absolute on [1, 2) (Oberman and Siu), 2^-22.148 absolute on [0.5, 1) and 1.3820 ulp on [2, 4) (maxima
  // of the hardware). Logarithms of powers of two are exact from 2 on, and the
  // fraction stays in [0, 1).
  static double error(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square, reference r) {
    const double from_1 = single(unit::result(table, one32 | argument, argument, square));
    const double from_half = single(unit::result(table, 0x3f000000u | argument, argument, square));
    const double from_2 = single(unit::result(table, 0x40000000u | argument, argument, square));
    const bool leaves_octave = from_1 < 0 || from_1 >= 1;
    if (leaves_octave || (argument == 0 && from_2 != 1)) return 1000;
    double worst = std::fabs(from_1 - r) / std::exp2(-22.57);
    worst = std::max(worst, std::fabs(from_half - (r - 1)) / std::exp2(-22.148));
    return std::max(worst, std::fabs(from_2 - (r + 1)) / 0x1p-23 / 1.38205);
  }
};

// The least-squares parabola through the goal at the Chebyshev nodes of a segment, as a function of the residual.
struct parabola {
  double c0, c1, c2;
};

template <class problem>
parabola ideal_parabola(std::uint32_t first, std::uint32_t length) {
  // Discrete orthogonality makes the coefficients of the Chebyshev polynomials plain sums.
  constexpr int nodes = 16;
  double a0 = 0;
  double a1 = 0;
  double a2 = 0;
  for (int k = 0; k < nodes; ++k) {
    const double t = std::cos(pi * (k + 0.5) / nodes);
    // goal() takes integers, so the residual of a node is rounded down; t stays exact, as the sums require
    const double residual = std::floor((t + 1) / 2 * (length - 1));
    const double value = problem::goal(first + static_cast<std::uint32_t>(residual));
    a0 += value / nodes;
    a1 += value * t * 2 / nodes;
    a2 += value * (2 * t * t - 1) * 2 / nodes;
  }
  // t = residual * scale - 1
  const double scale = 2.0 / (length - 1);
  return {a0 - a1 + a2, (a1 - 4 * a2) * scale, 2 * a2 * scale * scale};
}

struct candidate {
  sfu_coefficients coefficients;
  double error;
};

template <class problem>
class segment_fit {
 public:
  segment_fit(std::vector<sfu_coefficients>& table, const std::vector<std::uint32_t>& squares,
              std::uint32_t segment)
      : table_(table), squares_(squares), segment_(segment), first_(segment << problem::residual_bits) {
    references_.reserve(length);
    for (std::uint32_t r = 0; r < length; ++r) references_.push_back(problem::exact(first_ + r));
  }

  // Stores the best coefficients in the table and returns their error.
  double run() {
    std::vector<candidate> candidates = nearby_candidates();
    const std::size_t kept = std::min<std::size_t>(candidates.size(), 12);
    // Equal errors are ordered by the coefficients: what a library's sort does with equals must not matter.
    const auto order = [](const candidate& c) {
      return std::make_tuple(c.error, c.coefficients.c0, c.coefficients.c1, c.coefficients.c2);
    };
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end(),
                      [&](const candidate& a, const candidate& b) { return order(a) < order(b); });
    candidate best = {{0, 0, 0}, 1e9};
    for (std::size_t k = 0; k < kept; ++k) {
      const double error = error_over_segment(candidates[k].coefficients, best.error);
      if (error < best.error) best = {candidates[k].coefficients, error};
    }
    table_[segment_] = best.coefficients;
    return best.error;
  }

 private:
  static constexpr std::uint32_t length = 1u << problem::residual_bits;
  static constexpr std::uint32_t coarse_step = length / 64;

  double error_at(std::uint32_t residual) const {
    return problem::error(table_.data(), first_ + residual, squares_[residual], references_[residual]);
  }

  // The largest error on a grid that includes both ends.
  double coarse_error(const sfu_coefficients& c) {
    table_[segment_] = c;
    double worst = error_at(length - 1);
    for (std::uint32_t r = 0; r < length; r += coarse_step) worst = std::max(worst, error_at(r));
    return worst;
  }

  // The largest error, or any error above `limit`. Multiplication by an odd number visits all residuals in an order
  // that finds large errors early.
  double error_over_segment(const sfu_coefficients& c, double limit) {
    table_[segment_] = c;
    double worst = 0;
    for (std::uint32_t k = 0; k < length && worst < limit; ++k) {
      worst = std::max(worst, error_at(k * 40503u & (length - 1)));
    }
    return worst;
  }

  // The c0 that centres the deviation from the goal for the given c1 and c2.
  int centred_c0(int c1, int c2) const {
    double lowest = 1e300;
    double highest = -1e300;
    for (std::uint32_t r = 0; r < length; r += coarse_step) {
      const double sum = static_cast<double>(interpolate({0, c1, c2}, 0, problem::c2_shift, r, squares_[r]));
      const double missing = problem::goal(first_ + r) - sum;
      lowest = std::min(lowest, missing);
      highest = std::max(highest, missing);
    }
    return static_cast<int>(std::lround((lowest + highest) / 2 / (1 << problem::c0_shift)));
  }

  std::vector<candidate> nearby_candidates() {
    const parabola ideal = ideal_parabola<problem>(first_, length);
    // residual^2 in units of the coefficient of the square
    const double square_scale = static_cast<double>(squares_[length - 1]) * (1 << problem::c2_shift) /
                                (static_cast<double>(length - 1) * (length - 1));
    const int middle_c2 = static_cast<int>(std::lround(ideal.c2 / square_scale));
    std::vector<candidate> result;
    for (int c2 = middle_c2 - 6; c2 <= middle_c2 + 6; ++c2) {
      // Over the segment, the slope compensates a different curvature best.
      const double slope = ideal.c1 + (ideal.c2 - c2 * square_scale) * (length - 1);
      const int middle_c1 = static_cast<int>(std::lround(slope));
      for (int c1 = middle_c1 - 2; c1 <= middle_c1 + 2; ++c1) {
        if (std::abs(c1) > problem::largest_c1 || std::abs(c2) > problem::largest_c2) continue;
        const int middle_c0 = centred_c0(c1, c2);
        // Values that must be exact can force c0 away from the centre.
        for (int c0 = middle_c0 - 8; c0 <= middle_c0 + 8; ++c0) {
          if (c0 < 0 || c0 > problem::largest_c0) continue;
          const sfu_coefficients c = {c0, c1, c2};
          result.push_back({c, coarse_error(c)});
        }
      }
    }
    return result;
  }

  std::vector<sfu_coefficients>& table_;
  const std::vector<std::uint32_t>& squares_;
  std::uint32_t segment_;
  std::uint32_t first_;
  std::vector<typename problem::reference> references_;
};

template <class problem>
sfu_fit fit() {
  std::vector<std::uint32_t> squares;
  for (std::uint32_t r = 0; r < 1u << problem::residual_bits; ++r) {
    squares.push_back(sfu_square(problem::unit::residual_of(r)));
  }
  sfu_fit result = {std::vector<sfu_coefficients>(problem::unit::segments), 0};
  for (std::uint32_t s = 0; s < result.table.size(); ++s) {
    segment_fit<problem> segment(result.table, squares, s);
    result.worst = std::max(result.worst, segment.run());
  }
  return result;
}

}  // namespace

sfu_fit fit_rcp() { return fit<rcp_problem>(); }
sfu_fit fit_rsqrt() { return fit<rsqrt_problem>(); }
sfu_fit fit_sin() { return fit<sin_problem>(); }
sfu_fit fit_ex2() { return fit<ex2_problem>(); }
sfu_fit fit_lg2() { return fit<lg2_problem>(); }

}  // namespace gt200::isa::tesla::semantics
