// One of the four parts of Volta's SM that fetch, issue and execute by themselves. A warp belongs to one of them.
//
//   fetch -> icache (L0) -> decode -> instruction_buffer        the modules of all generations
//   issue, with the control gate in place of a scoreboard
//   operand_path                                                registers, units, write-back
//   branch_unit, constant_cache (L0)
//
// It only constructs and binds. Source: NVIDIA, Tesla V100 white paper; Huerta et al., MICRO 2025.
#pragma once

#include <memory>

#include "sc_models/config/chip_config.h"
#include "sc_models/sm/front_end/decode.h"
#include "sc_models/sm/front_end/fetch.h"
#include "sc_models/sm/front_end/icache.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/operands/constant_cache.h"
#include "sc_models/sm/operands/register_file.h"
#include "sc_models/sm/sm_if.h"
#include "sc_models/sm/volta/branch_unit.h"
#include "sc_models/sm/volta/control_gate.h"
#include "sc_models/sm/volta/gated_issue.h"
#include "sc_models/sm/volta/operand_path.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

class processing_block : public sc_core::sc_module, public tlm_bus::resettable {
 public:
  // What the blocks of an SM share. `config`: of the SM, with the registers of one block.
  struct surroundings {
    tlm_bus::clock_domain& core;
    const config::gpu_config& chip;
    const config::sm_config& config;
    decoded_instructions& decoded;
    const unit_list& units;
    const tlm_bus::tap<write_back_observer>& completions;
    sm_position position;
  };

  gt200::model::fetch fetch;
  gt200::model::icache icache;
  gt200::model::decode decode;
  gt200::model::instruction_buffer instruction_buffer;
  control_gate gate;
  gated_issue issue;
  gt200::model::operand_path operand_path;
  gt200::model::register_file register_file;
  gt200::model::constant_cache constant_cache;
  gt200::model::branch_unit branch_unit;

  // `number`: of the block in the SM.
  processing_block(const sc_core::sc_module_name& name, const surroundings& in, unsigned number);

  const char* kind() const override { return "processing_block"; }
  void visit_state(tlm_bus::state_image&) override {}  // only its parts have state
};

}  // namespace gt200::model
