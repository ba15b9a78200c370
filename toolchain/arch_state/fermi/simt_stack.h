// Divergence on Fermi: the rule set ssy_sync (arch_state/sync_stack.h) for sm_20 instructions.
//
//   joinat (SSY), prebrk (PBK), precont (PCNT), preret (PRET)   push their target
//   bra, call, ret, brk, cont, exit                             act on the lanes whose guard and test of $c hold
//   bra allwarp (BRA.U)                                         is taken by all active lanes or by none: compiled
//                                                               code guards what follows for the other lanes
//                                                               (listings of mgpu; envytools says the same)
//   join on any other instruction (.S)                          acts on the lanes whose guard holds
//   bra with a table (BRX)                                      splits the lanes into groups with one target each:
//                                                               all but the last wait on the stack
#pragma once

#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/sync_stack.h"
#include "toolchain/isa/fermi/instruction.h"

namespace gt200::arch_state::fermi {

class simt_stack final : public divergence {
 public:
  explicit simt_stack(const sync_limits& limits);

  // .S acts after its instruction, so a path never switches on its arrival.
  control_result enter(const isa::instruction& i) override;
  control_result execute(const isa::instruction& i, isa::lane_mask selected) override;
  // `targets`: distances from the end of the instruction.
  control_result execute_indirect(const isa::instruction& i, isa::lane_mask selected,
                                  const isa::lane_words& targets) override;

  unsigned depth() const override { return stack_.depth(); }
  unsigned entries_in_memory() const override { return stack_.window().in_memory(); }
  stack_words words(unsigned index) const override { return stack_.words(index); }
  stack_entry entry(unsigned index) const override { return stack_.entry_for_readers(index); }
  unsigned max_depth() const override { return stack_.max_depth(); }
  unsigned on_chip_entries() const override { return stack_.window().entries(); }
  std::array<std::uint8_t, 4> word_bits() const override { return stack_.word_bits(); }
  void set_words(unsigned index, const stack_words& words) override { stack_.set_words(index, words); }

 private:
  void started() override { stack_.start(); }
  void apply(const isa::fermi::instruction& i, isa::lane_mask selected, control_result& result);
  control_result finished_result(control_result result, isa::code_address next) const;

  sync_stack stack_;
};

}  // namespace gt200::arch_state::fermi
