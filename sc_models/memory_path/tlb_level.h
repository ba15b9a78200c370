// One level of the TLB as a module: the entries of translation_cache.h behind a socket.
//
// A look-up or an insertion is one transaction, answered in its cycle; the TLB counts the latency. Another store of
// translations with this socket may take its place.
#pragma once

#include <systemc>

#include "sc_models/memory_path/translation_cache.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

struct translation_access {
  std::uint64_t address = 0;  // virtual
  std::uint64_t instruction_id = 0;
  bool insert = false;  // an entry for the part of `block` around the address; else look it up
  // The block of the address: input of an insertion, answer of a look-up that hits. It may be larger than the
  // entry.
  translation block;

  // The answer.
  bool hit = false;  // true for an insertion
  translation part;  // what the entry covers, if hit
};
void show(tlm_bus::signal_writer& to, const translation_access& access);
// Event details: address, insert, hit, physical address of the part.
void describe(tlm_bus::event_details& event, const translation_access& access);

class tlb_level : public sc_core::sc_module,
                  private tlm_bus::transaction_target<translation_access>,
                  public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<translation_access> accesses;

  // As translation_cache.
  tlb_level(const sc_core::sc_module_name& name, unsigned entries, unsigned ways, std::uint32_t page_bytes);

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "tlb_level"; }

 private:
  void transport(translation_access& access) override;

  translation_cache entries_;
};

}  // namespace gt200::model
