#include "tlm_bus/protocol_checker.h"

namespace gt200::tlm_bus {

namespace {
constexpr const char* second_response = "BEGIN_RESP before the END_RESP of the response before";
}

std::string protocol_checker::text_of(const sc_core::sc_object& port, femtoseconds at, const char* rule) {
  return std::string(port.name()) + " at " + std::to_string(at) + " fs: " + rule;
}

void protocol_checker::report(const sc_core::sc_object& port, femtoseconds at, const char* rule) {
  if (violation_.empty()) violation_ = text_of(port, at, rule);
}

void protocol_checker::phase(const sc_core::sc_object& port, femtoseconds at,
                             const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum phase) {
  const auto found = open_.find(&payload);
  const bool open = found != open_.end();
  if (completed_at_once_ != nullptr && (completed_at_once_ != &payload || phase != tlm::END_RESP)) {
    if (violation_.empty()) violation_ = doubtful_;
    completed_at_once_ = nullptr;
  }
  if (open && at < found->second.at) report(port, at, "time runs backwards");
  switch (phase) {
    case tlm::BEGIN_REQ:
      if (open) report(port, at, "BEGIN_REQ of a transaction already begun");
      if (request_in_progress_ != nullptr) report(port, at, "BEGIN_REQ before the END_REQ of the request before");
      open_[&payload] = {phase, at};
      request_in_progress_ = &payload;
      return;
    case tlm::END_REQ:
      if (!open || found->second.phase != tlm::BEGIN_REQ) {
        report(port, at, "END_REQ without BEGIN_REQ");
        return;
      }
      request_in_progress_ = nullptr;
      break;
    case tlm::BEGIN_RESP:
      if (!open || found->second.phase == tlm::BEGIN_RESP) {
        report(port, at, "BEGIN_RESP without a request");
        return;
      }
      if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
        report(port, at, "BEGIN_RESP without a response status");
      if (response_in_progress_ == nullptr) {
        response_in_progress_ = &payload;
      } else if (request_in_progress_ == &payload) {
        completed_at_once_ = &payload;
        doubtful_ = text_of(port, at, second_response);
      } else {
        report(port, at, second_response);
      }
      if (request_in_progress_ == &payload) request_in_progress_ = nullptr;
      break;
    case tlm::END_RESP:
      if (!open || found->second.phase != tlm::BEGIN_RESP) {
        report(port, at, "END_RESP without BEGIN_RESP");
        return;
      }
      open_.erase(found);
      if (completed_at_once_ == &payload) {
        completed_at_once_ = nullptr;
        doubtful_.clear();
      } else {
        response_in_progress_ = nullptr;
      }
      ++completed_;
      return;
    default: report(port, at, "unknown phase"); return;
  }
  found->second = {phase, at};
}

}  // namespace gt200::tlm_bus
