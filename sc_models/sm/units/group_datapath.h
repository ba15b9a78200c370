// What a group of units calculates, for a whole warp instruction in one transaction. Detail `warp`; in detail
// `lane` the functional units calculate the same, lane by lane.
#pragma once

#include <systemc>

#include "sc_models/sm/units/arithmetic.h"
#include "sc_models/sm/units/unit_transactions.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class group_datapath : public sc_core::sc_module,
                       public tlm_bus::transaction_target<warp_operation>,
                       public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<warp_operation> operations;

  explicit group_datapath(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), operations("operations", *this) {}

  void transport(warp_operation& operation) override {
    calculate(*operation.instruction, operation.executed, *operation.values, own_);
  }
  // `own` calculates in place of the semantics of instructions, and outlives the datapath; null: nothing does.
  void use(unit_arithmetic* own) { own_ = own; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "group_datapath"; }

 private:
  unit_arithmetic* own_ = nullptr;
};

}  // namespace gt200::model
