// Until when the banks of a register file are occupied by the instructions that have read it.
//
// Registers are stored in groups of 64 words: register r of two neighbouring warps of a block (envytools: the
// striped layout, and the reason why warps are allocated in pairs). Successive quads of words are in successive
// banks, and a bank serves one quad per shader cycle. The width of a bank is an assumption: 16 banks then serve 128
// words per core cycle, as many as the ports can take.
#pragma once

#include <algorithm>
#include <array>

#include "sc_models/grid_descriptor.h"
#include "sc_models/sm/cycles.h"
#include "sc_models/warp_instruction.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class register_banks {
 public:
  static constexpr unsigned max_banks = 64;

  // Without banks nothing is ever occupied.
  explicit register_banks(unsigned banks)
      : banks_(banks),
        rows_(banks / quads_per_row),
        first_represents_row_(banks != 0 && (banks & (banks - 1)) == 0 && banks >= quads_per_row) {}

  // True if every bank that the instruction reads will have finished older instructions before `end`.
  bool free_before(shader_cycle end, const warp_instruction& operation) const {
    return all_free_at_ < end || each_free_before(end, operation);
  }
  // The instruction reads its registers from shader cycle `begin` on.
  void take(shader_cycle begin, const warp_instruction& operation) {
    if (!first_represents_row_ || operation.formed) return take_each(begin, operation);
    const isa::instruction& instruction = *operation.instruction;
    const unsigned first = first_quad(operation, operation.warp_in_block) / quads_per_row;
    constexpr unsigned rows_per_group = quads_per_group / quads_per_row;
    shader_cycle last = all_free_at_;
    for (unsigned n = 0; n < instruction.general_reads; ++n) {
      shader_cycle& free_at = free_at_[(first + instruction.general_read[n] * rows_per_group) & (rows_ - 1)];
      free_at = std::max(free_at, begin) + shader_cycles(1);
      last = std::max(last, free_at);
    }
    all_free_at_ = last;
  }

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(banks_, rows_, first_represents_row_);
    state(all_free_at_, free_at_);
  }

 private:
  static constexpr unsigned words_per_quad = 4;
  static constexpr unsigned quads_per_row = isa::warp_size / words_per_quad;  // of the register of a warp
  static constexpr unsigned quads_per_group = 2 * quads_per_row;              // of a register of two warps

  // The quad at which register 0 of the warp begins.
  static unsigned first_quad(const warp_instruction& operation, unsigned warp_in_block) {
    return warp_in_block / 2 * operation.grid->registers * quads_per_group + warp_in_block % 2 * quads_per_row;
  }
  // Those of the first quads of rows are the first ones there.
  static constexpr unsigned place_of(unsigned bank) {
    return bank / quads_per_row + bank % quads_per_row * (max_banks / quads_per_row);
  }
  void occupy(unsigned bank, shader_cycle begin) {
    shader_cycle& free_at = free_at_[place_of(bank)];
    free_at = std::max(free_at, begin) + shader_cycles(1);
    all_free_at_ = std::max(all_free_at_, free_at);
  }
  bool each_free_before(shader_cycle end, const warp_instruction& operation) const;
  void take_each(shader_cycle begin, const warp_instruction& operation);
  template <class Action>
  void for_each_bank(const warp_instruction& operation, Action act) const;

  unsigned banks_;
  unsigned rows_;  // of 32 lanes that lie side by side
  // The banks of a row of 32 lanes are always equally busy, unless its threads come from several warps.
  bool first_represents_row_;
  shader_cycle all_free_at_;
  std::array<shader_cycle, max_banks> free_at_{};  // by place_of()
};

}  // namespace gt200::model
