// Bytes for the host to write to device memory before a launch.
#pragma once

#include <cstdint>
#include <vector>

namespace gt200::model {

struct memory_image {
  std::uint64_t address = 0;  // physical
  std::vector<std::uint8_t> bytes;
};

}  // namespace gt200::model
