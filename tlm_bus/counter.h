// A named number that a module counts up; statistics collect it from outside.
//
// A counter is a member of a module, which describes it (figure.h). Counting is an increment of a member.
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

  // `unit` such as "requests", "cycles", "bytes"; `description` one sentence without a full stop.
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

  // Sum over the counters of one object, not of its children: changes if and only if one of them counts.
  static std::uint64_t sum_of(const sc_core::sc_object& object);

 private:
  std::uint64_t value_ = 0;
  std::unique_ptr<const attribute> attribute_;
};

}  // namespace gt200::tlm_bus
