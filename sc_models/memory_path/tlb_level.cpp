#include "sc_models/memory_path/tlb_level.h"

#include "sc_models/memory_transaction.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const translation_access& access) {
  to.identifier("id", access.instruction_id);
  to.number("address", traced_address_bits, access.address);
  to.flag("insert", access.insert);
  to.flag("hit", access.hit);
  to.number("first", traced_address_bits, access.part.first);
  to.number("bytes", traced_address_bits, access.part.bytes);
  to.number("physical", traced_address_bits + 1, access.part.physical);
  to.flag("read_only", access.part.read_only);
}
void describe(tlm_bus::event_details& event, const translation_access& access) {
  event.id = access.instruction_id;
  event.add(access.address);
  event.add(access.insert ? 1 : 0);
  event.add(access.hit ? 1 : 0);
  event.add(access.part.physical);
}

tlb_level::tlb_level(const sc_core::sc_module_name& name, unsigned entries, unsigned ways, std::uint32_t page_bytes)
    : sc_core::sc_module(name), accesses("accesses", *this), entries_(entries, ways, page_bytes) {}

void tlb_level::transport(translation_access& access) {
  if (access.insert) {
    entries_.insert(access.address, access.block);
  } else {
    const translation* found = entries_.find(access.address);
    access.hit = found != nullptr;
    if (!access.hit) return;
    access.block = *found;
  }
  access.hit = true;
  access.part = entries_.part_of(access.block, access.address);
}

void tlb_level::visit_state(tlm_bus::state_image& state) { state(entries_); }

}  // namespace gt200::model
