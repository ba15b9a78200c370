#include "rtl_ref/sp/control.h"

#include <optional>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::rtl {
namespace {

using isa::tesla::as_tesla;
using isa::tesla::cvt_kind;
using isa::tesla::half;
using isa::tesla::instruction;
using isa::tesla::opcode;

enum product : std::uint8_t { product_16, product_24_low, product_24_high };

std::optional<sp_operation> operation_of(const instruction& i) {
  switch (i.op) {
    case opcode::mov:
    case opcode::mov_from_sr: return sp_operation::move;
    case opcode::mov_from_c: return sp_operation::flags_to_value;
    case opcode::mov_to_c: return sp_operation::value_to_flags;
    case opcode::mov_from_a: return sp_operation::address_to_value;
    case opcode::shl_to_a: return sp_operation::shift_to_address;
    case opcode::add_to_a: return sp_operation::add_to_address;
    case opcode::add:
    case opcode::sub:
    case opcode::subr:
    case opcode::addc: return sp_operation::add;
    case opcode::mul:
    case opcode::mul24: return sp_operation::multiply;
    case opcode::mad:
    case opcode::mad24: return sp_operation::multiply_add;
    case opcode::sad: return sp_operation::distance_add;
    case opcode::min: return sp_operation::minimum;
    case opcode::max: return sp_operation::maximum;
    case opcode::set: return sp_operation::set;
    case opcode::shl: return sp_operation::shift_left;
    case opcode::shr: return sp_operation::shift_right;
    case opcode::logic: return sp_operation::bitwise;
    case opcode::fadd: return sp_operation::float_add;
    case opcode::fmul: return sp_operation::float_multiply;
    case opcode::fmad: return sp_operation::float_multiply_add;
    case opcode::fset: return sp_operation::float_set;
    case opcode::fmin: return sp_operation::float_minimum;
    case opcode::fmax: return sp_operation::float_maximum;
    case opcode::fslct: return sp_operation::float_select;
    case opcode::presin: return sp_operation::reduce_sine;
    case opcode::preex2: return sp_operation::reduce_power;
    case opcode::cvt:
      switch (i.cvt) {
        case cvt_kind::i2i: return sp_operation::integer_to_integer;
        case cvt_kind::i2f: return sp_operation::integer_to_float;
        case cvt_kind::f2i: return sp_operation::float_to_integer;
        case cvt_kind::f2f: return sp_operation::float_to_float;
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

std::uint8_t combine_of(const instruction& i) {
  switch (i.op) {
    case opcode::sub: return static_cast<std::uint8_t>(isa::tesla::addend_mode::sub);
    case opcode::subr: return static_cast<std::uint8_t>(isa::tesla::addend_mode::subr);
    default: return static_cast<std::uint8_t>(i.addend);
  }
}

std::uint8_t product_of(const instruction& i) {
  if (i.op == opcode::mul || i.op == opcode::mad) return product_16;
  return i.high ? product_24_high : product_24_low;
}

// 0, 1 or 2 for 8, 16 or 32 bits.
std::uint8_t size_of(isa::data_type type) { return static_cast<std::uint8_t>(isa::bytes_of(type) / 2); }

bool narrow(const instruction& i) {
  if (i.op != opcode::cvt) return i.is_16bit;
  // A half of a register keeps results of 8 bits too.
  return bytes_of(i.destination_type) == 2 ||
         (i.cvt == cvt_kind::i2i && (i.destination.part != half::whole || bytes_of(i.destination.type) == 2));
}

template <class Attribute>
std::uint8_t bits_of_sources(const instruction& i, Attribute attribute) {
  unsigned bits = 0;
  for (unsigned k = 0; k < i.source.size(); ++k) bits |= (i.source[k].*attribute ? 1u : 0u) << k;
  return static_cast<std::uint8_t>(bits);
}

}  // namespace

bool supported(const isa::instruction& any) {
  const instruction& i = as_tesla(any);
  return (i.unit == isa::unit_class::sp || i.unit == isa::unit_class::sp_mul ||
          i.unit == isa::unit_class::shared_move) &&
         i.execute != nullptr && operation_of(i).has_value();
}

sp_control control_of(const isa::instruction& any) {
  using isa::tesla::operand;
  const instruction& i = as_tesla(any);
  sp_control c;
  c.operation = operation_of(i).value();
  c.narrow = narrow(i);
  const bool product = c.operation == sp_operation::multiply;
  c.is_signed = product ? i.source_signed[0] : i.op == opcode::shr ? i.arithmetic_shift : i.is_signed;
  c.y_signed = i.op == opcode::mul ? i.source_signed[1] : c.is_signed;
  c.source_signed = i.source_signed[0];
  c.saturate = i.saturate;
  c.integral = i.integral_round;
  c.negate = bits_of_sources(i, &operand::negate);
  c.absolute = bits_of_sources(i, &operand::absolute);
  c.invert = bits_of_sources(i, &operand::invert);
  c.combine = combine_of(i);
  c.bitwise = static_cast<std::uint8_t>(i.logic);
  c.product = product_of(i);
  c.compare = i.compare;
  c.rounding = static_cast<std::uint8_t>(i.round);
  c.source_size = size_of(i.source_type);
  c.result_size = size_of(i.destination_type);
  return c;
}

sp_results results_of(const isa::instruction& any) {
  const instruction& i = as_tesla(any);
  const bool to_address = i.op == opcode::shl_to_a || i.op == opcode::add_to_a;
  return {!to_address && i.op != opcode::mov_to_c, i.writes_condition, to_address};
}

}  // namespace gt200::rtl
