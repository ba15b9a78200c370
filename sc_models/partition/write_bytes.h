// The bytes of memory that a write in flight changes. Debug reads must see them; debug writes must come after them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tlm>

namespace gt200::model {

// Calls `each` for every byte of [first, end) that `write` at address `at` changes.
template <class Each>
void for_each_byte_of(const tlm::tlm_generic_payload& write, std::uint64_t at, std::uint64_t first,
                      std::uint64_t end, Each each) {
  const std::uint8_t* const enables = write.get_byte_enable_ptr();
  const unsigned pattern = write.get_byte_enable_length();
  const std::uint64_t last = std::min(end, at + write.get_data_length());
  for (std::uint64_t byte = std::max(first, at); byte < last; ++byte)
    if (enables == nullptr || enables[(byte - at) % pattern] != 0) each(byte);
}

// Copies to `to` the bytes of [offset, offset + bytes) that `write` at address `at` changes.
inline void show_write(const tlm::tlm_generic_payload& write, std::uint64_t at, std::uint64_t offset,
                       unsigned bytes, std::uint8_t* to) {
  const std::uint8_t* const data = write.get_data_ptr();
  for_each_byte_of(write, at, offset, offset + bytes,
                   [&](std::uint64_t byte) { to[byte - offset] = data[byte - at]; });
}

// Copies the bytes that `newer` changes into the data of `write`, so that they survive when `write` is performed
// later. Bytes that `write` does not enable stay disabled.
inline void renew_write(tlm::tlm_generic_payload& write, std::uint64_t at, const tlm::tlm_generic_payload& newer,
                        std::uint64_t newer_at) {
  std::uint8_t* const data = write.get_data_ptr();
  for_each_byte_of(newer, newer_at, at, at + write.get_data_length(),
                   [&](std::uint64_t byte) { data[byte - at] = newer.get_data_ptr()[byte - newer_at]; });
}

}  // namespace gt200::model
