#include "sc_models/cluster_tokens.h"

#include <array>
#include <string>

#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const launch_token& token) {
  to.number("sm", 4, token.sm);
  to.number("block", 32, token.block_id);
}
void describe(tlm_bus::event_details& event, const launch_token& token) {
  event.add(token.sm);
  event.add(token.block_id);
  event.add(token.grid == nullptr ? 0 : token.grid->grid_id);
}

void show(tlm_bus::signal_writer& to, const retire_token& token) {
  to.number("sm", 4, token.sm);
  to.number("block", 32, token.block_id);
  to.flag("faulted", token.faulted);
  to.text("stores", static_cast<std::uint64_t>(token.its_stores), [](std::uint64_t key) -> std::string {
    static constexpr std::array<const char*, 3> names = {"acknowledged", "under way", "settled"};
    return names[key];
  });
}
void describe(tlm_bus::event_details& event, const retire_token& token) {
  event.add(token.sm);
  event.add(token.block_id);
  event.add(token.faulted ? 1 : 0);
}

void show(tlm_bus::signal_writer& to, const texture_write_token& token) {
  to.number("address", traced_address_bits, token.address);
}
void describe(tlm_bus::event_details& event, const texture_write_token& token) { event.add(token.address); }

void show(tlm_bus::signal_writer& to, const memory_operation_token& token) { show(to, token.operation); }
void describe(tlm_bus::event_details& event, const memory_operation_token& token) {
  describe(event, token.operation);
}
void show_values(tlm_bus::signal_writer& to, const memory_operation_token& token) {
  show_request_values(to, token.operation);
}

void show(tlm_bus::signal_writer& to, const memory_completion_token& token) { show(to, token.operation); }
void describe(tlm_bus::event_details& event, const memory_completion_token& token) {
  describe(event, token.operation);
}
void show_values(tlm_bus::signal_writer& to, const memory_completion_token& token) {
  show_answer_values(to, token.operation);
}

}  // namespace gt200::model
