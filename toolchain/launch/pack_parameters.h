// Parameters of a kernel as bytes, for programs that launch one themselves.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace gt200::launch {

// In order, each aligned to its own size, as the kernels of all compilers expect them. Addresses of device memory
// are std::uint64_t for kernels compiled for 64-bit hosts, else std::uint32_t.
template <class... types>
std::vector<std::uint8_t> pack_parameters(const types&... values) {
  static_assert((std::is_arithmetic_v<types> && ...), "parameters are numbers and device addresses");
  std::vector<std::uint8_t> bytes;
  [[maybe_unused]] const auto append = [&bytes](const auto& value) {
    const std::size_t start = (bytes.size() + sizeof value - 1) / sizeof value * sizeof value;
    bytes.resize(start + sizeof value);
    std::memcpy(bytes.data() + start, &value, sizeof value);
  };
  (append(values), ...);
  return bytes;
}

}  // namespace gt200::launch
