// A GT200 board as a program sees it: memory, modules, launches. It wraps the whole cycle model in a plain C++
// interface.
//
// A process has one device, because a SystemC kernel simulates once. Grids run one after the other; between them,
// copies and launch overheads advance the simulated time. Errors of the caller (a module that does not fit, a
// launch that the chip refuses) are input_error. Faults of the simulated program are part of the result.
//
// Placement: code and constants start at memory_map.code_base and .constant_base of the configuration; each
// kernel's code starts on a 256-byte boundary. The program counter and branch targets of a kernel are relative to
// its first byte. The chip gets that address as code base, so code needs no relocation. Global memory has virtual
// addresses from launch::first_device_address on, mapped page by page to physical memory from
// memory_map.global_base on. Local memory is at the end of both, before the stack memory (stack_layout.h).
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/program_placement.h"
#include "sc_models/chip.h"
#include "sc_models/config/chip_config.h"
#include "sc_models/stack_layout.h"
#include "tlm_bus/clocking.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/cubin/module.h"
#include "toolchain/launch/abi.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200 {

struct device_options {
  tlm_bus::clocking_options clocking;  // stalls are set here, not taken from the configuration
  std::uint64_t max_cycles = 0;        // core cycles per launch; 0 = no limit
  std::uint64_t stop_at_cycle = 0;     // of every launch: it ends there as by `stop`; 0 = never
  // The running launch stops when this becomes non-zero; a signal handler may set it. Not owned; may be null.
  const volatile std::sig_atomic_t* stop = nullptr;
  // Explains what the chip waits for if a launch hangs or reaches max_cycles; observe::explain_hang() does that.
  // Without it a launch_result only says how long nothing has moved.
  std::function<std::string(model::chip&)> explain_hang;
  // Stages of an SM may be joined, which changes no result (sc_models/sm/front_end/joined_front_end.h), until
  // somebody looks: by chip::look_inside(), as recorders and injectors do, or by attaching to a tap.
  bool unobserved = false;
  // Called every few milliseconds of host time while a launch runs, between two runs of the simulation; for
  // progress displays. It may read everything and must change nothing.
  std::function<void()> on_progress;
};

// The first address behind the global memory that a device of this configuration can have at most; local memory of
// kernels takes some of it.
std::uint64_t end_of_global_memory(const config::gpu_config& config,
                                   const arch_state::generation_values& generation);

// Clocking options with the configuration's stall injection.
tlm_bus::clocking_options clocking_of(const config::simulation_config& config);

enum class end_reason : std::uint8_t {
  done,
  fault,       // the simulated program faulted: `fault` explains it
  max_cycles,  // the limit of the options
  hang,        // nothing moves any more: `explanation` says what waits
  stopped      // by options.stop or stop()
};
const char* name_of(end_reason reason);

struct launch_result {
  end_reason reason = end_reason::done;
  arch_state::fault fault;
  std::string explanation;             // at a hang or at the cycle limit: what each part waits for
  std::uint64_t cycles = 0;            // core cycles from the hand-over to the work distributor to the end
  tlm_bus::femtoseconds began_at = 0;  // simulated time of the hand-over
  // If it did not end with `done`: the end of a window (tlm_bus/clocking.h), or where stop() has ended it. The chip
  // has executed everything before that time and nothing from it on.
  tlm_bus::femtoseconds ended_at = 0;
};

class device {
 public:
  // Throws std::logic_error for a second device.
  explicit device(const config::gpu_config& config, const device_options& options = {});
  ~device();
  device(const device&) = delete;
  device& operator=(const device&) = delete;

  // Places code and constants. The module must outlive the device. `relocations` is the content of c14 as
  // launch::prepare() computes it. Throws input_error if memory is full or the module needs a higher compute
  // capability than the chip has.
  void load(const cubin::module& module, const std::vector<std::uint8_t>& relocations);
  // Copies c0 of a loaded module to the device again, after the host has changed the values in `module`. Launches
  // from now on read the new ones.
  void update_constants(const cubin::module& module);
  // Loads a program prepared with allocator(): its module, and access to its buffers and variables.
  // launch::upload() writes their contents.
  void load(const launch::prepared& program);

  // Ends the elaboration; copies and launches do so too. No modules may be added afterwards.
  void start();

  // Assigns addresses on 256-byte boundaries, the same ones as in the emulator. map() makes them accessible,
  // allocate() does both. Throws input_error if the memory is full.
  launch::device_allocator& allocator() { return allocator_; }
  void map(std::uint32_t address, std::uint64_t bytes);
  std::uint32_t allocate(std::uint64_t bytes);
  // From now on stores and atomics to these pages fault. The range must be mapped and aligned to pages. No launch
  // may have happened before, because TLBs keep page entries. Throws input_error otherwise.
  void protect(std::uint32_t address, std::uint64_t bytes);

