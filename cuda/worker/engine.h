// What runs grids: the cycle model, the emulator or the processor of the host. Each has device memory of their own;
// the machine (machine.h) moves the content to the engine that runs next.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "cuda/worker/heap.h"
#include "cuda/worker/program.h"
#include "cuda/worker/schedule.h"
#include "toolchain/launch/abi.h"

namespace gt200::cudart {

// What a device has, in the order in which it got it. Engines take over what is new before they run.
struct inventory {
  struct extent {
    heap::kind what;
    std::uint32_t address;
    std::uint64_t bytes;
  };
  std::vector<extent> extents;  // of memory; they never overlap
  std::list<program> programs;  // addresses of programs are stable
};

// What a launch may take; 0: as much as it needs.
struct launch_limits {
  std::uint64_t cycles = 0;        // core cycles, of the model
  std::uint64_t instructions = 0;  // warp instructions, of model and emulator
};

struct grid_result {
  enum class end { done, fault, hang, limit, interrupted, difference, refused } reason = end::done;
  std::string report;  // unless done
  std::uint64_t cycles = 0;
  std::uint64_t femtoseconds = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  bool is_estimated = false;  // the time is not that of the model
  double ipc = 0;             // warp instructions per core cycle and SM; of the model
  std::string bound_by;       // of the model: why most slots with a warp went empty
};

// What is special about one launch.
struct launch_circumstances {
  // They have moved their bytes; they matter to an engine for the time that they take of its memory.
  std::vector<copy_beside> copies;
  bool is_cooperative = false;  // blocks wait for each other
};

class engine {
 public:
  virtual ~engine() = default;
  // Maps memory and loads programs that are new, and takes over constants that the host has changed.
  virtual void take_over(const inventory& all) = 0;
  // Memory that has been mapped.
  virtual void write(std::uint32_t address, const std::uint8_t* from, std::size_t bytes) = 0;
  virtual void read(std::uint32_t address, std::uint8_t* to, std::size_t bytes) = 0;
  // Runs a grid that check_grid() accepts to its end.
  virtual grid_result run(const program& code, const launch::launch_parameters& grid,
                          const launch_circumstances& around) = 0;
};

}  // namespace gt200::cudart
