// Appends operations of Fermi to the current block of a function.
#pragma once

#include "toolchain/ptx/fermi/machine_code.h"

namespace gt200::ptx::fermi {

class writer : public word_writer<writer, machine_function, isa::fermi::logic_op> {
 public:
  using word_writer::word_writer;
  static constexpr std::uint32_t low_bits_of_wide_immediates = 0xfff;  // they must be zero
  static constexpr std::size_t predicate_slot = fermi::predicate_slot;
  static constexpr unsigned longest_mask = 19;  // bits of an immediate

  void make_add(word_ref d, value a, value b) { emit(opcode::iadd, d, {a, b}); }
  void make_subtract(word_ref d, value a, value b);
  void make_multiply(word_ref d, value a, value b) { emit(opcode::imul, d, {a, b}); }
  void make_logic(word_ref d, logic_op op, value a, value b) { emit(opcode::lop, d, {a, b}).code.logic = op; }
  void make_shift_left(word_ref d, value a, value count) { emit(opcode::shl, d, {a, count}); }
  void make_shift_right(word_ref d, value a, value count, bool arithmetic) {
    emit(opcode::shr, d, {a, count}).code.is_signed = arithmetic;
  }
  void make_extreme(word_ref d, bool maximum, value a, value b, bool is_signed);
  void make_field(word_ref d, value v, unsigned first, unsigned length, bool is_signed) {
    emit(opcode::bfe, d, {v, value::number(length << 8 | first)}).code.is_signed = is_signed;
  }
};

}  // namespace gt200::ptx::fermi
