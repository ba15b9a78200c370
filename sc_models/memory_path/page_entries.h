// The format of the two-level page table in device memory, which the driver writes and the page walkers read.
//
// A directory of 2048 entries of 512 MB; each points to a table with an entry per page, of 4 KB or 64 KB. Entries
// have 8 bytes, little endian. Source: envytools, Tesla virtual memory. A block of 2^n pages (n = 0..7, on a
// boundary of its size) that is contiguous in physical memory too is marked as such: all its entries name n and the
// address of its first page, so that one TLB entry can serve the whole block. Targets other than device memory,
// supervisor pages and compression do not exist here; their bits are 0. Of the storage types (bits 40 to 46 of an
// entry) there are pitch-linear, 0, and one for block-linear arrays, 1; the latter stays with the physical address
// as its bit 40 (interconnect/address_map.h).
#pragma once

#include <cstdint>

namespace gt200::model::page_entries {

inline constexpr unsigned entry_bytes = 8;
inline constexpr unsigned directory_shift = 29;  // 512 MB per entry
inline constexpr std::uint64_t directory_entries = 2048;
inline constexpr std::uint64_t directory_bytes = directory_entries * entry_bytes;
inline constexpr unsigned highest_order = 7;

inline constexpr std::uint64_t small_page = 4096;
inline constexpr std::uint64_t large_page = 65536;
inline constexpr std::uint64_t address_mask = 0xff'ffff'f000;  // bits 12 to 39

inline constexpr std::uint64_t storage_mask = std::uint64_t{1} << 40;

struct directory_entry {
  std::uint64_t table = 0;       // physical address, a multiple of 4096
  std::uint64_t page_bytes = 0;  // 0: no table

  static directory_entry decode(std::uint64_t word) {
    const unsigned type = word & 3;
    return {word & address_mask, type == 1 ? large_page : type == 3 ? small_page : 0};
  }
  std::uint64_t encode() const { return page_bytes == 0 ? 0 : table | (page_bytes == large_page ? 1 : 3); }
  // Physical address of the page entry of a virtual address.
  std::uint64_t entry_of(std::uint64_t address) const {
    return table + (address & ((std::uint64_t{1} << directory_shift) - 1)) / page_bytes * entry_bytes;
  }
};

struct page_entry {
  bool present = false;
  bool read_only = false;
  unsigned order = 0;          // its block has 2^order pages
  std::uint64_t physical = 0;  // of the first page of the block, with its storage type

  static page_entry decode(std::uint64_t word) {
    return {(word & 1) != 0, (word & 8) != 0, static_cast<unsigned>(word >> 7 & 7),
            word & (address_mask | storage_mask)};
  }
  std::uint64_t encode() const {
    return present ? 1 | (read_only ? 8 : 0) | std::uint64_t{order} << 7 | physical : 0;
  }
};

}  // namespace gt200::model::page_entries
