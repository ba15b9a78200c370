// Micro-benchmark kernels as run on silicon: one block, $clock around long sequences of instructions.
//
// $clock counts core cycles, half the shader clock; all results here are shader cycles. Every run is in a child
// process, so a test or a measurement can make many.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::timing {

// Shader cycles at which each warp of the block read $clock before and after the sequence.
struct window {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct sequence {
  std::string setup;              // lines, once before the first pass; $r1 = thread, $r6 and up are free
  std::vector<std::string> body;  // instructions, and labels if the body is not repeated
  unsigned operations = 256;      // how often the body is repeated per pass
};

// Runs the sequence twice with `threads` threads, each time after a barrier, and returns the windows of the second
// pass, when the instruction cache is warm (Wong's pipeline.cu). Throws std::runtime_error when the launch fails.
std::vector<window> run(const config::gpu_config& config, const sequence& what, unsigned threads);

// Shader cycles per repetition of the body, with one thread.
double latency(const config::gpu_config& config, const sequence& what);
// Shader cycles from the first warp's begin to the last one's end, per repetition, with `threads` threads.
double cycles_per_operation(const config::gpu_config& config, const sequence& what, unsigned threads);
// Repetitions by single threads per shader cycle, over all warps.
double throughput(const config::gpu_config& config, const sequence& what, unsigned threads);

}  // namespace gt200::timing
