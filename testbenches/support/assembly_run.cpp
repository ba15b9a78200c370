#include "testbenches/support/assembly_run.h"

#include <cstring>

#include "observe/hang_report.h"
#include "sc_models/config/load.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::support {

config::gpu_config configuration(const std::string& name, const std::vector<std::string>& overrides) {
  return config::load(std::string(GT200_SOURCE_DIR) + "/configs/" + name + ".toml", overrides).values;
}

device_options explaining(device_options options) {
  options.explain_hang = observe::explain_hang;
  return options;
}

assembly_run run_assembly(const config::gpu_config& config, const std::string& program, unsigned blocks,
                          unsigned threads, unsigned out_words, const device_options& options) {
  const cubin::module module = assembler::assemble(program, "test.s");
  device board(config, explaining(options));
  board.load(module, {});
  const std::uint32_t address = board.allocate(std::uint64_t{out_words} * 4);
  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels.front();
  parameters.grid = {blocks, 1};
  parameters.block = {threads, 1, 1};
  parameters.parameter_bytes.resize(4);
  std::memcpy(parameters.parameter_bytes.data(), &address, 4);

  assembly_run run;
  const std::vector<std::uint8_t> zeros(std::size_t{out_words} * 4);
  board.poke(address, zeros.data(), zeros.size());
  run.result = board.launch(parameters);
  run.out.resize(out_words);
  if (run.result.reason == end_reason::done)
    board.peek(address, reinterpret_cast<std::uint8_t*>(run.out.data()), zeros.size());
  return run;
}

}  // namespace gt200::support
