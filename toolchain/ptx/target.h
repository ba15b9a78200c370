// Interface of a generation of hardware for compile().
#pragma once

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/ptx/compile.h"
#include "toolchain/ptx/launch_bounds.h"
#include "toolchain/ptx/module_layout.h"
#include "toolchain/ptx/structure.h"

namespace gt200::ptx {

struct target {
  const cubin::architecture& architecture;
  pointee windowless;      // memories whose generic addresses the hardware does not know
  unsigned max_registers;  // per thread, that instructions can name
  // Registers of the chip with this compute capability (x 10).
  register_file (*registers)(unsigned capability);
  // Functions in PTX that the kernels may need.
  module_source (*library)();
  // Throws input_error for a kernel that this hardware cannot run.
  cubin::kernel (*compile_kernel)(const function& entry, const module_layout& layout, const source_file& file,
                                  const lowering_options& lower, const compile_options& options);
  // The compute capability (x 10) that the compiled kernels need.
  unsigned (*needed_capability)(const cubin::module& module);
};

}  // namespace gt200::ptx
