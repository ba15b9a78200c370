// A named number that a module counts up; statistics collect it from outside.
//
// A counter is a member of a module. Name, unit and description are an sc_attribute of the module under
// construction, so its full name is the hierarchy path of the module plus its own name. Counting is an increment of
// a member; the attribute lies elsewhere, so that the counters of a module share a line or two of the host's cache.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

namespace gt200::tlm_bus {

class counter {
 public:
  // `unit` such as "warp instructions", "core cycles", "bytes"; `description` one sentence without a full stop.
  counter(const char* name, const char* unit, const char* description);

  counter& operator++() {
    ++value_;
    return *this;
  }
  counter& operator+=(std::uint64_t n) {
    value_ += n;
    return *this;
  }
  std::uint64_t value() const { return value_; }

  // What the module's attributes say of a counter.
  class attribute : public sc_core::sc_attr_base {
   public:
    attribute(const counter& c, const char* name, const char* unit, const char* description)
        : sc_core::sc_attr_base(name), counter_(c), unit_(unit), description_(description) {}
    std::uint64_t value() const { return counter_.value(); }
    const counter& described() const { return counter_; }
    const char* unit() const { return unit_; }
    const char* description() const { return description_; }

   private:
    const counter& counter_;
    const char* unit_;
    const char* description_;
  };

  // Sum over the counters of one object, not of its children: changes if and only if one of them counts.
  static std::uint64_t sum_of(const sc_core::sc_object& object);

 private:
  std::uint64_t value_ = 0;
  std::unique_ptr<const attribute> attribute_;
};

}  // namespace gt200::tlm_bus
