// Volta's reference: the emulator of sm_70 beside the cycle model, instruction by instruction.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "observe/checker/emulated_launch.h"
#include "observe/checker/reference.h"
#include "sc_models/chip.h"
#include "toolchain/emulator/volta/block.h"

namespace gt200::observe {

class volta_reference final : public reference {
 public:
  volta_reference(model::chip& chip, launch_source launched) : chip_(chip), launched_(std::move(launched)) {}

  void begin_launch(const model::grid_descriptor& grid) override;
  std::unique_ptr<reference_block> make_block() override;
  const isa::instruction* at(isa::code_address pc) const override { return launch_.code->at(pc).instruction.get(); }
  checked_operands operands_of(const isa::instruction& i) const override;
  special_value special_of(const isa::instruction& i) const override;
  bool compiler_schedules() const override { return true; }
  bool keeps_barriers() const override { return true; }
  std::string kernel() const override { return launch_.parameters.kernel->name; }
  std::uint32_t line(isa::code_address pc) const override { return launch_.line(pc); }

 private:
  model::chip& chip_;
  launch_source launched_;
  emulated_launch launch_;
  emulator::volta::program_context context_;
};

}  // namespace gt200::observe
