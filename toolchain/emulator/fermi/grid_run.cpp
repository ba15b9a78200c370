#include "toolchain/emulator/fermi/grid_run.h"

#include "toolchain/emulator/fermi/launch_run.h"

namespace gt200::emulator::fermi {

using namespace arch_state;

run_result run(const cubin::module& module, const launch::fermi::launch_parameters& launch,
               const std::vector<std::uint8_t>& variables, const arch_state::generation& generation, memory& global,
               const run_options& options, run_observer* observer) {
  const code program(*launch.kernel, generation);
  constant_memory constants(module, *launch.kernel, variables);
  const generation_values& values = generation.values();
  for (const auto& [space, bytes] :
       {std::pair{0u, launch::fermi::launch_constants(launch, values.shared_window, values.local_window)},
        std::pair{1u, launch::fermi::stack_constants(launch)}})
    constants.write(space, 0, bytes, bytes.size());
  program_context context;
  context.generation = &generation;
  context.code = &program;
  context.constants = &constants;
  context.launch = &launch;
  context.global = &global;
  context.textures = options.textures;
  context.initial_state_seed = options.initial_state_seed;
  return launch_run<block>(context, options, observer).run();
}

}  // namespace gt200::emulator::fermi
