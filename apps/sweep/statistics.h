// Means of replicates with their 95 % confidence intervals, by Student's t.
//
// Source: Student, The probable error of a mean, 1908; the distribution for whole degrees of freedom: Abramowitz
// and Stegun, 26.7.3 and 26.7.4.
#pragma once

#include <cstddef>
#include <vector>

namespace gt200::apps::sweep {

// The t within which 95 % of Student's distribution lies, on both sides of 0. `freedom` >= 1.
double student_t_95(std::size_t freedom);

// Mean of values that are independent of each other and of about normal distribution.
struct sample_mean {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;   // standard deviation of one value; 0 for a single one
  double half_width = 0;  // the true mean lies within mean +- half_width, 95 %; infinite for a single value

  // Values differ, so the mean is uncertain; or there is only one.
  bool has_interval() const { return count > 1; }
};
sample_mean mean_of(const std::vector<double>& values);

// So many values give about the half width `wanted` if they have this deviation; at least 2. 0: more than 100,000.
std::size_t count_for(double deviation, double wanted);

}  // namespace gt200::apps::sweep
