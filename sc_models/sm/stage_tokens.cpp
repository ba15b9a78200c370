#include "sc_models/sm/stage_tokens.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

void show_warp_and_pc(tlm_bus::signal_writer& to, warp_slot warp, isa::code_address pc) {
  to.number("warp", 6, warp.index());
  to.number("pc", 32, pc);
}
void describe_warp_and_pc(tlm_bus::event_details& event, warp_slot warp, isa::code_address pc) {
  event.add(warp.index());
  event.add(pc);
}

std::string text_of_command(std::uint64_t key) {
  switch (static_cast<fetch_control_token::command>(key)) {
    case fetch_control_token::command::stop: return "stop";
    case fetch_control_token::command::advance: return "advance";
    case fetch_control_token::command::restart: return "restart";
  }
  return "";
}

}  // namespace

void show(tlm_bus::signal_writer& to, const start_token& token) { show_warp_and_pc(to, token.warp, token.pc); }
void describe(tlm_bus::event_details& event, const start_token& token) {
  describe_warp_and_pc(event, token.warp, token.pc);
}

void show(tlm_bus::signal_writer& to, const fetch_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
  to.number("count", 2, token.count);
}
void describe(tlm_bus::event_details& event, const fetch_token& token) {
  describe_warp_and_pc(event, token.warp, token.pc);
  event.add(token.count);
}

void show(tlm_bus::signal_writer& to, const fetched_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
  to.number("count", 2, token.count);
  to.number("word", 32, token.instructions[0] == nullptr ? 0 : token.instructions[0]->instruction->words[0]);
}
void describe(tlm_bus::event_details& event, const fetched_token& token) {
  describe_warp_and_pc(event, token.warp, token.pc);
  event.add(token.count);
}

void show(tlm_bus::signal_writer& to, const fetch_control_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
  to.text("command", static_cast<std::uint64_t>(token.what), text_of_command);
}
void describe(tlm_bus::event_details& event, const fetch_control_token& token) {
  describe_warp_and_pc(event, token.warp, token.pc);
}

void show(tlm_bus::signal_writer& to, const redirect_token& token) { show_warp_and_pc(to, token.warp, token.pc); }
void describe(tlm_bus::event_details& event, const redirect_token& token) {
  describe_warp_and_pc(event, token.warp, token.pc);
}

void show(tlm_bus::signal_writer& to, const stack_transfer_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
}
void describe(tlm_bus::event_details& event, const stack_transfer_token& token) {
  describe_warp_and_pc(event, token.warp, token.pc);
}

void show(tlm_bus::signal_writer& to, const issued_token& token) { show(to, token.operation); }
void describe(tlm_bus::event_details& event, const issued_token& token) { describe(event, token.operation); }

void show(tlm_bus::signal_writer& to, const collected_token& token) { show(to, token.operation); }
void describe(tlm_bus::event_details& event, const collected_token& token) { describe(event, token.operation); }

void show(tlm_bus::signal_writer& to, const control_token& token) {
  to.identifier("id", token.operation == nullptr ? 0 : token.operation->id);
  show_warp_and_pc(to, token.warp, token.pc);
  to.mask("selected", isa::warp_size, token.selected);
}
void describe(tlm_bus::event_details& event, const control_token& token) {
  if (token.operation != nullptr) event.id = token.operation->id;
  describe_warp_and_pc(event, token.warp, token.pc);
}

void show(tlm_bus::signal_writer& to, const executed_token& token) { show(to, token.operation); }
void describe(tlm_bus::event_details& event, const executed_token& token) { describe(event, token.operation); }

}  // namespace gt200::model
