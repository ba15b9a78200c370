// Watches one memory port and reports the first break of the AT base-protocol rules.
//
// Rules checked per transaction: phases in the order BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP (END_REQ may be
// implied by BEGIN_RESP); per port: no second BEGIN_REQ before the END_REQ of the one before, no second BEGIN_RESP
// before its END_RESP; the times of one transaction do not run backwards; the response status is set by BEGIN_RESP.
// Source: IEEE 1666-2011 section 15.2.
#pragma once

#include <map>
#include <string>

#include "tlm_bus/memory_port.h"

namespace gt200::tlm_bus {

class protocol_checker : public memory_observer {
 public:
  void phase(const sc_core::sc_object& port, femtoseconds at, const tlm::tlm_generic_payload& payload,
             tlm::tlm_phase_enum phase) override;

  // Empty while every rule holds; otherwise the first violation with port, time and rule.
  const std::string& violation() const { return violation_; }
  // Transactions begun and not yet ended.
  std::size_t open_transactions() const { return open_.size(); }
  std::uint64_t completed_transactions() const { return completed_; }

 private:
  void report(const sc_core::sc_object& port, femtoseconds at, const char* rule);

  struct progress {
    tlm::tlm_phase_enum phase;
    femtoseconds at;
  };
  std::map<const tlm::tlm_generic_payload*, progress> open_;
  const tlm::tlm_generic_payload* request_in_progress_ = nullptr;
  const tlm::tlm_generic_payload* response_in_progress_ = nullptr;
  std::uint64_t completed_ = 0;
  std::string violation_;
};

}  // namespace gt200::tlm_bus
