// The reference of checked toy runs: a small interpreter of the instruction set of toy_instruction.h.
//
// It shares decoder and start of blocks with the chip; arithmetic, predicates and the rule that the lanes with the
// lowest program counter go on are written here once more.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "observe/checker/reference.h"
#include "testbenches/subsystem/toy_generation/toy_instruction.h"

namespace gt200::toy {

class interpreter final : public observe::reference {
 public:
  explicit interpreter(const std::vector<std::uint32_t>& code);

  void begin_launch(const model::grid_descriptor& grid) override { grid_ = &grid; }
  std::unique_ptr<observe::reference_block> make_block() override;
  const isa::instruction* at(isa::code_address pc) const override;
  observe::checked_operands operands_of(const isa::instruction& any) const override;
  observe::special_value special_of(const isa::instruction&) const override { return observe::special_value::none; }
  std::string kernel() const override { return "toy"; }
  std::uint32_t line(isa::code_address) const override { return 0; }

 private:
  std::vector<instruction> code_;
  const model::grid_descriptor* grid_ = nullptr;
};

}  // namespace gt200::toy
