// How many registers of a thread hold a value that is still needed, at every instruction of a kernel. Compared with
// the registers a thread is given, it says what limits occupancy in vain.
//
// From the machine code alone, seen from one thread: what a predicated instruction, or one that writes part of a
// register, leaves standing stays needed. A brk may continue at every target of a prebrk, a ret behind every call.
#pragma once

#include <cstdint>
#include <vector>

namespace gt200::observe {

// Element i: before the instruction at 4 i bytes; 0 where none begins.
std::vector<unsigned> live_registers(const std::vector<std::uint32_t>& code);

}  // namespace gt200::observe
