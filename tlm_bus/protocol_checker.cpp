#include "tlm_bus/protocol_checker.h"

namespace gt200::tlm_bus {

void protocol_checker::report(const sc_core::sc_object& port, femtoseconds at, const char* rule) {
  if (violation_.empty()) violation_ = std::string(port.name()) + " at " + std::to_string(at) + " fs: " + rule;
}

void protocol_checker::phase(const sc_core::sc_object& port, femtoseconds at,
                             const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum phase) {
  if (at < last_) report(port, at, "time runs backwards");
  last_ = at;
  const auto found = open_.find(&payload);
  switch (phase) {
    case tlm::BEGIN_REQ:
      if (found != open_.end()) report(port, at, "BEGIN_REQ of a transaction already begun");
      if (request_in_progress_ != nullptr) report(port, at, "BEGIN_REQ before the END_REQ of the request before");
      open_[&payload] = tlm::BEGIN_REQ;
      request_in_progress_ = &payload;
      return;
    case tlm::END_REQ:
      if (found == open_.end() || found->second != tlm::BEGIN_REQ) {
        report(port, at, "END_REQ without BEGIN_REQ");
        return;
      }
      found->second = tlm::END_REQ;
      request_in_progress_ = nullptr;
      return;
    case tlm::BEGIN_RESP:
      if (found == open_.end() || (found->second != tlm::END_REQ && found->second != tlm::BEGIN_REQ)) {
        report(port, at, "BEGIN_RESP without a request");
        return;
      }
      if (request_in_progress_ == &payload) request_in_progress_ = nullptr;
      if (response_in_progress_ != nullptr)
        report(port, at, "BEGIN_RESP before the END_RESP of the response before");
      if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
        report(port, at, "BEGIN_RESP without a response status");
      found->second = tlm::BEGIN_RESP;
      response_in_progress_ = &payload;
      return;
    case tlm::END_RESP:
      if (found == open_.end() || found->second != tlm::BEGIN_RESP) {
        report(port, at, "END_RESP without BEGIN_RESP");
        return;
      }
      open_.erase(found);
      response_in_progress_ = nullptr;
      ++completed_;
      return;
    default: report(port, at, "unknown phase");
  }
}

}  // namespace gt200::tlm_bus
