// At every instruction of a kernel, counts the registers of a thread that hold a value which is still needed.
// Compared with the registers allocated per thread, this shows which of them limit occupancy without need.
//
// The analysis uses the machine code alone, for one thread. A predicated instruction, or one that writes part of a
// register, does not end the life of the old value. A brk may continue at the target of any prebrk, a ret after any
// call.
#pragma once

#include <cstdint>
#include <vector>

namespace gt200::observe {

// Element i is the count before the instruction at byte 4 i; 0 if no instruction begins there.
std::vector<unsigned> live_registers(const std::vector<std::uint32_t>& code);

}  // namespace gt200::observe
