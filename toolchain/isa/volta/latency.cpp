#include "toolchain/isa/volta/latency.h"

#include <array>

#include "toolchain/isa/volta/codec.h"

namespace gt200::isa::volta {
namespace {

constexpr unsigned readers = static_cast<unsigned>(reader_class::count_);
constexpr unsigned volta_memory = 2;  // more than on Turing

// Rows: writers. Columns: alu, fma, wide factor, wide sum low, wide sum high, fp64, fp16, varies, memory.
constexpr std::array<std::array<std::uint8_t, readers>, result_classes> register_cycles = {{
    {4, 5, 5, 5, 3, 6, 6, 6, 6 + volta_memory},
    {5, 4, 4, 4, 2, 6, 6, 6, 6 + volta_memory},
    {3, 2, 4, 2, 2, 6, 6, 6, 6 + volta_memory},
    {5, 4, 6, 2, 2, 6, 6, 6, 6 + volta_memory},
    {6, 6, 6, 6, 4, 6, 6, 6, 6 + volta_memory},
    {9, 9, 9, 9, 7, 8, 9, 9, 9 + volta_memory},
    {8, 8, 8, 8, 6, 8, 6, 8, 8 + volta_memory},
}};

// Latencies of predicates: as guard, and as source of an instruction of fixed time.
constexpr unsigned guard_of_fixed = 12;
constexpr unsigned guard_of_double = 15;
constexpr unsigned guard_of_half = 14;
constexpr unsigned compare_of_double = 9;
constexpr unsigned compare_of_half = 8;

}  // namespace

result_class result_class_of(const instruction& i, unsigned word) {
  if (has_variable_latency(i)) return result_class::varies;
  switch (i.op) {
    case opcode::fadd:
    case opcode::fmul:
    case opcode::ffma:
    case opcode::imad:
    case opcode::idp: return result_class::fma;
    case opcode::imad_wide: return word == 0 ? result_class::wide_low : result_class::wide_high;
    case opcode::dadd:
    case opcode::dmul:
    case opcode::dfma:
    case opcode::dsetp: return result_class::fp64;
    case opcode::hadd2:
    case opcode::hmul2:
    case opcode::hfma2:
    case opcode::hset2:
    case opcode::hsetp2: return result_class::fp16;
    case opcode::cs2r: return i.wide ? result_class::clock64 : result_class::alu;
    default: return result_class::alu;
  }
}

reader_class reader_class_of(const instruction& i, unsigned slot, unsigned word) {
  if (i.access.kind != access_kind::none) return reader_class::memory;
  if (has_variable_latency(i) || i.concerns_divergence() || i.op == opcode::vote) return reader_class::varies;
  switch (result_class_of(i, 0)) {
    case result_class::fma: return reader_class::fma;
    case result_class::fp64: return reader_class::fp64;
    case result_class::fp16: return reader_class::fp16;
    case result_class::wide_low:
      if (slot < 2) return reader_class::wide_factor;
      return word == 0 ? reader_class::wide_sum_low : reader_class::wide_sum_high;
    default: return reader_class::alu;
  }
}

unsigned register_latency(result_class writer, reader_class reader) {
  if (writer >= result_class::count_) return 0;
  return register_cycles[static_cast<unsigned>(writer)][static_cast<unsigned>(reader)];
}

unsigned predicate_latency(result_class writer, reader_class reader, bool as_guard) {
  const bool is_double = writer == result_class::fp64;
  const bool is_half = writer == result_class::fp16;
  if (as_guard || reader == reader_class::varies || reader == reader_class::memory)
    return is_double ? guard_of_double : is_half ? guard_of_half : guard_of_fixed;
  if (is_double) return compare_of_double;
  if (is_half) return compare_of_half;
  return reader == reader_class::alu ? 4 : 5;
}

}  // namespace gt200::isa::volta
