#include "toolchain/ptx/fermi/target.h"

#include <algorithm>
#include <utility>

#include "toolchain/error.h"
#include "toolchain/ptx/fermi/library.h"
#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/control_flow.h"
#include "toolchain/ptx/machine/reconverge.h"
#include "toolchain/ptx/machine/split.h"
#include "toolchain/ptx/machine/uniform.h"
#include "toolchain/ptx/machine/unused.h"

namespace gt200::ptx::fermi {
namespace {

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
  const std::optional<allocation> registers = allocate_registers(f, options.max_registers);
  if (!registers)
    throw input_error("kernel '" + entry.name + "' needs more than " +
                      std::to_string(std::min(options.max_registers, isa::fermi::max_gpr)) +
                      " registers or 7 predicates at once");
  emit(f, *registers, file.name(), kernel);
  kernel.registers = registers->registers;
  kernel.shared_bytes = f.shared_bytes;
  kernel.local_bytes = f.local_bytes;
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
