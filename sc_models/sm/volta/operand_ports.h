// The read ports of a processing block's registers: two banks, and a reuse cache at the operand slots.
//
// An instruction of fixed time reads its sources in three fixed cycles. A bank delivers `bank_reads` words per lane
// and cycle; register r is in bank r modulo 2. If more sources come from one bank than it delivers, the instruction
// holds the path for the cycles that they need further.
//
// The reuse cache has an entry for each bank and slot. An instruction fills it with a source whose reuse bit is
// set. A source hits if the last instruction that used this bank and slot has left the same register of the same
// path of a warp there (the same lanes; assumption): it reads no bank, and gets the value that the register had
// then. Any other use of bank and slot, and a yield of any instruction, clear the entry. Sources: Huerta et al.,
// MICRO 2025; width of a bank: Jia et al. 2018. Double precision reads over four cycles and never conflicts
// (assumption).
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/slots.h"
#include "sc_models/sm/cycles.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/operand_slot.h"

namespace gt200::model {

using isa::operand_slots;

// The entry of the reuse cache that slot and register use.
inline constexpr unsigned register_banks = 2;
constexpr unsigned bank_of_register(unsigned index) { return index % register_banks; }

class operand_ports {
 public:
  // `reuses`: there is a reuse cache.
  operand_ports(unsigned bank_reads, bool no_conflicts, bool reuses)
      : bank_reads_(bank_reads), free_(no_conflicts), reuses_(reuses) {}

  struct reads {
    core_cycles held;             // by conflicts
    std::uint8_t reuse_hits = 0;  // bit per slot
  };
  // The instruction issues; `lanes` are those of its path.
  reads issue(warp_slot warp, isa::lane_mask lanes, const isa::instruction& i);

 private:
  struct entry {
    bool valid = false;
    warp_slot warp;
    isa::lane_mask lanes = 0;
    std::uint8_t index = 0;
  };
  core_cycles read(warp_slot warp, isa::lane_mask lanes, const isa::instruction& i, std::uint8_t& reuse_hits);

  unsigned bank_reads_;
  bool free_;
  bool reuses_;
  std::array<std::array<entry, operand_slots>, register_banks> reuse_{};
};

}  // namespace gt200::model
