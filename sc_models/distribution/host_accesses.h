// Accesses of the host to memory, carried out as transactions to the partitions. A part of the command processor.
//
// An access is cut into transactions that cross no border between partitions or cache lines. They leave one per
// cycle, in the order in which the accesses were begun, and come back in any order. The access is complete when all
// of them are back: a load has the bytes of memory then, and stores are performed.
//
// An access under way at a reset is not carried out further; of a store some transactions may have been performed.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class host_accesses {
 public:
  static constexpr unsigned max_bytes = 4096;  // of an access

  // `at_a_time`: accesses under way, reads and writes each. No transaction crosses a multiple of `boundary`, which
  // is at most 128.
  host_accesses(tlm_bus::memory_initiator<gpu_memory_protocol>& port, unsigned at_a_time, unsigned boundary);

  bool has_room(const tlm::tlm_generic_payload& access) const {
    return under_way_[access.is_write() ? 1 : 0] < at_a_time_;
  }
  // Begins a read or write of 1 to max_bytes bytes. It must have room.
  void begin(tlm::tlm_generic_payload& access, std::uint64_t device_address);
  // Sends one transaction if there is one and the port takes it. Returns true if more are to be sent.
  bool send();
  // Takes the answer that is visible at the port. Returns the access that it completes, with its response status.
  tlm::tlm_generic_payload* receive();

  // Calls act(access) for everything under way.
  template <class Act>
  void for_each(Act act) const {
    for (const entry& e : entries_)
      if (e.access != nullptr) act(*e.access);
  }
  std::size_t under_way() const { return under_way_[0] + under_way_[1]; }
  void visit_state(tlm_bus::state_image& state);

 private:
  struct entry {
    tlm::tlm_generic_payload* access = nullptr;  // null: free
    std::uint64_t address = 0;                   // of the device
    unsigned sent = 0;                           // bytes
    unsigned answered = 0;                       // bytes
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  unsigned part_of(const entry& e) const;

  tlm_bus::memory_initiator<gpu_memory_protocol>& port_;
  unsigned at_a_time_;
  unsigned boundary_;
  std::vector<entry> entries_;
  std::vector<unsigned> free_;
  std::deque<unsigned> to_send_;  // entries, oldest first
  unsigned under_way_[2] = {};    // reads, writes
  std::uint64_t transactions_ = 0;
  payload_pool pool_;
};

}  // namespace gt200::model
