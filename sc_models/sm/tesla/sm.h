// Tesla's streaming multiprocessor: two loops of the front end, operand collection, units, memories, write-back.
//
//   loop 1   fetch -> icache -> decode -> instruction_buffer (with the scoreboard's look-up)
//   loop 2   issue -> operand_collector -> execution_units | shared_memory | memory_port | branch | barrier ->
//   write_back
//
// It only constructs and binds; the modules do the work. Core clock; the units use the shader clock.
#pragma once

#include <memory>
#include <vector>

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
#include "sc_models/sm/divergence/warp_former.h"
#include "sc_models/sm/front_end/decode.h"
#include "sc_models/sm/front_end/fetch.h"
#include "sc_models/sm/front_end/icache.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/front_end/issue.h"
#include "sc_models/sm/front_end/joined_front_end.h"
#include "sc_models/sm/operands/constant_cache.h"
#include "sc_models/sm/operands/operand_collector.h"
#include "sc_models/sm/operands/register_file.h"
#include "sc_models/sm/operands/section_pool.h"
#include "sc_models/sm/operands/shared_memory.h"
#include "sc_models/sm/sm_if.h"
#include "sc_models/sm/tesla/probe.h"
#include "sc_models/sm/units/execution_units.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

// What other generations have in another way.
struct sm_structure {
  bank_rule shared_banks = bank_rule::half_warp;
  // The collector's instructions for shared memory and memory port go straight there. Otherwise the composition
  // binds a module between them.
  bool binds_memories = true;
};

class tesla_sm : public sm_if, public tlm_bus::resettable {
 private:
  const config::sm_config& config_;
  std::shared_ptr<decoded_instructions> decoded_;
  std::shared_ptr<const unit_list> units_;
  const arch_state::generation& generation_;
  lane_share share_;

 public:
  const unit_list& units;
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
  // Only if warps share registers over time.
  std::unique_ptr<gt200::model::section_pool> section_pool;
  // Only if warps are formed anew.
  std::unique_ptr<gt200::model::warp_former> warp_former;

  // `decoded`: shared by the SMs of a TPC; `units`: by those of the chip.
  tesla_sm(const sc_core::sc_module_name& name, const sm_surroundings& surroundings, const sm_position& position,
           std::shared_ptr<decoded_instructions> decoded, std::shared_ptr<const unit_list> units,
           const sm_structure& structure = {});

  // sm_if
  tlm_bus::pipe_in<launch_token>& launch() override { return block_control.launch; }
  tlm_bus::pipe_out<retire_token>& retire() override { return block_control.retire; }
  tlm_bus::pipe_out<memory_operation_token>& memory_operations() override { return memory_port.out; }
  tlm_bus::pipe_in<memory_completion_token>& memory_completions() override { return write_back.from_memory; }
  std::vector<tlm_bus::memory_initiator<tlm_bus::base_protocol>*> fills() override {
    return {&icache.fill, &constant_cache.fill};
  }
  std::vector<cache_control_if*> caches() override { return {&icache, &constant_cache}; }
  sc_core::sc_port<line_control_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND>& l1_control() override {
    return memory_port.l1;
  }
  void visit_state(tlm_bus::state_image& state) override;
  sm_probe& probe() override { return probe_; }
  void join_stages() override { joined_.join(); }
  void part_stages() override { joined_.part(); }
  bool stages_joined() const { return joined_.joined(); }

  // For the probe.
  sm_sizes sizes() const;

 private:
  void share_registers(const sm_surroundings& in);
  void form_warps(const sm_surroundings& in);

  joined_front_end joined_;
  tesla_sm_probe probe_{*this};
};

// Builds the SMs of a chip with this configuration.
sm_factory tesla_sms(const config::gpu_config& config);
// Builds the same SMs with the instruction set, state and divergence of another generation.
sm_factory tesla_sms(std::shared_ptr<const arch_state::generation> generation);

}  // namespace gt200::model
