// The layout of device memory, and the launch library's access to it.
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
// CUDA arrays have pages of their own, as their storage type belongs to the page (envytools: 64 KB pages).
inline constexpr std::uint32_t array_alignment = 65536;
// Device memory is accessible in whole pages (envytools: 4 KB or 64 KB). The values of the preset configurations.
inline constexpr std::uint32_t device_page_bytes = 4096;
inline constexpr std::uint32_t volta_page_bytes = 65536;
// `capability`: 13 for 1.3, 70 for 7.0.
constexpr std::uint32_t page_bytes_of(unsigned capability) {
  return capability >= 70 ? volta_page_bytes : device_page_bytes;
}

// The first inaccessible address: memory is accessible from first_device_address to the end of the page that holds
// the last allocated byte. `end`: first byte behind the last allocation.
constexpr std::uint64_t end_of_mapping(std::uint64_t end, std::uint32_t page_bytes = device_page_bytes) {
  const std::uint64_t begin = first_device_address;
  return end <= begin ? begin : begin + (end - begin + page_bytes - 1) / page_bytes * page_bytes;
}

// The same for an array. `end`: first byte behind its image.
constexpr std::uint64_t end_of_array(std::uint64_t end) {
  return (end + array_alignment - 1) / array_alignment * array_alignment;
}

// Allocates addresses from low to high; never frees.
class device_allocator {
 public:
  explicit device_allocator(std::uint64_t base = first_device_address, std::uint64_t end = default_device_bytes)
      : next_(base), end_(end) {}

  // `alignment`: a power of two. False when the memory is full.
  bool allocate(std::uint64_t bytes, std::uint32_t& address, std::uint32_t alignment = allocation_alignment) {
    const std::uint64_t start = (next_ + alignment - 1) / alignment * alignment;
    if (start > end_ || bytes > end_ - start) return false;
    address = static_cast<std::uint32_t>(start);
    next_ = start + bytes;
    return true;
  }
  // Memory for a CUDA array: whole pages.
  bool allocate_array(std::uint64_t bytes, std::uint32_t& address) {
    return allocate(end_of_array(bytes), address, array_alignment);
  }

 private:
  std::uint64_t next_;
  std::uint64_t end_;
};

// The device as seen from the host: functional memory access, and running one grid to completion.
struct device {
  std::function<void(std::uint32_t address, const std::uint8_t* bytes, std::size_t size)> write;
  std::function<void(std::uint32_t address, std::uint8_t* bytes, std::size_t size)> read;
  std::function<void(const launch_parameters&)> launch;
};

}  // namespace gt200::launch
