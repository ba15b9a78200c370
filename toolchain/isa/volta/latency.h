// How many cycles after the issue of a writer its result can be read by the next reader, for results whose time
// does not vary: what stall counts must cover.
//
// Source: the table for Turing in Mesa NAK (sm75_instr_latencies.rs, MIT), which its vendor provided. No table for
// Volta is public. Assumption: the same, but two cycles more for addresses and data of loads and stores; where
// compiled code of sm_70 has shorter distances, those count (docs/isa.md).
#pragma once

#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

enum class result_class : std::uint8_t {
  alu,        // integer sums, logic, shifts, moves, comparisons
  fma,        // single precision and integer multiply-add
  wide_low,   // the lower register of imad.wide
  wide_high,  // the upper one
  clock64,    // cs2r of 64 bits
  fp64,
  fp16,  // half pairs
  count_,
  varies  // needs a dependency barrier
};
inline constexpr unsigned result_classes = static_cast<unsigned>(result_class::count_);

enum class reader_class : std::uint8_t {
  alu,
  fma,
  wide_factor,   // imad.wide: its two factors
  wide_sum_low,  // and its addend
  wide_sum_high,
  fp64,
  fp16,
  varies,  // all that has no fixed time, but for memory
  memory,  // addresses and data
  count_
};

// Beside these, of a predicate that guards an instruction.
inline constexpr std::uint8_t guard_class = static_cast<std::uint8_t>(reader_class::count_);

// Class of word `word` (0 or 1) of the result.
result_class result_class_of(const instruction& i, unsigned word);
// Class of word `word` of source `slot`.
reader_class reader_class_of(const instruction& i, unsigned slot, unsigned word);

// Cycles from issue to issue.
unsigned register_latency(result_class writer, reader_class reader);
// `as_guard`: the predicate guards the reader, or the reader is a branch, a vote or of varying time.
unsigned predicate_latency(result_class writer, reader_class reader, bool as_guard);

}  // namespace gt200::isa::volta
