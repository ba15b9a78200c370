// The command processor: accepts launches from the host and runs them one after the other.
//
// To the host it is a 32-bit TLM-2.0 base-protocol target. It offers launch and status registers, and the memory of
// the chip behind an aperture; registers.h is the map. A register access is a whole number of aligned words. Writes
// to read-only registers are ignored; offsets without a register are address errors.
//
// Blocking transport and debug take no time: they are functional, and see data that is still queued in the chip. So
// loaders use them. Non-blocking transport (AT) takes the way of the hardware: registers are accessed at the next
// edge, and memory by transactions to the partitions (host_accesses.h), at most 4096 bytes in one access. So copies
// use it. `host_accesses` reads and as many writes are under way at a time; the next one waits for its END_REQ.
//
// LAUNCH copies the launch registers and checks them against the limits of the chip (launch_check.h). A launch that
// cannot run is refused: nothing starts, and ERROR, ERROR_VALUE and ERROR_LIMIT give the reason until the next
// LAUNCH. Otherwise the launch enters a queue. At the head of the queue it waits `latency_cycles` (at least one);
// then all constant, instruction and texture caches are invalidated, and the work distributor gets the grid. The
// launch ends when every block has retired. A block that faults ends it at once. From then on the chip refuses
// everything, because other blocks of the grid may still be running.
//
// RESET asks the chip for a reset, which takes effect a little later (docs/virtual_platform.md) and brings back the
// state of every register. Until then no launch is accepted. A chip that cannot be reset answers the write with an
// error response. Non-blocking accesses under way at the reset are answered with an error.
//
// During a launch the place of memory accesses of the host in the order of memory accesses is undefined.
//
// Clock: uncore. Source: launch registers from envytools; one grid at a time: CUDA C Programming Guide 5.5.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <systemc>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/config/chip_config.h"
#include "sc_models/distribution/grid_tokens.h"
#include "sc_models/distribution/host_accesses.h"
#include "sc_models/distribution/launch_check.h"
#include "sc_models/distribution/launch_listener_if.h"
#include "sc_models/distribution/launch_registers.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"

namespace gt200::model {

class command_processor : public tlm_bus::stage {
 public:
  tlm_bus::memory_target<tlm_bus::base_protocol> host;
  tlm_bus::memory_initiator<gpu_memory_protocol> memory;  // to the crossbar
  tlm_bus::pipe_out<grid_token> start;                    // to the work distributor
  tlm_bus::pipe_in<grid_end_token> end;                   // from it

  sc_core::sc_port<cache_control_if, 0, sc_core::SC_ZERO_OR_MORE_BOUND>
      caches;  // read-only caches outside the TPCs
  sc_core::sc_port<launch_listener_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt;
  // The same as a signal, for platforms: true while INTERRUPT is set. It changes a delta cycle after the register.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt_line;

  tlm_bus::counter launches{"launches", "grids", "launches begun"};
  tlm_bus::counter refused{"refused", "grids", "launches that could not run on this chip"};
  tlm_bus::counter busy_cycles{"busy_cycles", "uncore cycles", "from the hand-over of a grid to its end"};

  command_processor(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                    const config::gpu_config& config, const arch_state::generation_values& generation);

  void tick() override;

  // What a reset asks: false if the chip cannot be reset. Without this no reset is possible.
  void when_reset(std::function<bool()> request) { request_reset_ = std::move(request); }

  // Called before a grid with textures begins: nothing is under way in the TPCs then.
  void when_textures_begin(std::function<void()> act) { textures_begin_ = std::move(act); }

  // The grid being executed, or null. For observers and hang reports.
  const grid_descriptor* running() const { return running_ ? &queue_.front().grid : nullptr; }
  registers::chip_status status() const;
  const launch_refusal& last_refusal() const { return refusal_; }
  // Uncore cycles at which the last launch was begun, and at which it ended.
  tlm_bus::cycle_t began() const { return began_; }
  tlm_bus::cycle_t ended() const { return ended_; }
  // Where the program faulted, if it did.
  struct fault_place {
    unsigned tpc = 0, sm = 0;  // the SM in its TPC
    std::uint32_t block = 0;   // its number in the grid
  };
  fault_place fault() const { return {fault_sm_ >> 8, fault_sm_ & 0xffu, fault_block_}; }
  // Reads memory functionally, whoever programs the chip. Returns false, and leaves bytes, beyond the memory.
  bool peek(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes);

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "command_processor"; }

 private:
  struct pending_launch {
    grid_descriptor grid;
    tlm_bus::cycle_t visible_at = 0;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void serve_host();
  // An access by non-blocking transport: answers it, or begins it. Returns false if it must wait.
  bool take_access(tlm::tlm_generic_payload& payload);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  // `address`: of the device.
  unsigned access_memory(tlm::tlm_generic_payload& payload, std::uint64_t address);
  // The device address behind an address of the host; none for registers and for accesses that leave the window.
  std::optional<std::uint64_t> device_address(const tlm::tlm_generic_payload& payload) const;
  tlm::tlm_response_status access_registers(tlm::tlm_generic_payload& payload, tlm_bus::femtoseconds at);
  static bool has_register(std::uint32_t offset);
  std::uint32_t read(std::uint32_t offset) const;
  // False if what the write asks for is not possible.
  bool write(std::uint32_t offset, std::uint32_t value, tlm_bus::femtoseconds at);
  bool ask_for_reset();
  void enqueue_launch(tlm_bus::femtoseconds at);
  launch_refusal check(const grid_descriptor& grid) const;
  void take_end();
  void begin_next();
  void set_interrupt(bool pending);
  void drive_interrupt_line();

  arch_state::generation_values generation_;
  config::limits_config limits_;
  config::register_sharing sharing_;
  config::warp_formation formation_;
  std::uint32_t sms_;
  std::uint64_t initial_state_seed_;
  unsigned latency_;
  unsigned queue_entries_;

  host_accesses accesses_;
  std::deque<tlm::tlm_generic_payload*> answers_;  // to non-blocking accesses, oldest first

  launch_registers registers_;
  launch_refusal refusal_;
  std::deque<pending_launch> queue_;               // its head stays until it has ended
  tlm_bus::cycle_t begin_at_ = tlm_bus::no_cycle;  // of the head
  std::uint64_t launches_begun_ = 0;
  bool running_ = false;
  bool faulted_ = false;
  std::uint32_t grids_ended_ = 0;
  std::uint32_t fault_sm_ = 0;
  std::uint32_t fault_block_ = 0;
  tlm_bus::cycle_t began_ = 0;
  tlm_bus::cycle_t ended_ = 0;
  bool interrupt_pending_ = false;
  sc_core::sc_event interrupt_changed_;
  std::uint32_t window_ = 0;
  bool resetting_ = false;  // asked for and not done yet
  std::function<bool()> request_reset_;
  std::function<void()> textures_begin_;
};

}  // namespace gt200::model
