// A device that is only memory; the test defines what "running a grid" means.
#pragma once

#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "toolchain/launch/device_memory.h"

namespace gt200::launch {

class fake_device {
 public:
  device connection() {
    return {[this](std::uint32_t address, const std::uint8_t* bytes, std::size_t size) {
              if (size > 0) std::memcpy(at(address, size), bytes, size);
            },
            [this](std::uint32_t address, std::uint8_t* bytes, std::size_t size) {
              if (size > 0) std::memcpy(bytes, at(address, size), size);
            },
            [this](const launch_parameters& p) {
              launches.push_back(p);
              if (on_launch) on_launch(p);
            }};
  }

  template <class T>
  T load(std::uint32_t address) {
    T value;
    std::memcpy(&value, at(address, sizeof value), sizeof value);
    return value;
  }
  template <class T>
  void store(std::uint32_t address, T value) {
    std::memcpy(at(address, sizeof value), &value, sizeof value);
  }

  std::vector<launch_parameters> launches;
  std::function<void(const launch_parameters&)> on_launch;

 private:
  // Grows on demand; accesses below the first address of an allocator make the test fail.
  std::uint8_t* at(std::uint32_t address, std::size_t size) {
    const std::size_t offset = address - first_device_address;
    if (address < first_device_address) throw std::out_of_range("address below the device memory");
    if (memory_.size() < offset + size) memory_.resize(offset + size);
    return memory_.data() + offset;
  }

  std::vector<std::uint8_t> memory_;
};

}  // namespace gt200::launch
