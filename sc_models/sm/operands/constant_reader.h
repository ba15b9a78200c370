// Reads the c[] operands of instructions that wait in the operand collector, through the constant cache.
//
// A direct operand has one address for all lanes. It is available as soon as its line is, and costs as much as a
// register. An indexed operand has an address per lane. The distinct addresses of each half-warp are served one
// after the other, an interval each; the value of the last one arrives after the cache's latency. Instructions read
// one behind the other, without waiting for each other's values. Sources: CUDA guide 5.5, Wong 2010.
#pragma once

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/constant_transactions.h"
#include "tlm_bus/port.h"
#include "tlm_bus/state_image.h"
#include "tlm_bus/transaction.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class constant_reader {
 public:
  // The progress of an instruction.
  struct progress {
    bool done = false;         // all its values have been read
    isa::lane_mask lanes = 0;  // lanes whose indexed constant has been read
    core_cycle ready_at;       // in which the last value arrives
  };

  // The way to the constant cache.
  struct cache_sockets {
    const tlm_bus::port<constant_cache_if>& state;
    tlm_bus::transaction_out<constant_read>& reads;
    tlm_bus::transaction_out<constant_line_fetch>& line_fetches;
  };

  // `owner` becomes due when an awaited line arrives, and when the values arrive.
  constant_reader(core_stage& owner, cache_sockets cache, const config::constant_cache_config& config,
                  const config::clock_ratio& clocks, const arch_state::generation& generation)
      : owner_(owner), cache_(cache), config_(config), clocks_(clocks), generation_(generation) {}

  // Reads what the cache has in this cycle. Returns true if all values have arrived, or if none are needed. An
  // address outside the constant space gives the instruction a fault.
  bool finish(progress& p, warp_instruction& operation) {
    return !operation.instruction->reads_constant || finish_reading(p, operation);
  }
  // The same, but only until the values have been read, and whether they have.
  bool read(progress& p, warp_instruction& operation) {
    return !operation.instruction->reads_constant || p.done || read_all(p, operation);
  }

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(owner_, cache_, config_, clocks_, generation_);
    state(port_free_at_);
  }

 private:
  bool read_all(progress& p, warp_instruction& operation);
  bool finish_reading(progress& p, warp_instruction& operation);
  struct access {
    std::uint64_t id = 0;    // of the instruction
    std::uint64_t base = 0;  // device address
    std::uint32_t bytes = 0;
    std::uint32_t space_bytes = 0;
    unsigned words = 1;
    isa::data_type type = isa::data_type::b32;
    isa::lane_words* to = nullptr;
  };
  bool read_operand(progress& p, warp_instruction& operation, const isa::constant_operand& o);
  static bool is_faulty(const access& a, warp_instruction& operation, const isa::lane_words& offsets);
  bool read_direct(const access& a, warp_instruction& operation, std::uint32_t offset);
  bool read_indexed(const access& a, progress& p, warp_instruction& operation, const isa::lane_words& offsets);
  bool is_present(const access& a, std::uint32_t offset);
  std::uint32_t read_word(const access& a, std::uint32_t offset);

  core_stage& owner_;
  cache_sockets cache_;
  const config::constant_cache_config& config_;
  config::clock_ratio clocks_;
  const arch_state::generation& generation_;
  shader_cycle port_free_at_;  // for the next indexed operand
};

}  // namespace gt200::model
