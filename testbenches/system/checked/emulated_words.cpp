#include "testbenches/system/checked/emulated_words.h"

#include <cstring>
#include <stdexcept>

#include "toolchain/arch_state/initial_state.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/grid_run.h"

namespace gt200::support {

emulated_words emulate_words(const cubin::module& program, unsigned blocks, unsigned threads,
                             const arch_state::tesla::divergence_options& divergence, std::uint32_t words,
                             std::uint32_t out, std::uint32_t in) {
  const cubin::kernel& kernel = program.kernels.at(0);
  launch::launch_parameters launch{&kernel, {blocks, 1}, {threads, 1, 1}, 0, std::vector<std::uint8_t>(8), 0};
  std::memcpy(launch.parameter_bytes.data(), &out, 4);
  std::memcpy(launch.parameter_bytes.data() + 4, &in, 4);
  arch_state::memory global;
  bool mapped = global.map(out, 4 * words) && global.map(in, 4 * words);
  for (std::uint32_t i = 0; mapped && i < words; ++i) {
    const std::uint32_t value = arch_state::mix_bits(i + 1);
    mapped = global.write(in + 4 * i, &value, 4);
  }
  if (!mapped) throw std::logic_error("the buffers cannot be mapped in the emulator");
  emulator::run_options options;
  options.divergence = divergence;
  const emulator::code_image code(kernel);
  const emulator::constant_memory constants(program, kernel, {});
  emulated_words result{emulator::run(launch, code, constants, global, options).fault, {}};
  result.out.resize(words);
  if (!global.read(out, result.out.data(), 4 * words)) throw std::logic_error("the results cannot be read");
  return result;
}

}  // namespace gt200::support
