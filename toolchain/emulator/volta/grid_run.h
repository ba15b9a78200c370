// Functional execution of a whole launch of sm_70 code: what the program computes, without timing. Blocks and warps
// take turns as on Fermi (fermi/grid_run.h).
#pragma once

#include "toolchain/emulator/fermi/grid_run.h"
#include "toolchain/emulator/volta/block.h"

namespace gt200::emulator::volta {

using fermi::run_options;
using fermi::run_result;
using run_observer = fermi::basic_run_observer<block>;

// `module` is that of launch.kernel; `variables` holds the contents of c[4] (launch::fermi::variable_addresses()).
// The launch must be one the hardware can start (launch::volta::refusal).
run_result run(const cubin::module& module, const launch::launch_parameters& launch,
               const std::vector<std::uint8_t>& variables, const arch_state::generation& generation,
               arch_state::memory& global, const run_options& options = {}, run_observer* observer = nullptr);

}  // namespace gt200::emulator::volta