  // Copies over PCI Express, which takes simulated time and bandwidth of the DRAM. Throws input_error for an
  // address that is not mapped.
  void copy_to_device(std::uint32_t address, const std::uint8_t* from, std::size_t bytes);
  void copy_from_device(std::uint32_t address, std::uint8_t* to, std::size_t bytes);
  // Begin such a copy and return. It goes on during launches and other copies as far as the copy engines of the
  // board allow (`host.copy_engines`). The memory of the host must stay until finish_copies(), and neither host nor
  // kernel can rely on what is at the destination before.
  void begin_copy_to_device(std::uint32_t address, const std::uint8_t* from, std::size_t bytes);
  void begin_copy_from_device(std::uint32_t address, std::uint8_t* to, std::size_t bytes);
  void finish_copies();
  // The same, but functional: takes no simulated time and no bandwidth.
  void poke(std::uint32_t address, const std::uint8_t* from, std::size_t bytes);
  void peek(std::uint32_t address, std::uint8_t* to, std::size_t bytes);

  // Memory for the image of a CUDA array, in pages of the block-linear storage type. map_array() makes an array
  // from allocator().allocate_array() accessible.
  void map_array(std::uint32_t address, std::uint64_t bytes);
  std::uint32_t allocate_array(std::uint64_t bytes);
  // The texture unit keeps the texture until another one is bound. A binding with bound = false leaves none.
  void bind_texture(unsigned unit, const model::texture_binding& texture);

  // Runs a grid of a loaded kernel to its end. Throws input_error with the reason if the chip refuses the grid, if
  // an earlier launch since the last reset did not end with `done`, or if several threads cannot run the chip.
  launch_result launch(const launch::launch_parameters& parameters);
  // Ends the running launch with `stopped`: before the next instant, or at the end of the present window if drivers
  // run by themselves. For observers, on the thread of SystemC.
  void stop();
  // The same at the end of the present window (tlm_bus/clocking.h). It may be called on any thread that runs a part
  // of the chip.
  void stop_at_window_end();

  // Resets the chip, also after a fault or a hang: then the device is as it was before its first launch, but memory
  // keeps what it holds, at the same addresses, and simulated time goes on for two windows. Throws input_error if
  // the chip has a part that cannot be reset.
  void reset();

  // For observers, statistics and tests. Modules may be added beside the chip until the first copy or launch.
  model::chip& chip() { return *chip_; }
  const model::chip& chip() const { return *chip_; }
  // The grid of the running or last launch.
  const model::grid_descriptor& grid() const { return grid_; }
  const launch::launch_parameters& parameters() const { return parameters_; }

 private:
  // Maps all unmapped pages below `end` to physical memory at a constant offset.
  void map_below(std::uint64_t end, std::uint64_t storage);
  std::uint64_t room_for_global_memory() const;
  void check_room(std::uint32_t address, std::uint64_t bytes) const;
  std::uint64_t physical(std::uint32_t address, std::size_t bytes) const;
  void map_local_memory(model::grid_descriptor& grid);
  void write_page_tables();
  model::grid_descriptor describe(const launch::launch_parameters& parameters);
  void place_parameters(const launch::launch_parameters& parameters, model::grid_descriptor& grid);
  void describe_sections(const cubin::kernel& kernel, model::grid_descriptor& grid) const;
  void describe_warps(const launch::launch_parameters& parameters, model::grid_descriptor& grid) const;
  void write_launch_constants();
  void require_threads() const;
  std::string explanation_of_hang();
  void run(launch_result& result);

  device_options options_;
  std::unique_ptr<model::chip> chip_;
  model::program_placement placement_;
  std::vector<model::memory_image> images_;  // written at the start
  model::stack_layout stack_;
  launch::device_allocator allocator_;
  std::uint64_t local_mapped_ = 0;   // bytes
  std::uint64_t global_mapped_ = 0;  // bytes from first_device_address on
  std::vector<model::texture_binding> textures_;
  // Fermi: c0 and c1 of the launch that runs. Grids run one after the other, so one place will do.
  std::array<model::constant_binding, 2> launch_constants_ = {};
  launch::launch_parameters parameters_;
  model::grid_descriptor grid_;
  bool started_ = false;
  bool launched_ = false;
  std::atomic<bool> stop_requested_{false};
  bool usable_ = true;  // every launch so far has ended with `done`
};

}  // namespace gt200
