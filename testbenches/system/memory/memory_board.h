// A chip with one assembled kernel and buffers in its memory.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "driver/device.h"
#include "observe/hang_report.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::support {

struct memory_board {
  memory_board(const config::gpu_config& config, const std::string& program)
      : module(assembler::assemble(program, "program.s")), chip(config, options_of(config)) {
    chip.load(module, {});
  }

  template <class word>
  std::uint32_t buffer(const std::vector<word>& content) {
    const std::uint32_t address = chip.allocate(content.size() * sizeof(word));
    chip.poke(address, reinterpret_cast<const std::uint8_t*>(content.data()), content.size() * sizeof(word));
    return address;
  }
  template <class word>
  std::vector<word> content(std::uint32_t address, std::size_t words) {
    std::vector<word> result(words);
    chip.peek(address, reinterpret_cast<std::uint8_t*>(result.data()), words * sizeof(word));
    return result;
  }
  // Empty when the launch has ended successfully.
  std::string run(unsigned blocks, unsigned threads, const std::vector<std::uint32_t>& parameters) {
    launch::launch_parameters launch;
    launch.kernel = &module.kernels.at(0);
    launch.grid = {blocks, 1};
    launch.block = {threads, 1, 1};
    launch.parameter_bytes.resize(parameters.size() * 4);
    std::memcpy(launch.parameter_bytes.data(), parameters.data(), launch.parameter_bytes.size());
    const launch_result result = chip.launch(launch);
    if (result.reason == end_reason::done) return "";
    return std::string(name_of(result.reason)) + ' ' + result.explanation + arch_state::describe(result.fault);
  }

  cubin::module module;
  device chip;

 private:
  static device_options options_of(const config::gpu_config& config) {
    device_options options;
    options.clocking = clocking_of(config.simulation);
    options.explain_hang = observe::explain_hang;
    return options;
  }
};

}  // namespace gt200::support
