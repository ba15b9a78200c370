// Small kernels that use every part of the chip, to see whether a configuration key has an effect.
#pragma once

#include <string>

namespace gt200::keys {

struct probe {
  std::string program;  // assembly
  std::string launch;   // launch.toml, for probe.s
};

// `name` is one of
//   arithmetic  SP, SFU and DP in flight together, s[] operands, conflicts in shared memory, barriers; 2 blocks of
//               256 threads per SM of the small chip, and more waiting
//   control     divergence, calls, a loop that lanes leave one by one
//   nesting     nested divergent branches, 30 deep
//   guards      instructions that no lane executes
//   memory      loads, stores and atomics, coalesced and scattered, over 24 MB
//   constants   c0 at many addresses, twice over 40 KB
//   texture     texels of linear memory, spread over 256 KB, then repeatedly over 7 KB, then in four lines of one
//               set
//   array       texels spread over a two-dimensional array of 256 KB
//   code        38 KB of straight code, twice
//   loop        5 KB of code, eight times
//   registers, shared, barriers   more blocks than an SM holds, because of one of these limits
//   local       local memory of every thread
//   pages       loads from 12 pages far apart and 12 neighbours, three times
//   volta       code of sm_70 for every unit of its processing blocks
//   sections    warps that share registers over time
//   recursion   a function that calls itself 24 times
probe make_probe(const std::string& name);

}  // namespace gt200::keys
