// The assembly syntax of the opcode table for human readers: what can be written, not how it is encoded.
#pragma once

#include <string>

#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {

// One row as a pattern, such as "add b32 [sat] [$c] $r|# {$r | T s[]} {$r | c[]}".
//   [x]     optional                  $r $rl $rd $rq   register: 32 bits, half (l or h), pair, quad
//   {x | y} one of them               T                u8, u16, s16 or b32: how an s[] operand is read
//   #       bit bucket
std::string pattern_of(const row& r);

}  // namespace gt200::isa::tesla
