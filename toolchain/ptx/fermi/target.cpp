#include "toolchain/ptx/fermi/target.h"

#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/pipeline.h"
#include "toolchain/ptx/machine/reconverge.h"
#include "toolchain/ptx/native_library.h"

namespace gt200::ptx::fermi {
namespace {

struct traits {
  using function = machine_function;
  using lowering = fermi::lowering;
  static constexpr unsigned registers_of_full_occupancy = fermi::registers_of_full_occupancy;

  static void forward(machine_function& f, const compile_options& options) { forward_values(f, options.contract); }
  static void legalise(machine_function& f) { fermi::legalise(f); }
  static void place_joins(machine_function& f) { join_placement<machine_function>(f).run(); }
  static std::optional<allocation> allocate(machine_function& f, unsigned max_registers) {
    return allocate_registers(f, max_registers);
  }
  static void emit(machine_function& f, const allocation& registers, const std::string& file, bool,
                   cubin::kernel& kernel) {
    fermi::emit(f, registers, file, kernel);
  }
};

// CUDA programming guide, compute capability 2.x.
register_file registers(unsigned) { return {32768, 64, 2, 1024}; }

unsigned needed_capability(const cubin::module&) { return cubin::fermi.first_sm; }

}  // namespace

const target& compiler() {
  static const target made = {cubin::fermi,     machine::windowless, isa::fermi::max_gpr,
                              registers,        native_library,      pipeline<traits>::compile_kernel,
                              needed_capability};
  return made;
}

}  // namespace gt200::ptx::fermi
