// Tesla: instruction sets sm_10 .. sm_13, 128 registers, four condition codes, divergence stacks.
//
// Special registers: $physid holds lane, warp slot << 8, SM within the TPC << 16, TPC << 20. $clock counts at half
// the shader clock, which is the core clock (Wong: clock() shifts it left by one). Performance counters read as
// zero because no software sets them up.
#pragma once

#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/tesla/divergence_options.h"

namespace gt200::arch_state::tesla {

class generation final : public arch_state::generation {
 public:
  // `capability`: compute capability x 10. Instructions that need a higher one are unsupported.
  // `unit_for_comparisons`: set of integers and fp32 is of the class `compare`, else of the SPs' class.
  generation(unsigned capability, const divergence_options& divergence, bool unit_for_comparisons = false);

  decoded decode(const isa::instruction_words& words) const override;
  std::shared_ptr<const isa::instruction> trap(const isa::instruction_words& words) const override;

  isa::lane_mask collect(const isa::instruction& i, const warp_place& place, isa::lane_mask active,
                         isa::lane_bundle& values) const override;
  isa::lane_mask guarded_lanes(const isa::instruction& i, const register_rows& registers,
                               isa::lane_mask active) const override;
  void constant_addresses(const isa::instruction& i, const isa::constant_operand& operand,
                          const isa::lane_bundle& values, std::uint32_t* addresses) const override;
  unsigned operand_words(const isa::instruction& i, unsigned slot) const override;

  std::unique_ptr<divergence> make_divergence() const override;
  std::unique_ptr<thread_flow> make_thread_flow() const override;

 private:
  unsigned capability_;
  divergence_options divergence_;
  bool unit_for_comparisons_;
};

}  // namespace gt200::arch_state::tesla
