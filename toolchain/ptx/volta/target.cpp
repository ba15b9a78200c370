#include "toolchain/ptx/volta/target.h"

#include "toolchain/ptx/machine/colour.h"
#include "toolchain/ptx/machine/legalise.h"
#include "toolchain/ptx/machine/pipeline.h"
#include "toolchain/ptx/machine/reconverge.h"
#include "toolchain/ptx/machine/word_spiller.h"
#include "toolchain/ptx/native_library.h"
#include "toolchain/ptx/volta/lowering.h"
#include "toolchain/ptx/volta/passes.h"

namespace gt200::ptx::volta {
namespace {

struct traits {
  using function = machine_function;
  using lowering = volta::lowering;
  static constexpr unsigned registers_of_full_occupancy = volta::registers_of_full_occupancy;

  static void forward(machine_function& f, const compile_options& options) { forward_values(f, options.contract); }
  static void legalise(machine_function& f) { legaliser<machine_function>(f, cubin::volta.literal_space).run(); }
  // Lanes that leave a loop wait behind it: a branch takes them there.
  static void place_joins(machine_function& f) { join_placement<machine_function>(f, false).run(); }
  static std::optional<allocation> allocate(machine_function& f, unsigned max_registers) {
    renumber_registers(f);
    colour_rules rules;
    rules.max_registers = static_cast<int>(std::min(max_registers, isa::volta::max_gpr));
    rules.condition_registers = isa::volta::predicate_count;
    rules.address_registers = 0;
    rules.full_occupancy = volta::registers_of_full_occupancy;
    word_spiller<machine_function> room(f);
    return gt200::ptx::allocate(
        f, room, [&](const machine_function& g) { return colourer<machine_function>(g, rules).run(); });
  }
  static void emit(machine_function& f, const allocation& registers, const std::string& file, bool optimise,
                   cubin::kernel& kernel) {
    volta::emit(f, registers, file, optimise, kernel);
  }
};

// CUDA programming guide, compute capability 7.0.
register_file registers(unsigned) { return {65536, 256, 4, 1024}; }

unsigned needed_capability(const cubin::module&) { return cubin::volta.first_sm; }

}  // namespace

const target& compiler() {
  static const target made = {cubin::volta,     machine::windowless, isa::volta::max_gpr,
                              registers,        native_library,      pipeline<traits>::compile_kernel,
                              needed_capability};
  return made;
}

}  // namespace gt200::ptx::volta
