// Fermi: instruction set sm_20, 63 registers, seven predicates and $c, divergence by SSY and .S, generic addresses.
//
// Windows of generic addresses: shared memory from 0xfe000000 on, local memory from 0xff000000 on, 16 MB each, as
// the open driver nouveau sets them up (nvc0_compute.c). c[0][0x00] and c[0][0x04] hold the two bases.
// Special registers: see isa/fermi/special_register.h. $clock counts core cycles; those that nothing sets up (pm,
// trap state) read as zero.
#pragma once

#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/sync_stack.h"

namespace gt200::arch_state::fermi {

inline constexpr std::uint32_t shared_window = 0xfe000000;
inline constexpr std::uint32_t local_window = 0xff000000;
inline constexpr std::uint32_t window_bytes = 0x01000000;

class generation final : public arch_state::generation {
 public:
  explicit generation(const sync_limits& divergence = {}, const machine_size& machine = {});

  // Instructions that the table knows but nothing executes are unsupported (isa::fermi::refusal_of).
  decoded decode(const isa::instruction_words& words) const override;
  std::shared_ptr<const isa::instruction> trap(const isa::instruction_words& words) const override;
  explanation explain(const isa::instruction_words& words) const override;

  isa::lane_mask collect(const isa::instruction& i, const warp_place& place, isa::lane_mask active,
                         isa::lane_bundle& values) const override;
  void constant_addresses(const isa::instruction& i, const isa::constant_operand& operand,
                          const isa::lane_bundle& values, std::uint32_t* addresses) const override;
  unsigned operand_words(const isa::instruction& i, unsigned slot) const override;

  // membar, and bpt drain.
  bool is_fence(const isa::instruction& i) const override;
  isa::lane_mask barrier_vote(const isa::instruction& i, const isa::lane_bundle& values,
                              isa::lane_mask executed) const override;
  void finish_barrier(const isa::instruction& i, const barrier_totals& totals,
                      isa::lane_bundle& values) const override;

  std::unique_ptr<divergence> make_divergence() const override;

 private:
  sync_limits divergence_;
  machine_size machine_;
};

}  // namespace gt200::arch_state::fermi
