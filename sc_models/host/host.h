// The computer around the chip: copies over PCI Express and launches, as its driver does them.
//
// The host program is the code that calls these functions between two runs of the simulation, never from within a
// process. It reaches the chip only through its socket, as a virtual platform would: the registers and the memory
// aperture of the command processor.
//
// A copy goes through the socket in packets of non-blocking transport, which the chip carries to its partitions as
// transactions (copy_link.h). So it takes the time of data and packet overhead on the link, takes bandwidth of the
// DRAM from a kernel that runs meanwhile, and short copies are slower per byte. copy_*() waits for its end;
// begin_copy_*() does not, so a launch and copies in both directions can run at the same time. poke() and peek()
// are functional and take no time.
//
// A launch takes `launch_overhead_ns` before the chip receives the command.
//
// Source of the numbers: config/host_config.h.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "sc_models/config/host_config.h"
#include "sc_models/distribution/launch_check.h"
#include "sc_models/distribution/launch_listener_if.h"
#include "sc_models/distribution/registers.h"
#include "sc_models/grid_descriptor.h"
#include "sc_models/host/copy_link.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class host : public sc_core::sc_module, private launch_listener_if, public tlm_bus::resettable {
 public:
  tlm_utils::simple_initiator_socket_optional<host> chip;  // unbound if a platform programs the chip
  sc_core::sc_export<launch_listener_if> interrupt;        // ends a run of the simulation at the end of a launch

  tlm_bus::counter bytes_to_device{"bytes_to_device", "bytes", "copied to the chip"};
  tlm_bus::counter bytes_from_device{"bytes_from_device", "bytes", "copied from the chip"};
  tlm_bus::counter launches{"launches", "grids", "launch commands given"};

  // `packets`: of each direction that the chip has at a time, at least 1.
  host(const sc_core::sc_module_name& name, const config::host_config& config, unsigned packets = 64);

  // Copies between the host and `device_address`, after all that have been begun; simulated time passes.
  // std::out_of_range beyond the memory.
  void copy_to_device(std::uint64_t device_address, const std::uint8_t* from, std::size_t bytes);
  void copy_from_device(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes);
  // Begin a copy that goes on whenever the simulation runs. The memory of the host must stay until then, and what
  // the chip has there may be read or written at any time before.
  void begin_copy_to_device(std::uint64_t device_address, const std::uint8_t* from, std::size_t bytes);
  void begin_copy_from_device(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes);
  bool copying() const { return !link_.idle(); }
  // Runs the simulation until all copies have ended. std::out_of_range if one went beyond the memory.
  void finish_copies();
  // The same in zero time, for loaders and debuggers.
  void poke(std::uint64_t device_address, const std::uint8_t* from, std::size_t bytes);
  void peek(std::uint64_t device_address, std::uint8_t* to, std::size_t bytes);

  // Waits for the overhead, sets the launch registers and launches. Returns the reason if the chip refuses.
  launch_refusal launch(const grid_descriptor& grid);
  // From now on the host program looks at the chip at the ends of its windows only: a copy, and run(), end at the
  // first one. Everything before it has been executed then, and nothing from it on. Without this call they end at
  // once.
  void stop_at_windows_of(const tlm_bus::clocking& clocks) { windows_ = &clocks; }
  // Runs the simulation for `duration`, or until a launch ends.
  void run(const sc_core::sc_time& duration);

  std::uint32_t read_register(std::uint32_t offset);
  void write_register(std::uint32_t offset, std::uint32_t value);
  registers::chip_status status();
  struct launch_cycles {
    tlm_bus::cycle_t began = 0;
    tlm_bus::cycle_t ended = 0;
  };
  // Uncore cycles of the last launch.
  launch_cycles cycles_of_last_launch();

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "host"; }

 private:
  void launch_ended() override;
  void access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::size_t bytes);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void begin_copy(copy_direction direction, std::uint64_t device_address, std::uint8_t* data, std::size_t bytes);
  void carry_packets();
  void packet_arrived(copy_direction direction, std::size_t bytes);
  void stop_when_copied();
  void write_constants(const grid_descriptor& grid);
  void write_textures(const grid_descriptor& grid);

  config::host_config config_;
  copy_link link_;
  sc_core::sc_event carry_event_;
  bool waits_for_copies_ = false;
  std::uint32_t base_registers_ = 0;  // as last written to the chip
  bool static_warps_ = false;         // the same
  const tlm_bus::clocking* windows_ = nullptr;
};

}  // namespace gt200::model
