// Shared memory of an SM: storage, banks, locks, and the s[] operands of arithmetic instructions.
//
// 16 banks of 32 bits serve one half-warp per core cycle. If lanes of a half-warp need different words of one bank,
// each word takes a cycle. In each step one word is broadcast to all lanes that need it. All instructions with an
// s[] access pass here in issue order, so the accesses of a warp are performed in program order. Loads go on to
// write-back, arithmetic instructions with an s[] operand to their unit; stores end here. With
// replay_latency_cycles, an access with bank conflicts leaves so much later for each pass that they add, and others
// leave before it; its warp issues nothing meanwhile. Sources: CUDA guide 4.2
// (banks, broadcast, 8/16/64-bit rules); latency 38 shader cycles: Wong 2010; locks: envytools.
#pragma once

#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/front_end/issue_conflict_if.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/shared_locks.h"

namespace gt200::model {

// half_warp: the banks serve 16 lanes per core cycle, and broadcast one word per step.
// warp: they serve 32 lanes per core cycle, or as many as their words need with wider types (16 of 64 bits, 8 of
// 128 bits); every word that a bank serves reaches all lanes that need it. Source: CUDA C Programming Guide 4.2,
// appendix F, compute capability 2.x.
// warp_wide_loads_twice: as warp, but each request of a 128-bit load takes one step more, as if two of its lanes
// met in a bank. The guide says that most 128-bit accesses have such a conflict; a GTX 480 reaches two thirds of
// the full rate with as many loads as stores of 128 bits (982 of 1,483 GB/s, ekondis/gpumembench), which loads
// alone explain. That it is the loads and not the stores is an assumption.
enum class bank_rule : std::uint8_t { half_warp, warp, warp_wide_loads_twice };

class shared_memory : public core_stage,
                      public tlm_bus::signal_source,
                      public shared_memory_start_if,
                      public tlm_bus::injectable {
 public:
  tlm_bus::pipe_in<collected_token> in;   // from the operand collector
  tlm_bus::pipe_out<executed_token> out;  // to write-back
  // Arithmetic instructions with an s[] operand leave through these pipes for the units that execute them. The
  // pipes are called to_sp, ...
  sc_core::sc_vector<tlm_bus::pipe_out<collected_token>> to_units;

  tlm_bus::counter accesses{"accesses", "warp instructions", "instructions that touched shared memory"};
  tlm_bus::counter conflict_cycles{"conflict_cycles", "core cycles", "cycles added by bank conflicts"};

  shared_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
                const unit_list& units, const arch_state::generation& generation, bool no_bank_conflicts,
                lane_share share = {}, bank_rule rule = bank_rule::half_warp);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  std::uint8_t* bind(block_slot block, std::uint32_t base, std::uint32_t bytes) override;
  tlm_bus::tap<shared_memory_observer>& observers() { return observers_; }

  // The current storage of a block, for debuggers.
  const std::uint8_t* bytes_of(block_slot block) const { return &storage_[regions_[block.index()].base]; }
  unsigned size_of(block_slot block) const { return regions_[block.index()].bytes; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "shared_memory"; }

  // The bytes of all blocks, from bit 0 of the first one on.
  const char* structure() const override { return "shared_memory"; }
  std::uint64_t bits() const override { return std::uint64_t{8} * storage_.size(); }
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;
  // Whose blocks are in use; without it all that have begun are.
  void follow(const block_control_state_if& blocks) { blocks_ = &blocks; }
  // Issue learns of bank conflicts; with `ports` the cycles that they add hold its ports.
  void tell(issue_conflict_if& issue, bool ports) {
    issue_ = &issue;
    holds_ports_ = ports;
  }

 private:
  struct region {
    std::uint32_t base = 0;
    std::uint32_t bytes = 0;
  };
  // For how long an access occupies the banks, how much of that is due to conflicts, and how often these repeat it.
  struct bank_time {
    core_cycles cycles;
    core_cycles conflicts;
    unsigned replays = 0;
  };
  struct conflict_count {
    unsigned cycles = 0;
    unsigned replays = 0;
  };
  // A performed access that goes through the pipeline again.
  struct replay {
    warp_instruction* operation = nullptr;
    core_cycle leaves_at;
  };
  bank_time perform(warp_instruction& operation);
  // Without conflicts, and with those of the lanes that execute.
  core_cycles free_time(const warp_instruction& operation) const;
  conflict_count conflicts_of(const warp_instruction& operation) const;
  void begin_replays(warp_instruction& operation, unsigned replays);
  bool end_replays();
  bool send(warp_instruction& operation);
  // Calls access(storage of a block, locks, lanes) for each block that the lanes are of, and notes the faults that
  // it returns.
  template <class Access>
  void by_block(warp_instruction& operation, Access access);
  static unsigned owner_of(const warp_instruction& operation, unsigned lane);
  void load(warp_instruction& operation);
  void store(warp_instruction& operation);
  void combine(warp_instruction& operation);

  const config::shared_memory_config& config_;
  // For every unit class the pipe of to_units to its unit. Null if the unit takes no s[] operands.
  std::array<tlm_bus::pipe_out<collected_token>*, isa::unit_classes> unit_of_class_{};
  std::uint8_t predicate_true_;
  std::uint8_t predicate_false_;
  core_cycles replay_;  // of a repetition; 0: each half-warp takes its own steps
  core_cycles replay_latency_;
  bool no_bank_conflicts_;
  lane_share share_;
  bank_rule rule_;
  std::vector<std::uint8_t> storage_;
  std::vector<region> regions_;                  // per block slot
  std::vector<arch_state::shared_locks> locks_;  // per block slot, by warp in the block
  warp_instruction* current_ = nullptr;          // performed, waits for its conflict cycles to pass
  core_cycle send_at_;
  core_cycle free_at_;
  std::vector<replay> replays_;  // in the order of their accesses
  tlm_bus::tap<shared_memory_observer> observers_;
  const block_control_state_if* blocks_ = nullptr;
  issue_conflict_if* issue_ = nullptr;
  bool holds_ports_ = false;
};

// Core cycles that the lanes of one half-warp (0 or 1) need for accesses of `bytes` each. Words of one bank are
// served one after the other; one word per step is broadcast.
unsigned bank_cycles(const std::uint32_t* addresses, isa::lane_mask lanes, unsigned half_warp, unsigned bytes,
                     unsigned banks);

// The same by bank_rule::warp, for all lanes: requests of up to 128 bytes, and the steps that they take together.
struct warp_requests {
  unsigned requests = 0;
  unsigned steps = 0;
};
warp_requests bank_steps_of_warp(const std::uint32_t* addresses, isa::lane_mask lanes, unsigned bytes,
                                 unsigned banks);

}  // namespace gt200::model
