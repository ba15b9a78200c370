// Times on the two clocks of an SM, as types that do not mix: how long (core_cycles, shader_cycles) and when
// (core_cycle, shader_cycle). clock_ratio.h alone leads from one clock to the other.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tlm_bus/time.h"

namespace gt200::config {
class visitor;
}

// Not in gt200::config, where units of keys have the same names.
namespace gt200::timed {

// A number of cycles.
template <class Clock>
class cycle_count {
 public:
  constexpr cycle_count() = default;  // 0
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit constexpr cycle_count(Integer count) : count_(static_cast<std::uint64_t>(count)) {}

  constexpr std::uint64_t count() const { return count_; }

  friend constexpr cycle_count operator+(cycle_count a, cycle_count b) { return cycle_count(a.count_ + b.count_); }
  friend constexpr cycle_count operator-(cycle_count a, cycle_count b) { return cycle_count(a.count_ - b.count_); }
  friend constexpr cycle_count operator*(cycle_count a, std::uint64_t times) {
    return cycle_count(a.count_ * times);
  }
  // How often b fits into a.
  friend constexpr std::uint64_t operator/(cycle_count a, cycle_count b) { return a.count_ / b.count_; }

  friend constexpr bool operator==(cycle_count a, cycle_count b) { return a.count_ == b.count_; }
  friend constexpr bool operator!=(cycle_count a, cycle_count b) { return a.count_ != b.count_; }
  friend constexpr bool operator<(cycle_count a, cycle_count b) { return a.count_ < b.count_; }
  friend constexpr bool operator<=(cycle_count a, cycle_count b) { return a.count_ <= b.count_; }
  friend constexpr bool operator>(cycle_count a, cycle_count b) { return a.count_ > b.count_; }
  friend constexpr bool operator>=(cycle_count a, cycle_count b) { return a.count_ >= b.count_; }

 private:
  friend class config::visitor;  // sets the value of a key

  std::uint64_t count_ = 0;
};

// An edge of the clock.
template <class Clock>
class cycle_point {
 public:
  constexpr cycle_point() = default;  // edge 0
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
  explicit constexpr cycle_point(Integer number) : number_(static_cast<tlm_bus::cycle_t>(number)) {}
  static constexpr cycle_point never() { return cycle_point(tlm_bus::no_cycle); }

  constexpr tlm_bus::cycle_t number() const { return number_; }

  friend constexpr cycle_point operator+(cycle_point a, cycle_count<Clock> b) {
    return cycle_point(a.number_ + b.count());
  }
  friend constexpr cycle_point operator-(cycle_point a, cycle_count<Clock> b) {
    return cycle_point(a.number_ - b.count());
  }
  friend constexpr cycle_count<Clock> operator-(cycle_point a, cycle_point b) {
    return cycle_count<Clock>(a.number_ - b.number_);
  }

  friend constexpr bool operator==(cycle_point a, cycle_point b) { return a.number_ == b.number_; }
  friend constexpr bool operator!=(cycle_point a, cycle_point b) { return a.number_ != b.number_; }
  friend constexpr bool operator<(cycle_point a, cycle_point b) { return a.number_ < b.number_; }
  friend constexpr bool operator<=(cycle_point a, cycle_point b) { return a.number_ <= b.number_; }
  friend constexpr bool operator>(cycle_point a, cycle_point b) { return a.number_ > b.number_; }
  friend constexpr bool operator>=(cycle_point a, cycle_point b) { return a.number_ >= b.number_; }

 private:
  tlm_bus::cycle_t number_ = 0;
};

struct core_clock;
struct shader_clock;

using core_cycles = cycle_count<core_clock>;
using shader_cycles = cycle_count<shader_clock>;
using core_cycle = cycle_point<core_clock>;
using shader_cycle = cycle_point<shader_clock>;

}  // namespace gt200::timed
