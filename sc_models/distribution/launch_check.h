// Checks whether the chip can run a grid. If not, the command processor reports the reason in its registers.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/config/sm_config.h"
#include "sc_models/grid_descriptor.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

// The values are those of the ERROR register.
enum class launch_error : std::uint8_t {
  none = 0,
  grid_dimension = 1,     // GRIDDIM x or y is 0
  block_dimension = 2,    // x, y or z beyond what the generation allows (Tesla: 1024, 1024, 64), or 0
  threads_per_block = 3,  // more than the configured maximum
  thread_allocation = 4,  // BLOCK_ALLOC.THREADS is not x * y * z
  registers_per_thread = 5,
  parameter_bytes = 6,  // more than the generation allows (256), or more than shared memory holds behind the header
  block_warps = 7,      // not even one block fits into an SM because of ...
  block_threads = 8,
  block_registers = 9,
  block_shared_memory = 10,
  block_barriers = 11,
  local_memory = 12,  // bytes per thread no power of two 16..65536, or beyond the addresses of a program
  code = 13,        // no code, more than addresses of code reach, or CP_START_ID outside it or not a multiple of 4
  queue_full = 14,  // as many launches wait as the queue holds
  faulted = 15,     // an earlier launch faulted
  resetting = 16    // a reset is not done yet
};
const char* name_of(launch_error error);

// The launch requested `value`, but at most `limit` is possible; the error names the dimension, count or size.
struct launch_refusal {
  launch_error error = launch_error::none;
  std::uint32_t value = 0;
  std::uint32_t limit = 0;

  explicit operator bool() const { return error != launch_error::none; }
};
// "registers per block: 16896 asked for, 16384 possible".
std::string describe(const launch_refusal& refusal);

// Limits of the generation and of this configuration. `sms` of the chip.
launch_refusal check_launch(const arch_state::generation_values& generation, const config::limits_config& limits,
                            std::uint32_t sms, const grid_descriptor& grid);

}  // namespace gt200::model
