#include "toolchain/ptx/compile.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/error.h"
#include "toolchain/ptx/library.h"
#include "toolchain/ptx/lowering.h"
#include "toolchain/ptx/parser.h"
#include "toolchain/ptx/passes.h"

namespace gt200::ptx {
namespace {

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
    convert_branches(f);
    join_blocks(f);
    find_uniform_branches(f);
  }
  std::optional<machine_program> program =
      options.optimise ? allocate_optimised(f, options)
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

unsigned needed_capability(const cubin::module& module) {
  unsigned highest = 10;
  for (const cubin::kernel& k : module.kernels)
    assembler::walk_code(k.code, [&](const assembler::code_step& step) {
      if (step.instruction) highest = std::max<unsigned>(highest, step.instruction->capability);
    });
  return highest;
}

}  // namespace

bool is_ptx(std::string_view content) {
  std::size_t at = 0;
  while (at < content.size()) {
    const char c = content[at];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at;
    } else if (content.compare(at, 2, "//") == 0) {
      at = std::min(content.find('\n', at), content.size());
    } else {
      return content.compare(at, 9, ".version ") == 0 || content.compare(at, 9, ".version\t") == 0;
    }
  }
  return false;
}

cubin::module compile(std::string_view content, const std::string& file, const compile_options& options) {
  const source_file source(file, content, options.generated);
  module_source parsed = parse(content, source);
  const module_source own = library();
  parsed.functions.insert(parsed.functions.end(), own.functions.begin(), own.functions.end());
  cubin::module module;
  module.source_file = file;
  module.name = std::filesystem::path(file).stem().string();
  const module_layout layout = lay_out_module(parsed, source, module);
  lowering_options lower;
  lower.ignore_nearest = options.ignore_nearest;
  lower.demote_f64 = parsed.demote_f64;
  for (const function& f : parsed.functions)
    if (f.is_entry && f.has_body) {
      try {
        module.kernels.push_back(compile_kernel(f, layout, source, lower, options));
      } catch (const input_error& error) {
        module.refused.push_back({f.name, error.what()});
      }
    }
  if (module.kernels.empty()) {
    if (module.refused.empty()) source.fail({}, "no .entry with a body");
    throw input_error(module.refused.front().reason);
  }
  if (options.notes != nullptr)
    for (const cubin::refused_kernel& k : module.refused)
      options.notes->push_back("kernel '" + k.name + "' is left out: " + k.reason);
  module.capability = needed_capability(module);
  return module;
}

std::string resource_report(const cubin::module& module) {
  std::string text;
  std::size_t constants = 0;
  for (const cubin::constant_segment& c : module.constants) constants += c.size;
  for (const cubin::kernel& k : module.kernels) {
    std::size_t literals = 0;
    for (const cubin::constant_segment& c : k.constants) literals += c.size;
    text += k.name + ": " + std::to_string(k.registers) + " registers, " + std::to_string(k.shared_bytes) +
            " bytes smem, " + std::to_string(k.local_bytes) + " bytes lmem, " + std::to_string(constants) +
            " bytes cmem[0], " + std::to_string(literals) + " bytes cmem[1], " + std::to_string(4 * k.code.size()) +
            " bytes of code\n";
  }
  return text;
}

}  // namespace gt200::ptx
