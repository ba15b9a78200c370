// Fermi's reference: the emulator of sm_20 beside the cycle model, instruction by instruction.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/device.h"
#include "observe/checker/reference.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/fermi/block.h"
#include "toolchain/emulator/fermi/code.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::observe {

class fermi_reference final : public reference {
 public:
  explicit fermi_reference(device& target) : device_(target) {}

  void begin_launch(const model::grid_descriptor& grid) override;
  std::unique_ptr<reference_block> make_block() override;
  const isa::instruction* at(isa::code_address pc) const override { return code_->at(pc).instruction.get(); }
  checked_operands operands_of(const isa::instruction& i) const override;
  special_value special_of(const isa::instruction& i) const override;
  std::string kernel() const override { return parameters_.kernel->name; }
  std::uint32_t line(isa::code_address pc) const override;

 private:
  device& device_;
  launch::launch_parameters parameters_;
  std::optional<emulator::fermi::code> code_;
  emulator::constant_memory constants_;
  emulator::fermi::program_context context_;
};

}  // namespace gt200::observe
