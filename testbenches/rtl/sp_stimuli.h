// Random instructions of an SP and values that are hard for its arithmetic.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rtl_ref/sp/pins.h"
#include "testbenches/toolchain/isa/random_encodings.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::support {

// Zeros, denormals, infinities, NaNs, neighbours of all these and of powers of two, limits of every integer type,
// halves that rounding has to decide, half precision, counts of shifts.
const std::vector<std::uint32_t>& special_values();

// The instructions an SP supports, in random walks through the encodings of every row.
class sp_instructions {
 public:
  explicit sp_instructions(std::mt19937_64& random);
  // Every operation of the RTL is equally frequent.
  const isa::tesla::instruction& draw();
  // One instruction for every set of control fields that `steps` steps per row meet.
  std::vector<isa::tesla::instruction> of_every_control(unsigned steps);

 private:
  struct row_walk {
    isa::tesla::encoding_walk walk;
    isa::tesla::instruction current;
  };
  bool step(row_walk& row);

  std::mt19937_64& random_;
  std::vector<std::vector<row_walk>> rows_;  // by operation
};

// Fills the sources of all lanes, flags_in and address_in with values that are uniform, special, close to special
// ones, or related to each other: equal, opposite, with a product near a limit or near the addend. Immediates of
// the instruction stay what they are.
void draw_operands(const isa::tesla::instruction& instruction, isa::lane_bundle& bundle, std::mt19937_64& random);

// Replaces the sources that are immediates by their values, as operand collection does.
void apply_immediates(const isa::tesla::instruction& instruction, isa::lane_bundle& bundle);

rtl::lane_operands operands_of(const isa::lane_bundle& bundle, unsigned lane);

}  // namespace gt200::support
