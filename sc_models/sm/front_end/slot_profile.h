// The use of the issue slots of an SM, by warp and by instruction.
//
// A slot that is charged to a warp is also charged to an instruction: the one that issued, or the one that the warp
// holds back (the oldest in its buffer). If the buffer is empty, or the warp is at a barrier, it is the last
// instruction the warp issued: the unresolved branch, the barrier itself, or the last one before the missing line.
// A slot without a resident warp has neither.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sc_models/slots.h"
#include "sc_models/sm/stall_cause.h"

namespace gt200::model {

using slot_counts = std::array<std::uint64_t, stall_causes>;  // by stall_cause; `none` = issued

// The warp and instruction to which one slot is charged.
struct slot_use {
  stall_cause cause = stall_cause::no_warp;
  warp_slot warp;          // of the SM
  std::uint8_t lanes = 0;  // active, when an instruction issues
  std::uint32_t pc = 0;    // bytes from the start of the kernel's code
};
inline bool operator==(const slot_use& a, const slot_use& b) {
  return a.pc == b.pc && a.cause == b.cause && a.warp == b.warp && a.lanes == b.lanes;
}

struct instruction_use {
  slot_counts slots{};
  std::uint64_t lanes = 0;  // active lanes of all its issues

  instruction_use& operator+=(const instruction_use& other) {
    for (std::size_t cause = 0; cause < slots.size(); ++cause) slots[cause] += other.slots[cause];
    lanes += other.lanes;
    return *this;
  }
  instruction_use& operator-=(const instruction_use& other) {
    for (std::size_t cause = 0; cause < slots.size(); ++cause) slots[cause] -= other.slots[cause];
    lanes -= other.lanes;
    return *this;
  }
};
inline bool operator==(const instruction_use& a, const instruction_use& b) {
  return a.slots == b.slots && a.lanes == b.lanes;
}

class slot_profile {
 public:
  // Instructions of a kernel beyond this number (256 KiB) count as one, so that a wild jump does not cost memory.
  static constexpr std::size_t max_instructions = 65536;

  explicit slot_profile(std::size_t warps) : by_warp_(warps) {}

  // A slot in which an instruction issues has its lanes.
  void charge(const slot_use& use, std::uint64_t slots) {
    if (use.cause == stall_cause::no_warp) return;
    const auto cause = static_cast<std::size_t>(use.cause);
    const std::size_t place = std::min<std::size_t>(use.pc / 4, max_instructions - 1);
    if (place >= instructions_) resize(place + 1);
    instruction_use& charged = by_instruction_[place];
    charged.slots[cause] += slots;
    charged.lanes += use.lanes * slots;
    by_warp_[use.warp.index()][cause] += slots;
  }

  // Adds what was charged elsewhere, with the same number of warps.
  slot_profile& operator+=(const slot_profile& other) {
    for (std::size_t w = 0; w < by_warp_.size(); ++w)
      for (std::size_t cause = 0; cause < by_warp_[w].size(); ++cause)
        by_warp_[w][cause] += other.by_warp_[w][cause];
    if (other.instructions_ > instructions_) resize(other.instructions_);
    for (std::size_t i = 0; i < other.by_instruction_.size(); ++i) by_instruction_[i] += other.by_instruction_[i];
    return *this;
  }

  const std::vector<slot_counts>& by_warp() const { return by_warp_; }
  // Element i: the instruction at byte 4 i of any kernel that ran. Ends with the last charged one.
  const std::vector<instruction_use>& by_instruction() const { return by_instruction_; }

 private:
  void resize(std::size_t instructions) {
    by_instruction_.resize(instructions);
    instructions_ = instructions;
  }

  std::vector<slot_counts> by_warp_;
  std::vector<instruction_use> by_instruction_;
  std::size_t instructions_ = 0;  // in by_instruction_
};

}  // namespace gt200::model
