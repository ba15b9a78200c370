// Random programs that use the whole instruction set, to compare model and emulator.
//
// Their results have no meaning. They use every row of the opcode table, branches and loops with break nested four
// deep, calls within calls, quadon, barriers (also split into arrival and wait), locks, atomics, textures, and $a
// from registers, from zero and from one another. Blocks have at least four warps.
#pragma once

#include <cstdint>

#include "testbenches/system/checked/front_end_run.h"

namespace gt200::support {

enum class program_kind : std::uint8_t {
  race_free,  // by construction: results do not depend on the order of warps
  racing,     // loads, stores, atomics and locks of all threads on the same words; reads $clock and the like
  faulting    // ends in a trap of one warp
};
const char* name_of(program_kind kind);

struct random_program : checked_program_text {
  program_kind kind = program_kind::race_free;
};

inline constexpr unsigned random_output_bytes = 32;  // of `out` that belong to a thread when there are no races

random_program make_random_program(std::uint64_t seed);

}  // namespace gt200::support
