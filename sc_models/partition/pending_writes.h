// The stores and atomics of a partition that have a place in the order of memory accesses and are not yet written,
// oldest first.
//
// Plain C++. The arbiter asks whether a load would overtake one of them, and reads their data for debug access. An
// entry is `queued` until its write has been sent to the DRAM, which then keeps the order. The entry stays for
// debug access until the DRAM has answered. Stores that the ROP has merged are sent and finished together.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "sc_models/partition/rop_ticket.h"
#include "sc_models/partition/sector.h"

namespace gt200::model {

class pending_writes {
 public:
  explicit pending_writes(unsigned capacity);

  bool full() const { return used_ == entries_.size(); }
  bool empty() const { return used_ == 0; }
  // Appends an access of `bytes` at `offset` in the partition and returns its ticket. `data` (null for atomics)
  // must stay valid until the entry is finished.
  rop_ticket add(std::uint64_t offset, unsigned bytes, tlm::tlm_generic_payload* data);
  // True if a queued entry touches a sector of [offset, offset + bytes).
  bool conflicts(std::uint64_t offset, unsigned bytes) const;
  // The write that performs the entry has been sent; it writes `bytes` at `offset`. It also performs all older
  // queued stores that touch these sectors, because the ROP has merged them into it.
  void sent(rop_ticket ticket, std::uint64_t offset, unsigned bytes);
  // The DRAM has written it. Calls `release` with the `data` of the entry and of those merged into it; not for
  // atomics.
  template <class Release>
  void finished(rop_ticket ticket, Release release) {
    const unsigned index = index_of(ticket);
    require_sent(index);
    for (unsigned position = 0; position < used_; ++position) {
      entry& e = entries_[at(position)];
      if (e.done || e.sent_with != index) continue;
      e.done = true;
      if (e.data != nullptr) release(*e.data);
    }
    drop_done();
  }
  // Copies the data of pending stores over [offset, offset + bytes) of `to`, in order.
  void overlay(std::uint64_t offset, unsigned bytes, std::uint8_t* to) const;
  // `newer` comes after the pending stores: replaces their data in the bytes that it writes at `offset`.
  void renew(std::uint64_t offset, const tlm::tlm_generic_payload& newer);

  // Calls each(offset, bytes) for what is not yet written, oldest first.
  template <class Each>
  void for_each(Each each) const {
    for (unsigned position = 0; position < used_; ++position) {
      const entry& e = entries_[at(position)];
      if (!e.done) each(e.offset, e.bytes);
    }
  }

 private:
  static constexpr unsigned not_sent = ~0u;
  struct entry {
    std::uint64_t offset = 0;
    unsigned bytes = 0;
    unsigned sent_with = not_sent;  // index of the entry whose write performs it
    bool done = true;
    tlm::tlm_generic_payload* data = nullptr;
  };
  unsigned at(unsigned position) const {
    const auto size = static_cast<unsigned>(entries_.size());
    const unsigned index = head_ + position;
    return index >= size ? index - size : index;
  }

  void mark_sent(unsigned index, unsigned with);
  void require_sent(unsigned index) const;
  void drop_done();

  std::vector<entry> entries_;               // ring in order of arrival
  std::vector<std::uint32_t> first_sector_;  // by index; no sector if the entry is not queued
  std::vector<std::uint32_t> last_sector_;
  unsigned head_ = 0;
  unsigned used_ = 0;
  unsigned queued_ = 0;
};

}  // namespace gt200::model
