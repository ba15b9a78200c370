#include "toolchain/ptx/tesla/target.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/error.h"
#include "toolchain/ptx/machine/control_flow.h"
#include "toolchain/ptx/machine/loops.h"
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

register_limits limits_of(const compile_options& options) {
  return {options.max_registers, registers_of_full_occupancy(options.capability)};
}

std::optional<machine_program> with_registers(machine_function f, const compile_options& options) {
  std::optional<allocation> registers = allocate_registers(f, limits_of(options));
  if (!registers) return std::nullopt;
  return machine_program{std::move(f), std::move(*registers)};
}

// Without joins, which are the last to be placed.
machine_function legalised(machine_function f, bool fold, unsigned capability, std::size_t windows = 0) {
  if (windows != 0) bring_shared_near(f, windows);
  legalise(f, fold);
  if (capability < 11) load_shared_by_moves(f, windows);
  remove_unused(f);
  return f;
}

machine_function with_joins(machine_function f) {
  place_joins(f);
  return f;
}

machine_function to_hardware(machine_function f, bool fold, unsigned capability) {
  return with_joins(legalised(std::move(f), fold, capability));
}

// Less local memory is better; then fewer registers.
bool is_better(const machine_program& a, const machine_program& b) {
  return a.code.local_bytes != b.code.local_bytes ? a.code.local_bytes < b.code.local_bytes
                                                  : a.registers.registers < b.registers.registers;
}

// Operations, each as often as its block is likely to run.
double weight_of(const machine_program& p) {
  std::vector<double> often(p.code.blocks.size(), 1);
  for (const natural_loop& loop : loops_of(p.code))
    for (std::size_t b = 0; b < often.size(); ++b)
      if (loop.contains[b]) often[b] *= loop_weight;
  double sum = 0;
  for (std::size_t b = 0; b < p.code.blocks.size(); ++b)
    for (const operation& o : p.code.blocks[b].code) sum += vanishes(o, p.registers.assigned) ? 0 : often[b];
  return sum;
}

// A program before it has joins, and after registers have been allocated.
struct allocated {
  machine_function order;
  std::optional<machine_program> program;
};

allocated with_plain_order(machine_function order, const compile_options& options) {
  std::optional<machine_program> program = with_registers(with_joins(order), options);
  return {std::move(order), std::move(program)};
}

// With moves in front of loops instead of in them, if that takes fewer operations, and no more registers than
// `limit`.
void hoist(allocated& best, unsigned limit, const compile_options& options) {
  for (const unsigned reserve : {0u, 1u, 2u, 4u}) {
    machine_function order = best.order;
    if (!hoist_moves(order, limit - std::min(limit, reserve))) return;
    join_blocks(order);
    allocated other = with_plain_order(std::move(order), options);
    if (!other.program || other.program->registers.registers > limit ||
        other.program->code.local_bytes > best.program->code.local_bytes ||
        weight_of(*other.program) >= weight_of(*best.program))
      continue;
    best = std::move(other);
    return;
  }
}

// Fewer operations, and neither local memory nor occupancy is lost.
bool pays(const machine_program& other, const machine_program& plain, const compile_options& options) {
  return other.code.local_bytes <= plain.code.local_bytes && weight_of(other) < weight_of(plain) &&
         other.registers.registers <=
             std::max(plain.registers.registers, registers_of_full_occupancy(options.capability));
}

// With windows of shared memory, if there are address registers for them and they pay.
allocated with_shared_windows(const machine_function& f, const compile_options& options) {
  allocated plain = with_plain_order(legalised(f, true, options.capability), options);
  for (const std::size_t windows : {2u, 1u}) {
    allocated other = with_plain_order(legalised(f, true, options.capability, windows), options);
    if (other.program && (!plain.program || pays(*other.program, *plain.program, options))) return other;
  }
  return plain;
}

