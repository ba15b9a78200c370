// The stores and atomics a partition has put into the order of memory and not yet written, oldest first.
//
// Plain C++. The arbiter asks it whether a load would overtake one of them, and reads their data for debug access.
// An entry is `queued` until its write has been sent to the DRAM (from then on the DRAM keeps the order), and stays
// for debug access until the DRAM has answered.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

namespace gt200::model {

class pending_writes {
 public:
  static constexpr unsigned sector_bytes = 32;  // granule of order

  explicit pending_writes(unsigned capacity);

  bool full() const { return used_ == entries_.size(); }
  bool empty() const { return used_ == 0; }
  // Appends an access of `bytes` at `offset` in the partition; returns its index. `data` (null for atomics) is
  // referred to until the entry is finished; the caller keeps it alive.
  unsigned add(std::uint64_t offset, unsigned bytes, tlm::tlm_generic_payload* data);
  // True when a queued entry touches a sector of [offset, offset + bytes).
  bool conflicts(std::uint64_t offset, unsigned bytes) const;
  void sent(unsigned index);
  // The DRAM has written it. Returns what add() was given as data.
  tlm::tlm_generic_payload* finished(unsigned index);
  // Copies the data of pending stores over [offset, offset + bytes) of `to`, in order.
  void overlay(std::uint64_t offset, unsigned bytes, std::uint8_t* to) const;

 private:
  struct entry {
    std::uint64_t offset = 0;
    unsigned bytes = 0;
    bool done = true;
    tlm::tlm_generic_payload* data = nullptr;
  };
  unsigned at(unsigned position) const {
    const auto size = static_cast<unsigned>(entries_.size());
    const unsigned index = head_ + position;
    return index >= size ? index - size : index;
  }

  std::vector<entry> entries_;               // ring in order of arrival
  std::vector<std::uint32_t> first_sector_;  // by index; of queued entries only, else no sector
  std::vector<std::uint32_t> last_sector_;
  unsigned head_ = 0;
  unsigned used_ = 0;
  unsigned queued_ = 0;
};

}  // namespace gt200::model
