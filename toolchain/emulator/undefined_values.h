// Follows the values of a warp that come from registers of a section which it has not written since the acquire
// (docs/register_sharing.md).
//
// Such a value may be calculated with: compilers execute instructions in all lanes whose result only some of them
// take. It must not leave the registers: no address, stored word, guard or branch may depend on it.
#pragma once

#include <array>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::emulator {

class undefined_values {
 public:
  // An acquire: what these registers held is nobody's.
  void acquired(const isa::section_request& section);
  // The instruction executes in these lanes. Returns those in which an undefined value leaves the registers.
  isa::lane_mask executed(const isa::tesla::instruction& i, isa::lane_mask lanes) {
    return exists_ ? follow(i, lanes) : 0;
  }

 private:
  static constexpr unsigned registers = 128;
  static constexpr unsigned conditions = 4;

  isa::lane_mask follow(const isa::tesla::instruction& i, isa::lane_mask lanes);
  isa::lane_mask* find(const isa::register_range& range, unsigned n);

  bool exists_ = false;  // a section has been acquired
  std::array<isa::lane_mask, registers> general_{};
  std::array<isa::lane_mask, conditions> condition_{};
};

}  // namespace gt200::emulator
