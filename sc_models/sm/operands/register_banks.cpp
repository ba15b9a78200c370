#include "sc_models/sm/operands/register_banks.h"

#include "sc_models/sm/operands/banks.h"

namespace gt200::model {

// Calls act(bank) for every access. Four neighbouring threads share one only if they started in one warp of the
// program.
template <class Action>
void register_banks::for_each_bank(const warp_instruction& operation, Action act) const {
  constexpr isa::lane_mask neighbours = (isa::lane_mask{1} << words_per_quad) - 1;
  const isa::instruction& instruction = *operation.instruction;
  if (banks_ == 0 || instruction.operand_count == 0) return;  // it may wait for registers without reading them
  for (unsigned n = 0; n < instruction.general_reads; ++n)
    for (unsigned quad = 0; quad < quads_per_row; ++quad) {
      const unsigned of_register = instruction.general_read[n] * quads_per_group + quad;
      if (operation.formed)
        for_each_home(operation.threads, operation.active & neighbours << quad * words_per_quad,
                      [&](unsigned lane, isa::lane_mask) {
                        const unsigned warp = operation.threads.number[lane];
                        act(bank_of(first_quad(operation, warp) + of_register, banks_));
                      });
      else
        act(bank_of(first_quad(operation, operation.warp_in_block) + of_register, banks_));
      if (first_represents_row_ && !operation.formed) break;
    }
}

bool register_banks::each_free_before(shader_cycle end, const warp_instruction& operation) const {
  bool free = true;
  for_each_bank(operation, [&](unsigned bank) { free = free && free_at_[bank] < end; });
  return free;
}

void register_banks::take_each(shader_cycle begin, const warp_instruction& operation) {
  for_each_bank(operation, [&](unsigned bank) { occupy(bank, begin); });
}

}  // namespace gt200::model
