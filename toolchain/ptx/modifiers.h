// Which modifiers instructions have, and which target was the first with an instruction or modifier (PTX ISA 8.7).
#pragma once

#include <string>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// Why the statement has a modifier that is not read, for a message; empty if all are. Of instructions that compute;
// accesses to memory and control have hints, which may be ignored.
std::string modifier_refusal(const statement& s);

// "sm_61"; empty if PTX has no such instruction.
std::string first_target_of(const std::string& instruction);

}  // namespace gt200::ptx
