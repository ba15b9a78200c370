// What the SPs and SFUs of an SM are booked for by the instructions issued to them.
//
// A fp32 multiplication can be executed by the SPs and by the multipliers of the SFUs. It goes to the SFUs when the
// SPs are booked and the SFUs are not: so a MAD and a multiplication can start in neighbouring issue slots ("dual
// issue", Kanter). Every instruction books its unit for its initiation interval from its issue on, or from when the
// unit is done with what was issued before; that is an estimate, as operands may make an instruction late.
#pragma once

#include "sc_models/config/sm_config.h"
#include "tlm_bus/time.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

class unit_booking {
 public:
  explicit unit_booking(const config::sm_config& config) : config_(config) {}

  // Whether the SFUs take a multiplication issued in this core cycle.
  bool sfu_multiplies(tlm_bus::cycle_t core_cycle) const;
  // Whether it should rather go there than to the SPs.
  bool sfu_preferred(tlm_bus::cycle_t core_cycle) const;
  // First core cycle in which sfu_multiplies() holds if nothing else is issued.
  tlm_bus::cycle_t sfu_free_at() const;
  // `on_sfu`: a multiplication that was sent to the SFUs.
  void issued(const isa::instruction& instruction, bool on_sfu, tlm_bus::cycle_t core_cycle);

 private:
  const config::sm_config& config_;
  tlm_bus::cycle_t sp_until_ = 0;  // shader cycles; also of the DP unit when it shares the SPs' data path
  tlm_bus::cycle_t sfu_until_ = 0;
};

}  // namespace gt200::model
