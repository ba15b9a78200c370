#include "observe/trace/token_fields.h"

#include <array>

#include "sc_models/memory_transaction.h"

namespace gt200::observe {
namespace {

constexpr unsigned address_bits = 40;

std::uint16_t grid_of(const model::grid_descriptor* grid) { return grid == nullptr ? 0 : grid->grid_id; }

void show_warp_and_pc(tlm_bus::signal_writer& to, unsigned warp, std::uint32_t pc) {
  to.number("warp", 6, warp);
  to.number("pc", 32, pc);
}

model::memory_extension extension_of(const tlm::tlm_generic_payload* payload) {
  model::memory_extension* extension = nullptr;
  if (payload != nullptr) payload->get_extension(extension);
  return extension == nullptr ? model::memory_extension() : *extension;
}

}  // namespace

// -- as signals --

void show(tlm_bus::signal_writer& to, const model::warp_instruction* operation) {
  to.identifier("id", operation == nullptr ? 0 : operation->id);
  show_warp_and_pc(to, operation == nullptr ? 0 : operation->warp, operation == nullptr ? 0 : operation->pc);
  to.mask("active", isa::warp_size, operation == nullptr ? 0 : operation->active);
}

void show(tlm_bus::signal_writer& to, const model::start_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
}
void show(tlm_bus::signal_writer& to, const model::fetch_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
  to.number("count", 2, token.count);
}
void show(tlm_bus::signal_writer& to, const model::fetched_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
  to.number("count", 2, token.count);
  to.number("word", 32, token.words[0]);
}
void show(tlm_bus::signal_writer& to, const model::fetch_control_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
  to.text("command", static_cast<std::uint64_t>(token.what), [](std::uint64_t key) -> std::string {
    switch (static_cast<model::fetch_control_token::command>(key)) {
      case model::fetch_control_token::command::stop: return "stop";
      case model::fetch_control_token::command::advance: return "advance";
      case model::fetch_control_token::command::restart: return "restart";
    }
    return "";
  });
}
void show(tlm_bus::signal_writer& to, const model::redirect_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
}
void show(tlm_bus::signal_writer& to, const model::stack_transfer_token& token) {
  show_warp_and_pc(to, token.warp, token.pc);
}
void show(tlm_bus::signal_writer& to, const model::control_token& token) {
  to.identifier("id", token.operation == nullptr ? 0 : token.operation->id);
  show_warp_and_pc(to, token.warp, token.pc);
  to.mask("selected", isa::warp_size, token.selected);
}
void show(tlm_bus::signal_writer& to, const model::launch_token& token) {
  to.number("sm", 4, token.sm);
  to.number("block", 32, token.block_id);
}
void show(tlm_bus::signal_writer& to, const model::retire_token& token) {
  to.number("sm", 4, token.sm);
  to.number("block", 32, token.block_id);
  to.flag("faulted", token.faulted);
}
void show(tlm_bus::signal_writer& to, const model::grid_token& token) {
  to.number("grid", 16, grid_of(token.grid));
}
void show(tlm_bus::signal_writer& to, const model::grid_end_token& token) { to.flag("faulted", token.faulted); }
void show(tlm_bus::signal_writer& to, const model::memory_access_token& token) {
  show(to, token.access == nullptr ? nullptr : token.access->operation);
}
void show(tlm_bus::signal_writer& to, const model::transaction_token& token) {
  to.identifier("id", token.access == nullptr ? 0 : token.access->operation->id);
  to.number("address", address_bits, token.address);
  to.number("bytes", 8, token.bytes);
  to.mask("lanes", isa::warp_size, token.lanes);
}
void show(tlm_bus::signal_writer& to, const model::payload_token& token) { show(to, token.payload); }
void show(tlm_bus::signal_writer& to, const model::texture_access_token& token) {
  show(to, token.access == nullptr ? nullptr : token.access->operation);
}
void show(tlm_bus::signal_writer& to, const model::walk_request_token& token) {
  to.identifier("id", token.instruction_id);
  to.number("address", address_bits, token.address);
}
void show(tlm_bus::signal_writer& to, const model::walk_result_token& token) { to.flag("mapped", token.mapped); }

void show(tlm_bus::signal_writer& to, const tlm::tlm_generic_payload* payload) {
  const model::memory_extension extension = extension_of(payload);
  to.identifier("id", extension.transaction_id);
  to.identifier("instruction", extension.instruction_id);
  to.number("address", address_bits, payload == nullptr ? 0 : payload->get_address());
  to.number("bytes", 16, payload == nullptr ? 0 : payload->get_data_length());
  to.flag("write", payload != nullptr && payload->is_write());
}

// -- as events --

void tell(event& e, const model::warp_instruction* operation) {
  if (operation == nullptr) return;
  e.id = operation->id;
  e.add(operation->warp);
  e.add(operation->pc);
}
void tell(event& e, const model::start_token& token) {
  e.add(token.warp);
  e.add(token.pc);
}
void tell(event& e, const model::fetch_token& token) {
  e.add(token.warp);
  e.add(token.pc);
  e.add(token.count);
}
void tell(event& e, const model::fetched_token& token) {
  e.add(token.warp);
  e.add(token.pc);
  e.add(token.count);
}
void tell(event& e, const model::fetch_control_token& token) {
  e.add(token.warp);
  e.add(token.pc);
}
void tell(event& e, const model::redirect_token& token) {
  e.add(token.warp);
  e.add(token.pc);
}
void tell(event& e, const model::stack_transfer_token& token) {
  e.add(token.warp);
  e.add(token.pc);
}
void tell(event& e, const model::control_token& token) {
  if (token.operation != nullptr) e.id = token.operation->id;
  e.add(token.warp);
  e.add(token.pc);
}
void tell(event& e, const model::launch_token& token) {
  e.add(token.sm);
  e.add(token.block_id);
  e.add(grid_of(token.grid));
}
void tell(event& e, const model::retire_token& token) {
  e.add(token.sm);
  e.add(token.block_id);
  e.add(token.faulted ? 1 : 0);
}
void tell(event& e, const model::grid_token& token) {
  e.add(grid_of(token.grid));
  e.add(token.grid == nullptr ? 0 : token.grid->blocks());
}
void tell(event& e, const model::grid_end_token& token) { e.add(token.faulted ? 1 : 0); }
void tell(event& e, const model::memory_access_token& token) { tell(e, token.access->operation); }
void tell(event& e, const model::transaction_token& token) {
  e.id = token.access->operation->id;
  e.add(token.access->operation->warp);
  e.add(token.address);
  e.add(token.bytes);
}
void tell(event& e, const model::payload_token& token) { tell(e, token.payload); }
void tell(event& e, const model::texture_access_token& token) { tell(e, token.access->operation); }
void tell(event& e, const model::walk_request_token& token) {
  e.id = token.instruction_id;
  e.add(token.warp);
  e.add(token.address);
}
void tell(event& e, const model::walk_result_token& token) { e.add(token.mapped ? 1 : 0); }

void tell(event& e, const tlm::tlm_generic_payload* payload) {
  if (payload == nullptr) return;
  const model::memory_extension extension = extension_of(payload);
  e.id = extension.transaction_id;
  e.add(payload->get_address());
  e.add(payload->get_data_length());
  e.add(payload->is_write() ? 1 : 0);
  e.add(static_cast<std::uint64_t>(extension.space));
  e.add(static_cast<std::uint64_t>(extension.kind));
  e.add(extension.instruction_id);
}

const char* name_of_transaction(const event& e) {
  static constexpr std::array<const char*, 4> kinds = {"load", "store", "atomic", "fill"};
  return kinds[e.detail[4] % kinds.size()];
}

}  // namespace gt200::observe
