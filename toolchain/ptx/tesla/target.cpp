#include "toolchain/ptx/tesla/target.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/error.h"
#include "toolchain/ptx/machine/control_flow.h"
#include "toolchain/ptx/machine/spill.h"
#include "toolchain/ptx/tesla/library.h"
#include "toolchain/ptx/tesla/lowering.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

constexpr unsigned most_registers = 124;  // per thread: what lies above has other meanings

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

machine_function to_hardware(machine_function f, bool fold, unsigned capability) {
  legalise(f, fold);
  if (capability < 11) load_shared_by_moves(f);
  remove_unused(f);
  place_joins(f);
  return f;
}

// Less local memory is better; then fewer registers.
bool is_better(const machine_program& a, const machine_program& b) {
  return a.code.local_bytes != b.code.local_bytes ? a.code.local_bytes < b.code.local_bytes
                                                  : a.registers.registers < b.registers.registers;
}

std::optional<machine_program> allocate_optimised(const machine_function& f, const compile_options& options) {
  machine_function order = to_hardware(f, true, options.capability);
  std::optional<machine_program> best = with_registers(order, options.max_registers);
  if (!best || best->registers.registers > registers_of_full_occupancy ||
      best->code.local_bytes > order.local_bytes) {
    machine_function sunk = f;
    sink_values(sunk);
    sunk = to_hardware(std::move(sunk), true, options.capability);
    std::optional<machine_program> other = with_registers(sunk, options.max_registers);
    if (other && (!best || is_better(*other, *best))) {
      best = std::move(other);
      order = std::move(sunk);
    }
  }
  // No allocation was found. Folded memory operands may need too many address registers at the same time, so this
  // tries it without folding.
  if (!best) return with_registers(to_hardware(f, false, options.capability), options.max_registers);
  // Try early loads: they must cost neither instructions nor registers that reduce occupancy.
  const unsigned limit =
      std::min(std::max(best->registers.registers, registers_of_full_occupancy), options.max_registers);
  for (const unsigned reserve : {0u, 1u, 2u, 4u}) {
    machine_function early = order;
    schedule_loads(early, limit - std::min(limit, reserve));
    std::optional<machine_program> other = with_registers(std::move(early), options.max_registers);
    if (other && other->registers.registers <= limit && other->code.local_bytes <= best->code.local_bytes &&
        other->length() <= best->length())
      return other;
  }
  return best;
}

// Operations, each as often as its block is likely to run.
double weight_of(const machine_program& p) {
  const std::vector<double> often = frequencies(p.code);
  double sum = 0;
  for (std::size_t b = 0; b < p.code.blocks.size(); ++b)
    for (const operation& o : p.code.blocks[b].code) sum += vanishes(o, p.registers.assigned) ? 0 : often[b];
  return sum;
}

std::optional<machine_program> finished(machine_function f, const compile_options& options) {
  convert_branches(f);
  join_blocks(f);
  find_uniform_branches(f);
  return allocate_optimised(f, options);
}

// The program with addresses that loops advance, if that takes fewer operations and neither local memory nor
// occupancy.
std::optional<machine_program> best_finished(const machine_function& f, const compile_options& options) {
  std::optional<machine_program> plain = finished(f, options);
  for (const std::size_t most : {3u, 2u, 1u}) {
    machine_function advanced = f;
    if (!advance_addresses(advanced, most)) break;
    remove_unused(advanced);
    std::optional<machine_program> other = finished(std::move(advanced), options);
    if (!other) continue;
    if (!plain || (other->code.local_bytes <= plain->code.local_bytes && weight_of(*other) < weight_of(*plain) &&
                   other->registers.registers <= std::max(plain->registers.registers, registers_of_full_occupancy)))
      return other;
  }
  return plain;
}

cubin::kernel compile_kernel(const function& entry, const module_layout& layout, const source_file& file,
                             const lowering_options& lower, const compile_options& options) {
  cubin::kernel kernel;
  machine_function f;
  lowering(layout, file, lower, f).run(entry, kernel);
  if (options.notes != nullptr && f.exact_fmas != 0)
    options.notes->push_back(entry.name + ": " + std::to_string(f.exact_fmas) + " fma.rn.f32, the first in line " +
                             std::to_string(f.first_exact_fma) +
                             ": this hardware has none; each is computed exactly, in double precision");
  remove_unreachable(f);
  if (options.optimise) {
    join_blocks(f);
    split_registers(f);
    forward_values(f, options.contract);
    remove_unused(f);
  }
  expand_multiplications(f);
  if (options.optimise) {
    forward_values(f, options.contract);
    fold_addresses(f);
    remove_unused(f);
    share_values(f);
    hoist_addresses(f);
    remove_unused(f);
  }
  std::optional<machine_program> program =
      options.optimise ? best_finished(f, options)
                       : with_registers(to_hardware(f, false, options.capability), options.max_registers);
  if (!program)
    throw input_error("kernel '" + entry.name + "' needs more than " + std::to_string(options.max_registers) +
                      " registers, 4 predicates or 4 address registers at once");
  emit(program->code, program->registers, file.name(), kernel);
  kernel.registers = program->registers.registers;
  kernel.shared_bytes = program->code.shared_bytes;
  kernel.local_bytes = program->code.local_bytes;
  kernel.barriers = program->code.highest_barrier;
  return kernel;
}

// CUDA programming guide, compute capabilities 1.0 to 1.3.
register_file registers(unsigned capability) {
  return capability < 12 ? register_file{8192, 256, 2, 512} : register_file{16384, 512, 2, 512};
}

unsigned needed_capability(const cubin::module& module) {
  unsigned highest = 10;
  for (const cubin::kernel& k : module.kernels)
    assembler::walk_code(k.code, [&](const assembler::code_step& step) {
      if (step.instruction) highest = std::max<unsigned>(highest, step.instruction->capability);
    });
  return highest;
}

}  // namespace

const target& compiler() {
  static const target made = {cubin::tesla, most_registers, registers, library, compile_kernel, needed_capability};
  return made;
}

}  // namespace gt200::ptx::tesla
