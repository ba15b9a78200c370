// A generation of its own for the border test: the instruction set of toy_instruction.h, a divergence rule without
// a stack, and dependencies tracked by control codes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sc_models/sm/dependency/dependency_tracker.h"
#include "testbenches/subsystem/toy_generation/toy_instruction.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::toy {

// Every lane has a program counter. Behind each instruction that concerns divergence the lanes with the lowest one
// run; so paths that lie behind wait for those that lie before, and meet where both come to `meet`.
class lowest_counter_first final : public arch_state::divergence {
 public:
  arch_state::control_result enter(const isa::instruction&) override { return {}; }
  arch_state::control_result execute(const isa::instruction& any, isa::lane_mask selected) override;
  unsigned depth() const override { return 0; }
  unsigned entries_in_memory() const override { return 0; }
  arch_state::stack_words words(unsigned) const override { return {}; }
  arch_state::stack_entry entry(unsigned) const override { return {}; }
  unsigned max_depth() const override { return 0; }

 private:
  void started() override { counter_.fill(flow_.pc); }

  std::array<isa::code_address, isa::warp_size> counter_{};
};

class generation final : public arch_state::generation {
 public:
  generation();

  decoded decode(const isa::instruction_words& words) const override;
  std::shared_ptr<const isa::instruction> trap(const isa::instruction_words& words) const override;
  isa::lane_mask collect(const isa::instruction& i, const arch_state::warp_place& place, isa::lane_mask active,
                         isa::lane_bundle& values) const override;
  // No operand comes from constant memory.
  void constant_addresses(const isa::instruction&, const isa::constant_operand&, const isa::lane_bundle&,
                          std::uint32_t*) const override {}
  unsigned operand_words(const isa::instruction&, unsigned slot) const override { return slot < 2 ? 1 : 0; }
  std::unique_ptr<arch_state::divergence> make_divergence() const override;
};

// The compiler's dependency barriers in place of a scoreboard: an instruction waits until no older instruction that
// releases one of its barriers is under way.
class control_code_tracker final : public model::dependency_tracker {
 public:
  lookup enter(model::warp_slot warp, const isa::instruction& instruction) override;
  std::uint64_t issue(model::warp_slot warp, model::dependency_vectors& buffer) override;
  void complete(model::warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                model::dependency_vectors& buffer) override;
  std::uint64_t probes_until(model::core_cycle) const override { return 0; }
  model::stall_cause cause_of(model::warp_slot, model::scoreboard_entry) const override {
    return model::stall_cause::dependency_global;
  }
  model::tracking_cost cost() const override { return {}; }
  void publish(model::warp_slot, tlm_bus::signal_writer&) const override {}

 private:
  std::uint64_t pending(model::warp_slot warp) const;

  // Instructions under way that release each barrier.
  model::per_warp<std::array<unsigned, dependency_barriers>> under_way_{};
};

}  // namespace gt200::toy
