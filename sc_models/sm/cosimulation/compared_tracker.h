// A dependency mechanism that exists twice, as SystemC model and as RTL, and compares their answers.
#pragma once

#include "sc_models/sm/cosimulation/lockstep_comparison.h"
#include "sc_models/sm/dependency/dependency_tracker.h"

namespace gt200::model {

class compared_tracker : public dependency_tracker {
 public:
  explicit compared_tracker(lockstep_comparison comparison) : comparison_(std::move(comparison)) {}

  // Sets the address of the next instruction to enter, for the report.
  void entering(isa::code_address pc) { entering_pc_ = pc; }
  lockstep_comparison& comparison() { return comparison_; }

 protected:
  isa::code_address entering_pc() const { return entering_pc_; }

  lockstep_comparison comparison_;

 private:
  isa::code_address entering_pc_ = 0;
};

}  // namespace gt200::model
