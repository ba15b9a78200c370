// The emulator as the reference of checked runs: Tesla's.
//
// Semantics functions, texel conversion, divergence stack and start of blocks are shared with the model: what the
// comparison proves is transport, order and hazards, not arithmetic.
#pragma once

#include <optional>
#include <utility>

#include "observe/checker/reference.h"
#include "sc_models/chip.h"
#include "toolchain/emulator/block_state.h"
#include "toolchain/emulator/code_image.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::observe {

class emulator_reference final : public reference, private emulator::special_registers {
 public:
  // The chip must outlive it.
  emulator_reference(model::chip& chip, launch_source launched) : chip_(chip), launched_(std::move(launched)) {}

  void begin_launch(const model::grid_descriptor& grid) override;
  std::unique_ptr<reference_block> make_block() override;
  const isa::instruction* at(isa::code_address pc) const override;
  checked_operands operands_of(const isa::instruction& i) const override;
  special_value special_of(const isa::instruction& i) const override;
  std::string kernel() const override { return parameters_.kernel->name; }
  std::uint32_t line(isa::code_address pc) const override { return code_->line(pc); }

 private:
  // Values of time and place are filled in at write-back.
  void read(unsigned index, unsigned warp, isa::lane_words& out) override;

  model::chip& chip_;
  launch_source launched_;
  launch::launch_parameters parameters_;
  std::optional<emulator::code_image> code_;
  emulator::constant_memory constants_;
  emulator::program_context context_;
};

}  // namespace gt200::observe
