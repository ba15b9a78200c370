// A named distribution that a module counts, by powers of two: of latencies, mostly. Statistics collect it from
// outside, like counters.
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

  // Bin 0 counts zeros, bin n what is at least 2^(n-1) and less than 2^n, the last bin also all beyond.
  static constexpr unsigned bin_of(std::uint64_t value) {
    return value == 0 ? 0 : std::min(bins - 1, 64 - static_cast<unsigned>(__builtin_clzll(value)));
  }
  // What bin n lies below.
  static constexpr std::uint64_t end_of(unsigned bin) { return std::uint64_t{1} << bin; }

  struct values {
    std::uint64_t sum = 0;  // of what was counted
    std::array<std::uint64_t, bins> count{};

    std::uint64_t total() const;
    double average() const;  // 0 of nothing
    // The lowest power of two that at least `part` (0 .. 1) of what was counted lies below.
    std::uint64_t bound_of(double part) const;
    values& operator+=(const values& more);
    values& operator-=(const values& less);
  };

  // As a counter's; `unit` is that of the values.
  histogram(const std::string& name, const char* unit, const char* description);

  void add(std::uint64_t value) {
    values_.sum += value;
    ++values_.count[bin_of(value)];
  }
  const values& value() const { return values_; }

 private:
  values values_;
  std::unique_ptr<const attribute> attribute_;
};

}  // namespace gt200::tlm_bus
