// Effect of one lane of an atomic instruction on memory. Source of the 64-bit restriction: envytools hwtest atom64.
#pragma once

#include <cstdint>
#include <cstring>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

// New content of the word. `value` is the operand (for cas the value compared with), `swap` the new value of cas.
constexpr std::uint32_t atomic_result(isa::atomic_op op, bool is_signed, std::uint32_t old, std::uint32_t value,
                                      std::uint32_t swap) {
  const auto less = [is_signed](std::uint32_t a, std::uint32_t b) {
    return is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  };
  switch (op) {
    case isa::atomic_op::add: return old + value;
    case isa::atomic_op::exch: return value;
    case isa::atomic_op::cas: return old == value ? swap : old;
    case isa::atomic_op::inc: return old >= value ? 0 : old + 1;
    case isa::atomic_op::dec: return old == 0 || old > value ? value : old - 1;
    case isa::atomic_op::max: return less(old, value) ? value : old;
    case isa::atomic_op::min: return less(value, old) ? value : old;
    case isa::atomic_op::and_: return old & value;
    case isa::atomic_op::or_: return old | value;
    case isa::atomic_op::xor_: return old ^ value;
  }
  return old;
}

// Addition in single precision, rounded to nearest; denormal terms and results become zeros of their sign (PTX,
// atom.add.f32 on global memory). NaN results are 0x7fffffff.
inline std::uint32_t atomic_float_sum(std::uint32_t old, std::uint32_t value) {
  constexpr std::uint32_t exponent = 0x7f800000;
  constexpr std::uint32_t nan = 0x7fffffff;
  const auto flushed = [](std::uint32_t x) { return (x & exponent) == 0 ? x & 0x80000000u : x; };
  const std::uint32_t bits[2] = {flushed(old), flushed(value)};
  float terms[2];
  std::memcpy(terms, bits, sizeof terms);
  const float sum = terms[0] + terms[1];
  std::uint32_t result = 0;
  std::memcpy(&result, &sum, sizeof result);
  return (result & nan) > exponent ? nan : flushed(result);
}

// 64 bits: add, exch and cas; the other operations leave memory unchanged.
constexpr std::uint64_t atomic_result64(isa::atomic_op op, std::uint64_t old, std::uint64_t value,
                                        std::uint64_t swap) {
  switch (op) {
    case isa::atomic_op::add: return old + value;
    case isa::atomic_op::exch: return value;
    case isa::atomic_op::cas: return old == value ? swap : old;
    default: return old;
  }
}

}  // namespace gt200::arch_state
