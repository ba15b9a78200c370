#include "tlm_bus/histogram.h"

#include <numeric>

namespace gt200::tlm_bus {

histogram::histogram(const std::string& name, const char* unit, const char* description)
    : attribute_(describe_figure(*this, name, unit, description)) {}

std::uint64_t histogram::values::total() const {
  return std::accumulate(count.begin(), count.end(), std::uint64_t{0});
}

double histogram::values::average() const {
  const std::uint64_t all = total();
  return all == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(all);
}

std::uint64_t histogram::values::bound_of(double part) const {
  const double wanted = part * static_cast<double>(total());
  std::uint64_t below = 0;
  unsigned bin = 0;
  while (bin + 1 < bins && static_cast<double>(below += count[bin]) < wanted) ++bin;
  return end_of(bin);
}

histogram::values& histogram::values::operator+=(const values& more) {
  sum += more.sum;
  for (unsigned i = 0; i < bins; ++i) count[i] += more.count[i];
  return *this;
}

histogram::values& histogram::values::operator-=(const values& less) {
  sum -= less.sum;
  for (unsigned i = 0; i < bins; ++i) count[i] -= less.count[i];
  return *this;
}

}  // namespace gt200::tlm_bus
