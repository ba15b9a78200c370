// Common part of the references of Fermi and Volta: the running launch as their emulators see it, and a block of
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "observe/checker/reference.h"
#include "sc_models/chip.h"
#include "toolchain/arch_state/generic_address.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/fermi/code.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::observe {

struct emulated_launch {
  model::grid_descriptor grid;
  launch::launch_parameters parameters;
  std::optional<emulator::fermi::code> code;
  emulator::constant_memory constants;

  // Reads the constants from the chip's memory.
  void begin(model::chip& chip, const launch::launch_parameters& launched, const model::grid_descriptor& of);
  // The program_context of an emulator; it refers to this launch.
  template <class Context>
  void describe_to(Context& context, const arch_state::generation& generation) const {
    context.generation = &generation;
    context.code = &*code;
    context.constants = &constants;
    context.launch = &parameters;
    context.initial_state_seed = grid.initial_state_seed;
  }
  // Line of the source, by the line table of the kernel; 0: unknown.
  std::uint32_t line(isa::code_address pc) const;
};

// Whether an access stays below 32 bits, and which memory it reaches if it is generic, by the rules of the chip's
// load/store unit. An access that reaches several stays generic. Atomics reach global memory, and shared memory if
// `atomics_on_shared`. A fault becomes the state of the record.
void resolve_access(arch_state::step_record& record, const arch_state::generation_values& values,
                    bool atomics_on_shared);

// `Block`: of an emulator.
template <class Block>
class emulated_block : public reference_block {
 public:
  template <class Context>
  emulated_block(const Context& context, const model::grid_descriptor& grid)
      : values_(context.generation->values()), state_(context), grid_(grid) {}

  void start(std::uint32_t block_id) override { state_.start(grid_.block_at(block_id)); }
  unsigned warps() const override { return state_.warps(); }
  bool finished(unsigned warp) const override { return state_.finished(warp); }
  isa::code_address pc(unsigned warp) const override { return state_.flow(warp).pc(); }
  isa::lane_mask active_mask(unsigned warp) const override { return state_.flow(warp).active_mask(); }
  // Paths reconverge behind an instruction.
  bool meets_before(unsigned) const override { return false; }
  const arch_state::register_rows& registers(unsigned warp) const override { return state_.registers(warp); }
  const std::vector<std::uint8_t>& shared() const override { return state_.shared(); }
  void perform_shared(arch_state::step_record& r) override { state_.perform_shared(r); }
  void complete(arch_state::step_record& r) override { state_.complete(r); }
  void repeat(arch_state::step_record& r) override { state_.repeat(r); }

 protected:
  const arch_state::generation_values& values_;
  Block state_;

 private:
  const model::grid_descriptor& grid_;
};

}  // namespace gt200::observe
