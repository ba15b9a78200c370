// Where things lie in device memory, and how the launch library reaches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "toolchain/launch/abi.h"

namespace gt200::launch {

// Addresses below are never handed out, so that null pointers and small wild offsets stay detectable.
inline constexpr std::uint32_t first_device_address = 0x00100000;
// 1 GB, the smaller of the two memory sizes GT200 boards were sold with (GeForce GTX 280).
inline constexpr std::uint64_t default_device_bytes = 0x40000000;
inline constexpr std::uint32_t allocation_alignment = 256;  // as cudaMalloc guarantees

// Hands out addresses from low to high; nothing is ever returned.
class device_allocator {
 public:
  explicit device_allocator(std::uint64_t base = first_device_address, std::uint64_t end = default_device_bytes)
      : next_(base), end_(end) {}

  // False when the memory is full.
  bool allocate(std::uint64_t bytes, std::uint32_t& address) {
    const std::uint64_t start = (next_ + allocation_alignment - 1) / allocation_alignment * allocation_alignment;
    if (start > end_ || bytes > end_ - start) return false;
    address = static_cast<std::uint32_t>(start);
    next_ = start + bytes;
    return true;
  }

 private:
  std::uint64_t next_;
  std::uint64_t end_;
};

// The device as seen from the host: functional memory access, and running one grid to its end.
struct device {
  std::function<void(std::uint32_t address, const std::uint8_t* bytes, std::size_t size)> write;
  std::function<void(std::uint32_t address, std::uint8_t* bytes, std::size_t size)> read;
  std::function<void(const launch_parameters&)> launch;
};

}  // namespace gt200::launch
