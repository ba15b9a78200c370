// The driver's mapping of virtual to physical addresses: a list of mapped ranges, and the same mapping as a
// two-level table (page_entries.h) in device memory.
//
// The host changes it only between launches, and writes the changes to device memory before the next launch; page
// walkers read them there. The list serves look-ups that take no time (texture addresses, checkers). Virtual
// addresses have 40 bits; pages have 4 KB or 64 KB. The directory is at `base`; the page tables follow in the order
// in which their first pages were mapped.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sc_models/memory_image.h"

namespace gt200::model {

class page_table {
 public:
  struct range {
    std::uint64_t first = 0;     // virtual address of the first byte
    std::uint64_t last = 0;      // of the last byte
    std::uint64_t physical = 0;  // of the first byte
    bool read_only = false;
    bool supervisor = false;  // a global access to it is a fault
    std::uint64_t translate(std::uint64_t address) const { return physical + (address - first); }
  };

  explicit page_table(std::uint32_t page_bytes, std::uint64_t base = 0) : page_bytes_(page_bytes), base_(base) {}

  // Maps `bytes` (> 0) from `address` on to `physical`. Throws std::logic_error unless all three are multiples of
  // the page size and the range is free.
  void map(std::uint64_t address, std::uint64_t bytes, std::uint64_t physical, bool supervisor = false);
  // Makes mapped pages read-only. Throws std::logic_error unless they are whole pages of one range.
  void protect(std::uint64_t address, std::uint64_t bytes);

  // The range that contains `address`; null if it is unmapped. Valid until the next change.
  const range* find(std::uint64_t address) const;
  std::uint32_t page_bytes() const { return page_bytes_; }

  // -- in device memory --
  // Physical address of the page directory.
  std::uint64_t base() const { return base_; }
  // The 8 bytes of the directory or of a page table at `physical`, a multiple of 8; 0 elsewhere.
  std::uint64_t word(std::uint64_t physical) const;
  // The writes that the changes since the last call require.
  std::vector<memory_image> take_changes();

 private:
  std::vector<range>::iterator after(std::uint64_t address);
  void join(std::vector<range>::iterator here);
  std::uint64_t table_bytes() const;
  std::uint64_t table_of(std::size_t slot) const;
  std::uint64_t page_word(std::uint64_t address) const;
  void note_change(std::uint64_t first, std::uint64_t last);

  std::uint32_t page_bytes_;
  std::uint64_t base_;
  std::vector<range> ranges_;  // by ascending address; adjacent ones with contiguous physical addresses are joined
  std::vector<std::uint64_t> tables_;  // by place in memory: which entry of the directory points there
  std::vector<std::pair<std::uint64_t, std::uint64_t>> changed_;  // virtual addresses, first and last
};

}  // namespace gt200::model
