#include "sc_models/memory_transaction.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

memory_extension extension_or_none(const tlm::tlm_generic_payload* payload) {
  const memory_extension* extension = payload == nullptr ? nullptr : extension_of(*payload);
  return extension == nullptr ? memory_extension() : *extension;
}

}  // namespace

void show(tlm_bus::signal_writer& to, const tlm::tlm_generic_payload* payload) {
  const memory_extension extension = extension_or_none(payload);
  to.identifier("id", extension.transaction_id);
  to.identifier("instruction", extension.instruction_id);
  to.number("address", traced_address_bits, payload == nullptr ? 0 : payload->get_address());
  to.number("bytes", 16, payload == nullptr ? 0 : payload->get_data_length());
  to.flag("write", payload != nullptr && payload->is_write());
}

void describe(tlm_bus::event_details& event, const tlm::tlm_generic_payload* payload) {
  if (payload == nullptr) return;
  const memory_extension extension = extension_or_none(payload);
  event.id = extension.transaction_id;
  event.add(payload->get_address());
  event.add(payload->get_data_length());
  event.add(payload->is_write() ? 1 : 0);
  event.add(static_cast<std::uint64_t>(extension.space));
  event.add(static_cast<std::uint64_t>(extension.kind));
  event.add(extension.instruction_id);
}

const char* name_of(memory_kind kind) {
  switch (kind) {
    case memory_kind::load: return "load";
    case memory_kind::store: return "store";
    case memory_kind::atomic: return "atomic";
    case memory_kind::fill: return "fill";
    case memory_kind::write_back: return "write_back";
    case memory_kind::prefetch: return "prefetch";
    case memory_kind::clean_line: return "clean_line";
    case memory_kind::drop_line: return "drop_line";
  }
  return "load";
}

}  // namespace gt200::model
