// What an instruction asks of an SP, as fields that the RTL of an SP understands. The caller computes them once per
// instruction. They are those of sp_types.sv, where their meaning is described.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::rtl {

enum class sp_operation : std::uint8_t {
  move,
  flags_to_value,
  value_to_flags,
  address_to_value,
  shift_to_address,
  add_to_address,
  add,
  multiply,
  multiply_add,
  distance_add,
  minimum,
  maximum,
  set,
  shift_left,
  shift_right,
  bitwise,
  float_add,
  float_multiply,
  float_multiply_add,
  float_set,
  float_minimum,
  float_maximum,
  float_select,
  reduce_sine,
  reduce_power,
  integer_to_integer,
  integer_to_float,
  float_to_integer,
  float_to_float
};
inline constexpr unsigned sp_operations = static_cast<unsigned>(sp_operation::float_to_float) + 1;

struct sp_control {
  sp_operation operation = sp_operation::move;
  bool narrow = false;
  bool is_signed = false;
  bool y_signed = false;
  bool source_signed = false;
  bool saturate = false;
  bool integral = false;
  std::uint8_t negate = 0;    // bit k: source k
  std::uint8_t absolute = 0;  // bit k: source k
  std::uint8_t invert = 0;    // bit k: source k
  std::uint8_t combine = 0;
  std::uint8_t bitwise = 0;
  std::uint8_t product = 0;
  std::uint8_t compare = 0;
  std::uint8_t rounding = 0;
  std::uint8_t source_size = 2;
  std::uint8_t result_size = 2;
};

// The results that an operation has.
struct sp_results {
  bool value = false;
  bool flags = false;
  bool address = false;
};

// True for every instruction of the unit classes sp and sp_mul but those that need several lanes: votes and quadop.
bool supported(const isa::instruction& instruction);

// Both for supported instructions of Tesla only.
sp_control control_of(const isa::instruction& instruction);
sp_results results_of(const isa::instruction& instruction);

}  // namespace gt200::rtl
