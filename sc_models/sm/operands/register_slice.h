// The part of an SM's register file that belongs to one SP: the general registers of its lanes.
//
// 8 KB on GT200: 2048 entries of 32 bits, as the SM has 64 KB and 8 SPs. It serves accesses to the entries of one
// row (register_transactions.h). The storage of all slices lies row by row, so that a register of a whole warp is
// one piece; a slice touches only its own words of it. Source: Lindholm 2008 (register file beside each SP); the
// order of lanes follows the way of a warp through the SPs (sc_models/sm/units/functional_unit.h).
#pragma once

#include <systemc>
#include <vector>

#include "sc_models/sm/operands/register_transactions.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/state_image.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class register_slice : public sc_core::sc_module,
                       public tlm_bus::transaction_target<slice_access>,
                       public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<slice_access> access;

  // Slice `number` of `slices`. `storage` holds all rows and outlives the slice.
  register_slice(const sc_core::sc_module_name& name, unsigned number, unsigned slices,
                 std::vector<isa::lane_words>& storage)
      : sc_core::sc_module(name), access("access", *this), number_(number), slices_(slices), storage_(storage) {}

  void transport(slice_access& a) override {
    for (unsigned n = 0; n < entries_per_row(); ++n) {
      if ((a.lanes >> n & 1) == 0) continue;
      std::uint32_t& entry = storage_[a.row].lane[n * slices_ + number_];
      if (a.writes)
        entry = a.data[n];
      else
        a.data[n] = entry;
    }
  }

  // 32-bit registers that the slice holds.
  std::size_t entries() const { return storage_.size() * entries_per_row(); }
  unsigned entries_per_row() const { return isa::warp_size / slices_; }

  void visit_state(tlm_bus::state_image& state) override { state.fixed(number_, slices_); }
  const char* kind() const override { return "register_slice"; }

 private:
  unsigned number_;
  unsigned slices_;
  std::vector<isa::lane_words>& storage_;
};

}  // namespace gt200::model
