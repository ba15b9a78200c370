// Recursive calls and calls through a pointer, with a stack per thread in local memory.
//
// All other functions are inlined where they are called. A kernel that may call one of these gets their bodies
// behind its own, once each, and goes there and back by branches: the hardware need not know calls.
//
//   A frame of the stack has the number of the call to come back to, the local variables of the function, and what
//   it still needs when it calls another one. A call writes its number into the next frame; a return reads it and
//   branches to the place behind that call. Arguments and results are in registers of the kernel.
//
//   The address of a function is its number in the module, from 1. A call through a pointer compares it with those
//   of all functions whose address the module takes; another number is a trap, and so is a full stack.
#pragma once

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

inline constexpr std::uint64_t call_stack_bytes = 4096;  // of a thread, in kernels with such calls (assumption)

// Replaces the addresses of functions by their numbers, and the bodies of the kernels that need a stack. Throws
// input_error, in the form of source_file, for parameters in registers and for an unknown function.
void put_calls_on_stack(module_source& module, const source_file& file);

}  // namespace gt200::ptx
