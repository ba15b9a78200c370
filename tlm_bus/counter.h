// A named number that a module counts up. Statistics collect it from outside.
//
// A counter is a member of its module. Its name, unit and description are an attribute of that module (figure.h).
// Counting is one increment.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "tlm_bus/figure.h"

namespace gt200::tlm_bus {

class counter {
 public:
  using attribute = figure_attribute<counter>;

  // `unit` is for example "requests", "cycles" or "bytes"; `description` is one sentence without a full stop.
  counter(const std::string& name, const char* unit, const char* description);

  counter& operator++() {
    ++value_;
    return *this;
  }
  counter& operator+=(std::uint64_t n) {
    value_ += n;
    return *this;
  }
  std::uint64_t value() const { return value_; }
  // As after construction; for a reset.
  void clear() { value_ = 0; }

  // The sum of the counters of one object without its children. It changes if and only if one of them counts.
  static std::uint64_t sum_of(const sc_core::sc_object& object);

 private:
  std::uint64_t value_ = 0;
  std::unique_ptr<const attribute> attribute_;
};

}  // namespace gt200::tlm_bus
