// A streaming multiprocessor: two loops of the front end, operand collection, units, memories, write-back.
//
//   loop 1   fetch -> icache -> decode -> instruction_buffer (with the scoreboard's look-up)
//   loop 2   issue -> operand_collector -> execution_units | shared_memory | memory_port | branch | barrier ->
//   write_back
//
// Only constructs and binds; everything happens in the modules. Core clock, units on the shader clock.
#pragma once

#include "sc_models/config/chip_config.h"
#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/blocks/instruction_pool.h"
#include "sc_models/sm/completion/memory_port.h"
#include "sc_models/sm/completion/write_back.h"
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/divergence/barrier.h"
#include "sc_models/sm/divergence/branch.h"
#include "sc_models/sm/divergence/simt_stack.h"
#include "sc_models/sm/divergence/stack_memory.h"
#include "sc_models/sm/front_end/decode.h"
#include "sc_models/sm/front_end/fetch.h"
#include "sc_models/sm/front_end/icache.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/front_end/issue.h"
#include "sc_models/sm/operands/constant_cache.h"
#include "sc_models/sm/operands/operand_collector.h"
#include "sc_models/sm/operands/register_file.h"
#include "sc_models/sm/operands/shared_memory.h"
#include "sc_models/sm/units/execution_units.h"
#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {

// Which SM of the chip this is.
struct sm_position {
  unsigned tpc = 0;
  unsigned sm = 0;  // within the TPC
  unsigned sms_per_tpc = 1;
  unsigned in_chip() const { return tpc * sms_per_tpc + sm; }
};

class sm : public sc_core::sc_module {
 public:
  // Borders. Blocks:
  //   block_control.launch, block_control.retire
  // Memory and texture operations, and their completions:
  //   memory_port.out, write_back.from_memory
  // Fills from the TPC's L2:
  //   icache.fill, constant_cache.fill
  const unit_list units;
  gt200::model::block_control block_control;
  gt200::model::fetch fetch;
  gt200::model::icache icache;
  gt200::model::decode decode;
  gt200::model::scoreboard scoreboard;
  gt200::model::instruction_buffer instruction_buffer;
  gt200::model::issue issue;
  gt200::model::simt_stack simt_stack;
  gt200::model::branch branch;
  gt200::model::stack_memory stack_memory;
  gt200::model::barrier barrier;
  gt200::model::operand_collector operand_collector;
  gt200::model::register_file register_file;
  gt200::model::execution_units execution_units;
  gt200::model::shared_memory shared_memory;
  gt200::model::constant_cache constant_cache;
  gt200::model::memory_port memory_port;
  gt200::model::write_back write_back;
  gt200::model::instruction_pool instruction_pool;

  sm(const sc_core::sc_module_name& name, tlm_bus::clock_domain& core, tlm_bus::clock_domain& shader,
     const config::gpu_config& config, const sm_position& position, decoded_instructions& instructions);

  const char* kind() const override { return "sm"; }
};

}  // namespace gt200::model
