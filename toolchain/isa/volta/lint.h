// Checks control codes against latencies, over all paths of a kernel, without executing it.
//
// The compiler owes the hardware, which does not check:
//   - a stall count between a result of fixed time and its reader (latency.h);
//   - a write barrier on instructions of varying time with results, awaited before these are read or written again;
//   - a read barrier on instructions of varying time, awaited before their sources are written again. Waiting for
//     the write barrier of the same instruction will do;
//   - a cycle between an instruction that sets a barrier and one that waits for it: a stall of two, or a yield;
//   - no write between a source that is kept for reuse and its next use in the same operand slot;
//   - no stall above 11 without yield (Huerta 2025: it would last one or two cycles).
//
// Stalls count from issue to issue and are the least time; what a taken branch costs beyond its stall is not
// counted. Behind a call everything is taken as complete; brx and ret are not followed. depbar with a count above
// zero is not taken as a wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

struct lint_finding {
  code_address at = 0;
  std::string reason;  // "reads R5 2 cycles too early", without the instruction
};

// `code`: machine words from address 0 on. Findings in the order of their addresses. Words that do not decode end a
// path and are a finding.
std::vector<lint_finding> lint(const std::vector<std::uint32_t>& code);

// Codes that are longer than the contract needs: stalls, waits and barriers whose shortening or removal, one at a
// time and all others as they are, brings no finding of lint(). Two that stand in for each other are both named.
// Not judged: yield, reuse, instructions that no path reaches, and those of branches and barriers, for whose time
// lint has no table. Takes about two runs of lint() per instruction.
std::vector<lint_finding> longer_than_needed(const std::vector<std::uint32_t>& code);

}  // namespace gt200::isa::volta
