#include "toolchain/emulator/volta/grid_run.h"

#include "toolchain/cubin/limits.h"
#include "toolchain/emulator/fermi/launch_run.h"
#include "toolchain/launch/volta/abi.h"

namespace gt200::emulator::volta {

run_result run(const cubin::module& module, const launch::launch_parameters& launch,
               const std::vector<std::uint8_t>& variables, const arch_state::generation& generation,
               arch_state::memory& global, const run_options& options, run_observer* observer) {
  const fermi::code program(*launch.kernel, generation);
  constant_memory constants(module, *launch.kernel, {});
  const arch_state::generation_values& values = generation.values();
  const std::vector<std::uint8_t> bytes =
      launch::volta::launch_constants(launch, values.shared_window, values.local_window);
  constants.write(0, 0, bytes, bytes.size());
  if (!variables.empty()) constants.write(cubin::volta.address_space, 0, variables, variables.size());
  program_context context;
  context.generation = &generation;
  context.code = &program;
  context.constants = &constants;
  context.launch = &launch;
  context.global = &global;
  context.textures = options.textures;
  context.initial_state_seed = options.initial_state_seed;
  return fermi::launch_run<block>(context, options, observer).run();
}

}  // namespace gt200::emulator::volta
