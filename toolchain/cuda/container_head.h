// The first bytes of a container of device code (container.h). Plain: the runtime library includes nothing else.
#pragma once

#include <cstdint>

namespace gt200::cuda {

inline constexpr std::uint64_t container_mark = 0x3455433030325447;  // "GT200CU4"

struct container_head {
  std::uint64_t mark;
  std::uint64_t bytes;  // of the whole container
  std::uint32_t max_registers;
  std::uint32_t contract;
  std::uint32_t relocatable;
  std::uint32_t reserved;
};

}  // namespace gt200::cuda
