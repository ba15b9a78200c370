// What a dependency mechanism costs in hardware.
#pragma once

#include <cstdint>

namespace gt200::model {

// Hardware of one SM, for comparing mechanisms as the literature does: an instruction is taken to have three source
// registers and a destination.
struct tracking_cost {
  static constexpr unsigned operands = 4;
  std::uint64_t storage_bits = 0;       // for $r; with coon entries hold $c and $a as well
  std::uint64_t flag_storage_bits = 0;  // further bits for $c and $a
  std::uint64_t vector_bits = 0;        // dependency vectors in the instruction buffer
  std::uint64_t comparators = 0;        // of register numbers
  std::uint64_t read_ports = 0;
};

}  // namespace gt200::model
