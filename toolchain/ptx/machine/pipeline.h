// The way of a kernel through the passes, for targets with operations of machine/operation.h. `traits` of a target:
//
//   traits::function, lowering
//   traits::registers_of_full_occupancy                         with more, an SM holds fewer threads than it can
//   traits::forward(function, options), legalise(function)
//   traits::place_joins(function)                               where the threads of a warp meet again
//   traits::allocate(function, max_registers)                   nullopt if there are too few
//   traits::emit(function, allocation, file, optimise, kernel)  machine words, lines, literals
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"
#include "toolchain/ptx/machine/control_flow.h"
#include "toolchain/ptx/machine/operation.h"
#include "toolchain/ptx/machine/schedule.h"
#include "toolchain/ptx/machine/share.h"
#include "toolchain/ptx/machine/split.h"
#include "toolchain/ptx/machine/uniform.h"
#include "toolchain/ptx/machine/unused.h"
#include "toolchain/ptx/structure.h"

namespace gt200::ptx {

template <class traits>
class pipeline {
 public:
  using function_type = typename traits::function;

  static cubin::kernel compile_kernel(const function& entry, const module_layout& layout, const source_file& file,
                                      const lowering_options& lower, const compile_options& options) {
    cubin::kernel kernel;
    function_type f;
    typename traits::lowering(layout, file, lower, f).run(entry, kernel);
    remove_unreachable(f);
    remove_unused_operations(f);
    if (options.optimise) optimise(f, options);
    traits::legalise(f);
    remove_unused_operations(f);
    traits::place_joins(f);
    std::optional<machine_program> program = allocated(f, options.max_registers);
    if (!program)
      throw input_error("kernel '" + entry.name + "' needs more than " + std::to_string(options.max_registers) +
                        " registers or 7 predicates at once");
    if (options.optimise) program = with_early_loads(f, std::move(*program), options.max_registers);
    traits::emit(program->code, program->registers, file.name(), options.optimise, kernel);
    kernel.registers = program->registers.registers;
    kernel.shared_bytes = f.shared_bytes;
    kernel.local_bytes = program->code.local_bytes;
    kernel.barriers = f.has_barriers ? f.highest_barrier + 1 : 0;
    return kernel;
  }

 private:
  static constexpr std::size_t lead_of_shared_loads = 8;  // operations

  // A function with its register allocation.
  struct machine_program {
    function_type code;
    allocation registers;

    std::size_t length() const {  // in instructions
      std::size_t count = 0;
      for (const auto& b : code.blocks)
        count += static_cast<std::size_t>(std::count_if(
            b.code.begin(), b.code.end(), [&](const auto& o) { return !vanishes(o, registers.assigned); }));
      return count;
    }
  };

  static void optimise(function_type& f, const compile_options& options) {
    join_blocks(f);
    register_splitter<function_type>(f).run();
    traits::forward(f, options);
    remove_unused_operations(f);
    share_values(f);
    remove_unused_operations(f);
    branch_converter<function_type>(f).run();
    join_blocks(f);
    agreement<function_type>(f).run();
  }

  static std::optional<machine_program> allocated(function_type f, unsigned max_registers) {
    std::optional<allocation> registers = traits::allocate(f, max_registers);
    if (!registers) return std::nullopt;
    return machine_program{std::move(f), std::move(*registers)};
  }

  // Issues loads early, if that costs neither instructions nor registers that reduce occupancy.
  static machine_program with_early_loads(const function_type& f, machine_program plain, unsigned max_registers) {
    const unsigned limit =
        std::min(std::max(plain.registers.registers, traits::registers_of_full_occupancy), max_registers);
    for (const unsigned reserve : {0u, 1u, 2u, 4u}) {
      function_type early = f;
      schedule_rules rules;
      rules.max_words = limit - std::min(limit, reserve);
      rules.address_registers = 1;
      rules.lead_of_shared_loads = lead_of_shared_loads;
      schedule_loads_of(early, rules);
      std::optional<machine_program> other = allocated(std::move(early), max_registers);
      if (other && other->registers.registers <= limit && other->code.local_bytes <= plain.code.local_bytes &&
          other->length() <= plain.length())
        return std::move(*other);
    }
    return plain;
  }
};

}  // namespace gt200::ptx
