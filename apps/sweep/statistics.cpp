#include "apps/sweep/statistics.h"

#include <cmath>
#include <limits>

namespace gt200::apps::sweep {
namespace {

constexpr double pi = 3.14159265358979323846;

// The part of the distribution between -t and t.
double share_within(double t, std::size_t freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(freedom)));
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1, sum = freedom == 1 ? 0 : term;
  for (std::size_t k = odd ? 3 : 2; k < freedom; k += 2) {
    term *= cosine * cosine * static_cast<double>(k - 1) / static_cast<double>(k);
    sum += term;
  }
  return odd ? 2 / pi * (angle + sine * sum) : sine * sum;
}

}  // namespace

double student_t_95(std::size_t freedom) {
  constexpr std::size_t nearly_normal = 10'000;
  if (freedom > nearly_normal) return 1.959963984540054;
  double low = 0, high = 20;  // 12.7 with one degree of freedom
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (share_within(middle, freedom) < 0.95 ? low : high) = middle;
  }
  return high;
}

sample_mean mean_of(const std::vector<double>& values) {
  sample_mean result;
  result.count = values.size();
  result.half_width = std::numeric_limits<double>::infinity();
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) result.mean += v / n;
  if (values.size() == 1) return result;
  double squares = 0;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  result.half_width = student_t_95(values.size() - 1) * result.deviation / std::sqrt(n);
  return result;
}

std::size_t count_for(double deviation, double wanted) {
  constexpr std::size_t most = 100'000;
  const auto width = [&](std::size_t n) {
    return student_t_95(n - 1) * deviation / std::sqrt(static_cast<double>(n));
  };
  if (width(most) > wanted) return 0;
  std::size_t low = 1, high = most;  // the width falls with the number
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (width(middle) > wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace gt200::apps::sweep
