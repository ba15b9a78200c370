// Data that the functions printf, assert, malloc and free of kernels (gt200_kernel_library.h) share with the worker
// that runs them.
//
// A module that prints has the variable `print_name`, 16 bytes: u64 address and u32 bytes of a ring, a power of
// two, and u32 position, the bytes that were written since the launch began. A record is words of 64 bits: the
// head, the address of the format, and the values, floats as doubles. The ring keeps the newest records. Head: bits
// 0 to 31 position of the record, 32 to 39 number of values, 40 to 47 kind (0 text, 1 a failed assertion), 48 to 63
// a mark.
//
// A module that allocates has the variable `heap_name`, u64 address of the heap, which starts with zeros but for
// its first u64, the bytes that it has.
#pragma once

#include <cstdint>

namespace gt200::cuda {

inline constexpr const char* print_name = "_ZN11gt200_stateILi0EE5printE";
inline constexpr const char* heap_name = "_ZN11gt200_stateILi0EE4heapE";

struct print_state {
  std::uint64_t address;
  std::uint32_t bytes;
  std::uint32_t position;
};

inline constexpr std::uint64_t print_mark = 0x7e57;

constexpr unsigned values_of_record(std::uint64_t head) { return head >> 32 & 255; }
constexpr bool is_assertion(std::uint64_t head) { return (head >> 40 & 255) != 0; }

}  // namespace gt200::cuda
