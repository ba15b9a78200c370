#include "sc_models/partition/ideal_memory.h"

#include <cstring>
#include <string>

#include "sc_models/memory_transaction.h"
#include "sc_models/partition/atomic_operation.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

ideal_memory::ideal_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                           const config::partition_config& config, const address_map& map, unsigned source_count,
                           std::uint64_t memory_bytes)
    : stage(name, uncore), memory("memory", *this), map_(map) {
  if (config.texture_writes_invalidate)
    textures = std::make_unique<texture_watch>(*this, memory_bytes, config.texture_l2.line_bytes);
  for (unsigned i = 0; i < source_count; ++i)
    sources.emplace_back(("source_" + std::to_string(i)).c_str(), *this, 2, 1,
                         [this](tlm::tlm_generic_payload& access) { return memory->transport_dbg(access); });
}

void ideal_memory::tick() {
  for (auto& source : sources) {
    if (source.request() == nullptr || !source.can_respond()) continue;
    tlm::tlm_generic_payload& access = source.take_request();
    const bool done = perform(access);
    if (textures && done) {
      textures->performed(access, access.get_address(), bytes_of_memory(access));
      textures->answered(access);
    }
    access.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    source.respond(access);
  }
}

bool ideal_memory::perform(tlm::tlm_generic_payload& access) {
  observers_.notify(
      [&](order_observer& o) { o.performed(access, map_.locate(access.get_address()).partition, now()); });
  if (!access.is_read() && extension_of(access)->kind == memory_kind::atomic) return atomic(access);
  ++(access.is_read() ? loads : stores);
  return memory->transport_dbg(access) == access.get_data_length();
}

bool ideal_memory::atomic(tlm::tlm_generic_payload& access) {
  ++atomics;
  const atomic_request request = atomic_request_of(access);
  std::uint8_t bytes[8] = {};
  if (!move(tlm::TLM_READ_COMMAND, access.get_address(), bytes, request.width())) return false;
  std::uint64_t old = 0;
  std::memcpy(&old, bytes, request.width());
  const std::uint64_t result = atomic_result(request, old);
  std::memcpy(access.get_data_ptr(), bytes, request.width());
  std::memcpy(bytes, &result, request.width());
  return move(tlm::TLM_WRITE_COMMAND, access.get_address(), bytes, request.width());
}

bool ideal_memory::move(tlm::tlm_command command, std::uint64_t address, std::uint8_t* bytes, unsigned count) {
  debug_payload_.set_command(command);
  debug_payload_.set_address(address);
  debug_payload_.set_data_ptr(bytes);
  debug_payload_.set_data_length(count);
  return memory->transport_dbg(debug_payload_) == count;
}

void ideal_memory::visit_state(tlm_bus::state_image& state) {
  state.fixed(map_, debug_payload_);
  state(textures);
}

}  // namespace gt200::model
