// Random structured programs, each in both conventions of divergence: join marks where paths reconverge, or `.S`
// the end of each path. Both texts compute the same, whatever the order of paths.
//
// They nest ifs with one or two sides, loops left by a branch and by break, breaks out of ifs, calls, and lanes
// that exit within a region. `.S` stands on nop and on additions, with and without a guard; branches are divergent
// or uniform. Every program has at least one region that every warp enters.
#pragma once

#include <cstdint>
#include <string>

#include "toolchain/arch_state/tesla/divergence_options.h"

namespace gt200::support {

struct structured_program {
  std::string text;  // of a checked_program(); a thread leaves one word in `out`
  unsigned blocks = 1;
  unsigned threads = 32;
};

// `barriers`: between regions all threads that have not ended exchange words with another warp in shared memory.
structured_program make_structured_program(std::uint64_t seed, arch_state::tesla::divergence_semantics convention,
                                           bool barriers = false);

}  // namespace gt200::support
