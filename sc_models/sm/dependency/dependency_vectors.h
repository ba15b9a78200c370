// The dependency vectors in the instruction buffer, as a dependency mechanism reads and changes them. Positions
// count the buffered instructions of a warp from the oldest on.
#pragma once

#include <cstdint>

#include "sc_models/sm/buffered_instruction.h"

namespace gt200::model {

class dependency_vectors {
 public:
  virtual ~dependency_vectors() = default;
  virtual unsigned buffered(warp_slot warp) const = 0;
  virtual const buffered_instruction& at(warp_slot warp, unsigned position) const = 0;
  // Replaces the dependencies of an instruction that has been looked up again.
  virtual void set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies) = 0;
  // Clears these dependencies in all instructions of the warp, including those that enter in this cycle.
  virtual void clear_dependencies(warp_slot warp, std::uint64_t dependencies) = 0;
};

}  // namespace gt200::model
