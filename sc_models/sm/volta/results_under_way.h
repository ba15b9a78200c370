// The results of fixed time of one warp that are not in the register file yet.
//
// An instruction of fixed time calculates when it has its operands; its result is written later, in the order of
// issue. Until then it lies here, and an operand takes it from here if it issued late enough behind it: by as many
// cycles as the table of the generation says for the two (arch_state/forwarding.h). An operand that comes too early
// takes an older value. That is the bypass network of the hardware, and its hazards.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/volta/ring.h"
#include "sc_models/warp_instruction.h"
#include "toolchain/arch_state/forwarding.h"
#include "toolchain/arch_state/register_transfer.h"

namespace gt200::model {

class results_under_way {
 public:
  bool empty() const { return results_.empty(); }
  // The oldest; not empty.
  warp_instruction& oldest() const { return *results_.front(); }
  void add(warp_instruction& operation);
  void remove_oldest();

  // True if a result is under way to a register or predicate that this instruction writes.
  bool concern_results_of(const isa::instruction& i) const;

  // Puts the results that an operand may see over the rows that the register file has delivered. `issued_at`: of
  // the reader, later by the time for which its reading was delayed.
  void forward(const arch_state::forwarding_table& table, core_cycle issued_at,
               const arch_state::register_reads& operands) const;
  // The same for the whole file of predicates, as bits of a word; `latency_class` of the reader.
  void forward_predicates(const arch_state::forwarding_table& table, core_cycle issued_at,
                          std::uint8_t latency_class, isa::lane_words& bits) const;

 private:
  static constexpr unsigned registers = 256;
  static constexpr unsigned predicates = 8;

  ring<warp_instruction*> results_;                             // in the order of issue
  std::array<std::uint8_t, registers + predicates> pending_{};  // results for each register and predicate
};

}  // namespace gt200::model
