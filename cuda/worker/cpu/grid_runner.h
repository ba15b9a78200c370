// Runs a grid on threads of the host, each with a block at a time.
#pragma once

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "cuda/worker/cpu/block_runner.h"
#include "cuda/worker/cpu/device_functions.h"

namespace gt200::cudart {

struct cpu_grid {
  void (*entry)(const void* parameters) = nullptr;
  void (*enter)(gt200_cpu_place* place) = nullptr;  // tells the code where the thread that calls it keeps its place
  const void* parameters = nullptr;
  gt200_cpu_index blocks{};   // of the grid
  gt200_cpu_index threads{};  // of a block
  bool flushes = false;       // denormal numbers are zeros
  const cpu_textures* textures = nullptr;
};

struct cpu_grid_end {
  block_runner::end how = block_runner::end::done;
  std::string report;  // unless done: of the first block, by its number, that failed
};

// Takes as many threads as there are runners. Blocks begin in the order of their numbers. The grid ends when *stop
// is no longer 0.
cpu_grid_end run_grid(const cpu_grid& grid, const std::vector<std::unique_ptr<block_runner>>& runners,
                      const volatile std::sig_atomic_t* stop);

}  // namespace gt200::cudart
