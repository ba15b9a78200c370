// A named distribution that a module counts, with exact percentiles; mostly of latencies. Statistics collect it
// from outside, like counters.
//
// Values below 1,024 are counted one by one. Above, each power of two is cut into 512 classes of equal width, so a
// percentile is at most 0.2 % too large (as in HdrHistogram, Tene). The storage grows with the largest value: a
// histogram that counts nothing has none.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm_bus/figure.h"

namespace gt200::tlm_bus {

class histogram {
 public:
  using attribute = figure_attribute<histogram>;

  static constexpr unsigned exact_bits = 10;
  static constexpr unsigned exact_values = 1u << exact_bits;
  static constexpr unsigned classes_per_power = exact_values / 2;
  static constexpr unsigned class_of(std::uint64_t value) {
    if (value < exact_values) return static_cast<unsigned>(value);
    const unsigned shift = 64 - exact_bits - static_cast<unsigned>(__builtin_clzll(value));
    return shift * classes_per_power + static_cast<unsigned>(value >> shift);
  }
  // The largest value of a class.
  static constexpr std::uint64_t last_of(unsigned number) {
    if (number < exact_values) return number;
    const unsigned shift = number / classes_per_power - 1;
    return (std::uint64_t{number - shift * classes_per_power + 1} << shift) - 1;
  }

  // The powers of two of stats.json: bin 0 counts zeros, bin n values from 2^(n-1) to below 2^n, the last one also
  // all larger values.
  static constexpr unsigned bins = 24;
  static constexpr unsigned bin_of(std::uint64_t value) {
    return value == 0 ? 0 : std::min(bins - 1, 64 - static_cast<unsigned>(__builtin_clzll(value)));
  }
  // The upper limit (exclusive) of bin n.
  static constexpr std::uint64_t end_of(unsigned bin) { return std::uint64_t{1} << bin; }

  // What has been counted.
  struct values {
    struct entry {
      unsigned of = 0;  // class
      std::uint64_t count = 0;
      bool operator==(const entry& other) const { return of == other.of && count == other.count; }
    };
    std::uint64_t sum = 0;
    std::vector<entry> counts;  // classes that are not empty, in order

    std::uint64_t total() const;
    double average() const;  // 0 if nothing was counted
    // The smallest value that at least `part` (0 .. 1) of the counted values do not exceed; 0 if there are none.
    std::uint64_t percentile(double part) const;
    std::array<std::uint64_t, bins> in_bins() const;
    values& operator+=(const values& more);
    values& operator-=(const values& less);  // of an earlier state of the same histogram

   private:
    template <class Combine>
    void combine(const values& other, Combine with);
  };

  // Parameters as those of a counter; `unit` is the unit of the values.
  histogram(const std::string& name, const char* unit, const char* description);

  void add(std::uint64_t value, std::uint64_t times = 1) {
    const unsigned of = class_of(value);
    if (of >= counts_.size()) grow(of);
    counts_[of] += times;
    sum_ += value * times;
  }
  values value() const;
  // As after construction; for a reset.
  void clear() {
    counts_.clear();
    sum_ = 0;
  }

 private:
  void grow(unsigned of);

  std::vector<std::uint64_t> counts_;  // by class
  std::uint64_t sum_ = 0;
  std::unique_ptr<const attribute> attribute_;
};

}  // namespace gt200::tlm_bus
