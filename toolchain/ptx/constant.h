// Constant expressions, as PTX has them in operands, addresses, initial values and array sizes: integers of 64 bits
// with or without a sign, and doubles. Source: PTX ISA, "Constant expressions".
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gt200::ptx {

enum class constant_kind : std::uint8_t { s64, u64, f64, f32 };  // f32: the bits of a single, which stand alone

struct constant {
  constant_kind kind = constant_kind::s64;
  std::uint64_t bits = 0;
  bool is_integer() const { return kind == constant_kind::s64 || kind == constant_kind::u64; }
};

// Why an expression has no value, in a form that follows a place.
struct constant_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// From 1 (||) to 10 (* / %), as in C; 0: no operator with two operands.
unsigned precedence_of(const std::string& text);

// "-", "+", "!", "~". Throws constant_error.
constant evaluate(const std::string& op, const constant& a);
// Throws constant_error: division by zero, numbers of different kinds.
constant evaluate(const std::string& op, const constant& a, const constant& b);
// a ? b : c
constant choose(const constant& a, const constant& b, const constant& c);

}  // namespace gt200::ptx
