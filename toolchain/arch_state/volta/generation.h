// Volta: instruction set sm_70, 255 registers, seven predicates, convergence barriers, generic addresses.
//
// Windows of generic addresses: shared memory from 0xfe000000 on, local memory from 0xff000000 on, 16 MB each
// (assumption: nouveau's windows of earlier chips; nothing public says where NVIDIA's driver puts them).
// Device addresses of 64 bits are below 2^32: one whose upper word is not zero is unmapped.
#pragma once

#include "toolchain/arch_state/generation.h"

namespace gt200::arch_state::volta {

inline constexpr std::uint32_t shared_window = 0xfe000000;
inline constexpr std::uint32_t local_window = 0xff000000;
inline constexpr std::uint32_t window_bytes = 0x01000000;

class generation final : public arch_state::generation {
 public:
  explicit generation(const machine_size& machine = {});

  // Instructions that the table knows but nothing executes are unsupported (isa::volta::refusal_of).
  decoded decode(const isa::instruction_words& words) const override;
  std::shared_ptr<const isa::instruction> trap(const isa::instruction_words& words) const override;
  explanation explain(const isa::instruction_words& words) const override;

  isa::lane_mask collect(const isa::instruction& i, const warp_place& place, isa::lane_mask active,
                         isa::lane_bundle& values) const override;
  void constant_addresses(const isa::instruction& i, const isa::constant_operand& operand,
                          const isa::lane_bundle& values, std::uint32_t* addresses) const override;
  unsigned operand_words(const isa::instruction& i, unsigned slot) const override;

  // membar and errbar.
  bool is_fence(const isa::instruction& i) const override;
  isa::lane_mask barrier_vote(const isa::instruction& i, const isa::lane_bundle& values,
                              isa::lane_mask executed) const override;
  // The result that b2r reads.
  void finish_barrier(const isa::instruction& i, const barrier_totals& totals,
                      isa::lane_bundle& values) const override;

  std::unique_ptr<divergence> make_divergence() const override;
  // It yields, and is a reconvergence point without flow.
  std::shared_ptr<const isa::instruction> turn_end() const override;

 private:
  machine_size machine_;
};

}  // namespace gt200::arch_state::volta
