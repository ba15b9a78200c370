// The border of a streaming multiprocessor: the interface that a cluster connects, for any generation of SM.
//
//   launch              -> blocks of the work distributor
//   retire              <- blocks that have ended
//   memory_operations   <- memory and texture instructions, to the cluster's memory path
//   memory_completions  -> their ends
//   fills               <- reads of lines of instructions and constants, from the cluster's L2
//   l1_control          <- commands of the program to the L1 of the memory path
//   caches              -> invalidated before the first block of a launch
//
// All on the core clock; units may use the shader clock. sm_probe.h shows the inside.
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cache/line_control_if.h"
#include "sc_models/cluster_tokens.h"
#include "sc_models/config/chip_config.h"
#include "sc_models/sm/sm_probe.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class sm_if : public sc_core::sc_module {
 public:
  virtual tlm_bus::pipe_in<launch_token>& launch() = 0;
  virtual tlm_bus::pipe_out<retire_token>& retire() = 0;
  virtual tlm_bus::pipe_out<memory_operation_token>& memory_operations() = 0;
  virtual tlm_bus::pipe_in<memory_completion_token>& memory_completions() = 0;
  // As many as the factory says.
  virtual std::vector<tlm_bus::memory_initiator<tlm_bus::base_protocol>*> fills() = 0;
  virtual std::vector<cache_control_if*> caches() = 0;
  // To be bound to the L1, if there is one.
  virtual sc_core::sc_port<line_control_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND>& l1_control() = 0;

  virtual sm_probe& probe() = 0;
  // Before the first cycle: nobody is going to look into the SM. Stages that it can join then share one
  // state (front_end/joined_front_end.h); results and cycles are the same.
  virtual void join_stages() {}
  // The opposite, between two cycles.
  virtual void part_stages() {}

  const char* kind() const override { return "sm"; }

 protected:
  explicit sm_if(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
};

// The position of an SM in the chip.
struct sm_position {
  unsigned tpc = 0;
  unsigned sm = 0;  // within the TPC
  unsigned sms_per_tpc = 1;
  unsigned in_chip() const { return tpc * sms_per_tpc + sm; }
};

// Everything from which an SM is built. It must outlive the SM.
struct sm_surroundings {
  tlm_bus::clock_domain& core;
  tlm_bus::clock_domain& shader;
  const config::gpu_config& config;
};

// Builds the SMs of a chip, and names their generation: what the rest of the chip knows of it.
class sm_factory {
 public:
  using builder = std::function<std::unique_ptr<sm_if>(const char* name, const sm_surroundings& surroundings,
                                                       const sm_position& position)>;

  sm_factory() = default;
  // `fills`: ports of an SM to the cluster's L2.
  sm_factory(std::shared_ptr<const arch_state::generation> generation, builder build, unsigned fills = 2)
      : generation_(std::move(generation)), build_(std::move(build)), fills_(fills) {}

  explicit operator bool() const { return generation_ != nullptr; }
  const arch_state::generation& generation() const { return *generation_; }
  unsigned fills() const { return fills_; }
  std::unique_ptr<sm_if> operator()(const char* name, const sm_surroundings& surroundings,
                                    const sm_position& position) const {
    return build_(name, surroundings, position);
  }

 private:
  std::shared_ptr<const arch_state::generation> generation_;
  builder build_;
  unsigned fills_ = 2;
};

}  // namespace gt200::model
