#include "toolchain/ptx/fermi/target.h"

#include <algorithm>
#include <utility>

#include "toolchain/error.h"
#include "toolchain/ptx/fermi/library.h"
#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/control_flow.h"
#include "toolchain/ptx/machine/reconverge.h"
#include "toolchain/ptx/machine/schedule.h"
#include "toolchain/ptx/machine/split.h"
#include "toolchain/ptx/machine/uniform.h"
#include "toolchain/ptx/machine/unused.h"

namespace gt200::ptx::fermi {
namespace {

constexpr std::size_t lead_of_shared_loads = 8;  // operations

void optimise(machine_function& f, const compile_options& options) {
  join_blocks(f);
  register_splitter<machine_function>(f).run();
  forward_values(f, options.contract);
  remove_unused_operations(f);
  share_values(f);
  remove_unused_operations(f);
  branch_converter<machine_function>(f).run();
  join_blocks(f);
  agreement<machine_function>(f).run();
}

// A function with its register allocation.
struct machine_program {
  machine_function code;
  allocation registers;

  std::size_t length() const {  // in instructions
    std::size_t count = 0;
    for (const block& b : code.blocks)
      count += static_cast<std::size_t>(std::count_if(
          b.code.begin(), b.code.end(), [&](const operation& o) { return !vanishes(o, registers.assigned); }));
    return count;
  }
};

std::optional<machine_program> with_registers(machine_function f, unsigned max_registers) {
  std::optional<allocation> registers = allocate_registers(f, max_registers);
  if (!registers) return std::nullopt;
  return machine_program{std::move(f), std::move(*registers)};
}

// Issues loads early, if that costs neither instructions nor registers that reduce occupancy.
machine_program with_early_loads(const machine_function& f, machine_program plain, unsigned max_registers) {
  const unsigned limit = std::min(std::max(plain.registers.registers, registers_of_full_occupancy),
                                  std::min(max_registers, isa::fermi::max_gpr));
  for (const unsigned reserve : {0u, 1u, 2u, 4u}) {
    machine_function early = f;
    schedule_rules rules;
    rules.max_words = limit - std::min(limit, reserve);
    rules.address_registers = 1;
    rules.lead_of_shared_loads = lead_of_shared_loads;
    schedule_loads_of(early, rules);
    std::optional<machine_program> other = with_registers(std::move(early), max_registers);
    if (other && other->registers.registers <= limit && other->code.local_bytes <= plain.code.local_bytes &&
        other->length() <= plain.length())
      return std::move(*other);
  }
  return plain;
}

cubin::kernel compile_kernel(const function& entry, const module_layout& layout, const source_file& file,
                             const lowering_options& lower, const compile_options& options) {
  cubin::kernel kernel;
  machine_function f;
  lowering(layout, file, lower, f).run(entry, kernel);
  remove_unreachable(f);
  remove_unused_operations(f);
  if (options.optimise) optimise(f, options);
  legalise(f);
  remove_unused_operations(f);
  join_placement<machine_function>(f).run();
  std::optional<machine_program> program = with_registers(f, options.max_registers);
  if (!program)
    throw input_error("kernel '" + entry.name + "' needs more than " +
                      std::to_string(std::min(options.max_registers, isa::fermi::max_gpr)) +
                      " registers or 7 predicates at once");
  if (options.optimise) program = with_early_loads(f, std::move(*program), options.max_registers);
  emit(program->code, program->registers, file.name(), kernel);
  kernel.registers = program->registers.registers;
  kernel.shared_bytes = f.shared_bytes;
  kernel.local_bytes = program->code.local_bytes;
  kernel.barriers = f.has_barriers ? f.highest_barrier + 1 : 0;
  return kernel;
}

unsigned needed_capability(const cubin::module&) { return cubin::fermi.first_sm; }

}  // namespace

const target& compiler() {
  static const target made = {cubin::fermi, library, compile_kernel, needed_capability};
  return made;
}

}  // namespace gt200::ptx::fermi
