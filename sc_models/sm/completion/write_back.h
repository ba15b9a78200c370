// Results go to the register file, scoreboard entries are released, the instruction leaves the SM.
//
// Takes the results of all units and memories, one from each per core cycle, as far as the write ports of the
// register file allow; which source goes first rotates. Everything an instruction does ends here, also stores (when
// they are acknowledged), control instructions and faults. Source: 32 writes per core cycle: Kanter.
#pragma once

#include <array>

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/completion/memory_latencies.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

// Sees every instruction as it completes, with its results, before it is recycled. Attached from outside.
class write_back_observer {
 public:
  virtual ~write_back_observer() = default;
  virtual void completed(const sc_core::sc_object& write_back, const warp_instruction& operation) = 0;
};

class write_back : public tlm_bus::stage {
 public:
  tlm_bus::pipe_in<executed_token> from_sp, from_sfu, from_sfu_multiply, from_dp, from_shared_memory,
      from_memory_port, from_branch, from_barrier;
  tlm_bus::pipe_in<memory_completion_token> from_memory;  // from the TPC

  alignas(64) tlm_bus::port<register_file_write_if> register_file;
  tlm_bus::port<scoreboard_complete_if> scoreboard;
  tlm_bus::port<block_control_if> block_control;
  tlm_bus::port<instruction_pool_if> pool;
  tlm_bus::port<stack_memory_if> stack_memory;

  tlm_bus::counter completed{"completed", "warp instructions", "instructions that left the SM"};
  tlm_bus::counter register_writes{"register_writes", "lane words", "32-bit registers written, one per lane"};
  memory_latencies latencies;

  write_back(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config);

  void tick() override;
  tlm_bus::tap<write_back_observer>& observers() { return observers_; }
  const char* kind() const override { return "write_back"; }

 private:
  static constexpr unsigned unit_inputs = 8;
  bool ports_free();
  template <class token_type>
  bool take(tlm_bus::pipe_in<token_type>& source);
  void complete(warp_instruction& operation);
  void complete_stack_access(warp_instruction& access);

  // What is needed for every result together, for the host's cache.
  alignas(64) std::uint64_t occupied_ = 0;  // inputs that hold a result; bit unit_inputs: from_memory
  std::uint64_t write_ports_;
  std::uint64_t ports_busy_until_ = 0;  // in lane words: cycle x write_ports
  unsigned first_ = 0;
  std::array<tlm_bus::pipe_in<executed_token>*, unit_inputs> inputs_;
  tlm_bus::tap<write_back_observer> observers_;
};

}  // namespace gt200::model
