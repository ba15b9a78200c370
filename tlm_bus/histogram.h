// A named distribution that a module counts, in bins of powers of two; mostly of latencies. Statistics collect it
// from outside, like counters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "tlm_bus/figure.h"

namespace gt200::tlm_bus {

class histogram {
 public:
  using attribute = figure_attribute<histogram>;
  static constexpr unsigned bins = 24;

  // Bin 0 counts zeros. Bin n counts values from 2^(n-1) to below 2^n. The last bin also counts all larger values.
  static constexpr unsigned bin_of(std::uint64_t value) {
    return value == 0 ? 0 : std::min(bins - 1, 64 - static_cast<unsigned>(__builtin_clzll(value)));
  }
  // The upper limit (exclusive) of bin n.
  static constexpr std::uint64_t end_of(unsigned bin) { return std::uint64_t{1} << bin; }

  struct values {
    std::uint64_t sum = 0;  // of all counted values
    std::array<std::uint64_t, bins> count{};

    std::uint64_t total() const;
    double average() const;  // 0 if nothing was counted
    // The lowest power of two that is above at least `part` (0 .. 1) of the counted values.
    std::uint64_t bound_of(double part) const;
    values& operator+=(const values& more);
    values& operator-=(const values& less);
  };

  // Parameters as those of a counter; `unit` is the unit of the values.
  histogram(const std::string& name, const char* unit, const char* description);

  void add(std::uint64_t value) {
    values_.sum += value;
    ++values_.count[bin_of(value)];
  }
  const values& value() const { return values_; }
  // As after construction; for a reset.
  void clear() { values_ = {}; }

 private:
  values values_;
  std::unique_ptr<const attribute> attribute_;
};

}  // namespace gt200::tlm_bus
