// Watches one memory port and reports the first violation of the AT base-protocol rules.
//
// Rules per transaction: phases come in the order BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP (BEGIN_RESP may imply
// END_REQ); their times never decrease; the response status is set at BEGIN_RESP. Rules per port: no second
// BEGIN_REQ before the END_REQ of the previous one, no second BEGIN_RESP before the END_RESP of the previous one. A
// target that completes a transaction in the call of its request (TLM_COMPLETED) sends no BEGIN_RESP, so the last
// rule does not concern it; ports show it as BEGIN_RESP and END_RESP in one call. Source: IEEE 1666-2011
// section 15.2.
#pragma once

#include <map>
#include <string>

#include "tlm_bus/memory_port.h"

namespace gt200::tlm_bus {

class protocol_checker : public memory_observer {
 public:
  void phase(const sc_core::sc_object& port, femtoseconds at, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override;

  // Empty while no rule is violated; otherwise the first violation with port, time and rule.
  const std::string& violation() const { return violation_.empty() ? doubtful_ : violation_; }
  // Transactions that have begun and not ended.
  std::size_t open_transactions() const { return open_.size(); }
  std::uint64_t completed_transactions() const { return completed_; }

 private:
  static std::string text_of(const sc_core::sc_object& port, femtoseconds at, const char* rule);
  void report(const sc_core::sc_object& port, femtoseconds at, const char* rule);

  struct progress {
    tlm::tlm_phase_enum phase;
    femtoseconds at;
  };
  std::map<const tlm::tlm_generic_payload*, progress> open_;
  const tlm::tlm_generic_payload* request_in_progress_ = nullptr;
  const tlm::tlm_generic_payload* response_in_progress_ = nullptr;
  // A BEGIN_RESP during another response: a violation, unless its END_RESP is the next phase.
  const tlm::tlm_generic_payload* completed_at_once_ = nullptr;
  std::string doubtful_;
  std::uint64_t completed_ = 0;
  std::string violation_;
};

}  // namespace gt200::tlm_bus
