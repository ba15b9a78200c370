// Device memory at its own addresses in this process: a pointer of the device is one of the host.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gt200::cudart {

class address_space {
 public:
  // Reserves the addresses. Throws input_error if something else is there.
  address_space(std::uint64_t begin, std::uint64_t end);
  ~address_space();
  address_space(const address_space&) = delete;
  address_space& operator=(const address_space&) = delete;

  // Memory from the first address to this one can be accessed; accesses to the rest are faults.
  void grow(std::uint64_t end);
  // True if all of these bytes can be accessed.
  bool holds(std::uint64_t address, std::size_t bytes) const;
  std::uint8_t* at(std::uint64_t address) const { return reinterpret_cast<std::uint8_t*>(address); }

 private:
  std::uint64_t begin_;
  std::uint64_t reserved_end_;
  std::uint64_t end_;
};

}  // namespace gt200::cudart
