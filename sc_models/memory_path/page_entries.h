// The format of the two-level page table in device memory, which the driver or a platform writes and the page
// walkers read.
//
// A directory of 2048 entries of 512 MB; each points to a table with an entry per page, of 4 KB or 64 KB. Entries
// have 8 bytes, little endian. Source: envytools, Tesla virtual memory. A block of 2^n pages (n = 0..7, on a
// boundary of its size) that is contiguous in physical memory too is marked as such: all its entries name n and the
// address of its first page, so that one TLB entry can serve the whole block. Targets other than device memory
// and compression do not exist here; their bits are 0. The storage type stays with the physical
// address as its bit 40 (interconnect/address_map.h).
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

// Some bits of an entry.
struct bit_field {
  unsigned last;
  unsigned first;
  constexpr std::uint64_t mask() const { return (std::uint64_t{2} << last) - (std::uint64_t{1} << first); }
  constexpr std::uint64_t of(std::uint64_t word) const { return (word & mask()) >> first; }
  constexpr std::uint64_t with(std::uint64_t value) const { return value << first & mask(); }
};

// -- entry of the directory --
inline constexpr bit_field directory_type = {1, 0};     // 0 no table, 1 a table of 64 KB pages, 3 of 4 KB pages
inline constexpr bit_field directory_table = {39, 12};  // bits 39:12 of the device address of the table

// -- entry of a table --
inline constexpr bit_field page_present = {0, 0};     // 1: the page is mapped
inline constexpr bit_field page_read_only = {3, 3};   // 1: stores and atomics are faults
inline constexpr bit_field page_supervisor = {6, 6};  // 1: local memory and divergence stacks alone reach it
inline constexpr bit_field page_order = {9, 7};       // n: the page belongs to a block of 2^n pages
inline constexpr bit_field page_address = {39, 12};   // bits 39:12 of the device address of the block
inline constexpr bit_field page_storage = {40, 40};   // 1: of a block-linear array

inline constexpr std::uint64_t large_table = 1, small_table = 3;  // directory_type

struct directory_entry {
  std::uint64_t table = 0;       // physical address, a multiple of 4096
  std::uint64_t page_bytes = 0;  // 0: no table

  static directory_entry decode(std::uint64_t word) {
    const std::uint64_t type = directory_type.of(word);
    return {word & directory_table.mask(), type == large_table ? large_page : type == small_table ? small_page : 0};
  }
  std::uint64_t encode() const {
    return page_bytes == 0 ? 0 : table | directory_type.with(page_bytes == large_page ? large_table : small_table);
  }
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
  bool supervisor = false;

  static page_entry decode(std::uint64_t word) {
    return {page_present.of(word) != 0, page_read_only.of(word) != 0, static_cast<unsigned>(page_order.of(word)),
            word & (page_address.mask() | page_storage.mask()), page_supervisor.of(word) != 0};
  }
  std::uint64_t encode() const {
    return present ? page_present.mask() | page_read_only.with(read_only ? 1 : 0) |
                         page_supervisor.with(supervisor ? 1 : 0) | page_order.with(order) | physical
                   : 0;
  }
};

}  // namespace gt200::model::page_entries
