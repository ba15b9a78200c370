// Mapping of virtual to physical addresses, as the driver has set it up for a launch.
//
// A list of mapped ranges; everything else is unmapped. The host changes it between launches only; the TLBs of the
// TPCs read it. Virtual addresses have 40 bits (G80: 32), pages 4 KB or 64 KB (envytools). The two-level table of
// the hardware is not modelled: a walk costs a configured time.
#pragma once

#include <cstdint>
#include <vector>

namespace gt200::model {

class page_table {
 public:
  struct range {
    std::uint64_t first = 0;     // virtual address of the first byte
    std::uint64_t last = 0;      // of the last byte
    std::uint64_t physical = 0;  // of the first byte
    std::uint64_t translate(std::uint64_t address) const { return physical + (address - first); }
  };

  explicit page_table(std::uint32_t page_bytes) : page_bytes_(page_bytes) {}

  // Maps `bytes` (> 0) from `address` on to `physical`. Throws std::logic_error unless all three are multiples of
  // the page size and the range is free.
  void map(std::uint64_t address, std::uint64_t bytes, std::uint64_t physical);
  void clear() { ranges_.clear(); }

  // The range that contains `address`; null when it is unmapped. Valid until the next change.
  const range* find(std::uint64_t address) const;
  std::uint32_t page_bytes() const { return page_bytes_; }

 private:
  std::uint32_t page_bytes_;
  std::vector<range> ranges_;  // by ascending address; adjacent ones with contiguous physical addresses are joined
};

}  // namespace gt200::model