std::optional<machine_program> allocate_optimised(const machine_function& f, const compile_options& options) {
  const unsigned full_occupancy = registers_of_full_occupancy(options.capability);
  allocated best = with_shared_windows(f, options);
  // Loads stay where they are if that suffices: several of them may wait for memory at the same time.
  for (const bool with_loads : {false, true}) {
    if (best.program && best.program->registers.registers <= full_occupancy &&
        best.program->code.local_bytes <= f.local_bytes)
      break;
    machine_function sunk = f;
    sink_values(sunk, with_loads);
    allocated other = with_shared_windows(sunk, options);
    if (other.program && (!best.program || is_better(*other.program, *best.program))) best = std::move(other);
  }
  // No allocation was found. Folded memory operands may need too many address registers at the same time, so this
  // tries it without folding.
  if (!best.program) return with_registers(to_hardware(f, false, options.capability), options);
  const unsigned limit =
      std::min(std::max(best.program->registers.registers, full_occupancy), options.max_registers);
  hoist(best, limit, options);
  // Try early loads: they must cost neither instructions nor registers that reduce occupancy.
  for (const unsigned reserve : {0u, 1u, 2u, 4u}) {
    machine_function early = with_joins(best.order);
    schedule_loads(early, limit - std::min(limit, reserve));
    std::optional<machine_program> other = with_registers(std::move(early), options);
    if (other && other->registers.registers <= limit && other->code.local_bytes <= best.program->code.local_bytes &&
        other->length() <= best.program->length())
      return other;
  }
  return std::move(best.program);
}

std::optional<machine_program> finished(machine_function f, const compile_options& options) {
  convert_branches(f);
  join_blocks(f);
  find_uniform_branches(f);
  return allocate_optimised(f, options);
}

// With addresses that loops advance, if that pays.
std::optional<machine_program> best_finished(const machine_function& f, const compile_options& options) {
  std::optional<machine_program> plain = finished(f, options);
  for (const std::size_t most : {3u, 2u, 1u}) {
    machine_function advanced = f;
    if (!advance_addresses(advanced, most)) break;
    remove_unused(advanced);
    std::optional<machine_program> other = finished(std::move(advanced), options);
    if (other && (!plain || pays(*other, *plain, options))) return other;
  }
  return plain;
}

std::optional<machine_program> optimised(machine_function f, const compile_options& options) {
  expand_multiplications(f);
  forward_values(f, options.contract);
  fold_addresses(f);
  remove_unused(f);
  share_values(f);
  hoist_addresses(f);
  remove_unused(f);
  return best_finished(f, options);
}

// With words computed in front of loops instead of behind them, if that takes fewer registers where they limit
// occupancy.
std::optional<machine_program> best_early(const machine_function& f, const compile_options& options) {
  std::optional<machine_program> plain = optimised(f, options);
  if (plain && plain->code.local_bytes == f.local_bytes &&
      plain->registers.registers <= registers_of_full_occupancy(options.capability))
    return plain;
  machine_function early = f;
  if (!compute_early(early)) return plain;
  std::optional<machine_program> other = optimised(std::move(early), options);
  return other && (!plain || is_better(*other, *plain)) ? other : plain;
}

// With words that move with counters instead of being computed in every round, if that pays.
std::optional<machine_program> best_optimised(const machine_function& f, const compile_options& options) {
  std::optional<machine_program> plain = best_early(f, options);
  for (const std::size_t most : {8u, 2u}) {
    machine_function reduced = f;
    if (!reduce_strength(reduced, most)) break;
    std::optional<machine_program> other = best_early(reduced, options);
    if (other && (!plain || pays(*other, *plain, options))) return other;
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
  std::optional<machine_program> program;
  if (options.optimise) {
    program = best_optimised(f, options);
  } else {
    expand_multiplications(f);
    program = with_registers(to_hardware(std::move(f), false, options.capability), options);
  }
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
  static const target made = {cubin::tesla, machine::windowless, most_registers,   registers,
                              library,      compile_kernel,      needed_capability};
  return made;
}

}  // namespace gt200::ptx::tesla
