// Entries of one TLB level: set-associative, least recently used entry replaced. No time.
//
// An entry serves a range of addresses within a page, not a line, so it has its own tags. The replacement policies
// of the caches choose victims.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/cache/replacement/lru.h"

namespace gt200::model {

// A block of pages that is contiguous in virtual and physical addresses.
struct translation {
  std::uint64_t first = 0;  // virtual address
  std::uint64_t bytes = 0;
  std::uint64_t physical = 0;  // of the first byte
  bool read_only = false;
  bool supervisor = false;

  bool contains(std::uint64_t address) const { return address - first < bytes; }
  std::uint64_t physical_offset() const { return physical - first; }
};

class translation_cache {
 public:
  // `entries` is a multiple of `ways`; an entry covers `page_bytes` at most, a power of two.
  translation_cache(unsigned entries, unsigned ways, std::uint32_t page_bytes);

  // Returns the block of `address` if an entry covers `address`; null on a miss. The block may be larger than the
  // range of the entry. Valid until the next insert().
  const translation* find(std::uint64_t address);
  // Adds an entry for part_of(block, address).
  void insert(std::uint64_t address, const translation& block);
  // The part of `block` in the page of `address`: the range of one entry.
  translation part_of(const translation& block, std::uint64_t address) const;

 private:
  struct entry {
    std::uint64_t first = 0;  // first address of its range
    std::uint64_t bytes = 0;  // 0: empty
    translation block;

    bool covers(std::uint64_t address) const { return address - first < bytes; }
  };
  line_index first_of_set(std::uint64_t address) const {
    return sets_ == 1 ? 0 : static_cast<line_index>(address / page_bytes_ % sets_) * ways_;
  }
  // The entry to replace in the set of `address`: the lowest empty one, else the choice of the policy.
  line_index victim(std::uint64_t address);

  unsigned ways_;
  unsigned sets_;
  std::uint64_t page_bytes_;
  std::vector<entry> entries_;  // [set][way]; none before the first insert()
  line_index last_used_ = 0;
  std::vector<line_index> candidates_;
  lru_replacement policy_;
};

}  // namespace gt200::model
