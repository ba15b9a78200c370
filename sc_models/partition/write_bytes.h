// Which bytes of memory a write on its way changes, for debug access that has to see it, or to come after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tlm>

namespace gt200::model {

// Calls `each` with every byte of [first, end) that `write`, which lies at `at`, changes.
template <class Each>
void for_each_byte_of(const tlm::tlm_generic_payload& write, std::uint64_t at, std::uint64_t first,
                      std::uint64_t end, Each each) {
  const std::uint8_t* const enables = write.get_byte_enable_ptr();
  const unsigned pattern = write.get_byte_enable_length();
  const std::uint64_t last = std::min(end, at + write.get_data_length());
  for (std::uint64_t byte = std::max(first, at); byte < last; ++byte)
    if (enables == nullptr || enables[(byte - at) % pattern] != 0) each(byte);
}

// Copies what `write`, which lies at `at`, changes of [offset, offset + bytes) to `to`.
inline void show_write(const tlm::tlm_generic_payload& write, std::uint64_t at, std::uint64_t offset,
                       unsigned bytes, std::uint8_t* to) {
  const std::uint8_t* const data = write.get_data_ptr();
  for_each_byte_of(write, at, offset, offset + bytes,
                   [&](std::uint64_t byte) { to[byte - offset] = data[byte - at]; });
}

// What `newer`, which lies at `newer_at`, changes becomes data of `write`, so that it stays when that is performed
// later. Bytes that `write` does not enable keep out of memory as before.
inline void renew_write(tlm::tlm_generic_payload& write, std::uint64_t at, const tlm::tlm_generic_payload& newer,
                        std::uint64_t newer_at) {
  std::uint8_t* const data = write.get_data_ptr();
  for_each_byte_of(newer, newer_at, at, at + write.get_data_length(),
                   [&](std::uint64_t byte) { data[byte - at] = newer.get_data_ptr()[byte - newer_at]; });
}

}  // namespace gt200::model
