// Runs a piece of assembly on a simulated board and returns what it wrote: the frame of the micro-benchmark tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/device.h"
#include "sc_models/config/chip_config.h"

namespace gt200::support {

struct assembly_run {
  launch_result result;
  std::vector<std::uint32_t> out;  // the buffer whose address is the kernel's first parameter
};

// `program` holds one kernel whose only parameter is the address of `out_words` words, zero at the start. Launches
// it once with `blocks` x `threads`. A process can have only one device, so call this once per test.
assembly_run run_assembly(const config::gpu_config& config, const std::string& program, unsigned blocks,
                          unsigned threads, unsigned out_words, const device_options& options = {});

// The same options, with an explanation of launches that do not end.
device_options explaining(device_options options = {});

// configs/<name>.toml with overrides as on the command line.
config::gpu_config configuration(const std::string& name, const std::vector<std::string>& overrides = {});

}  // namespace gt200::support
