// Appends operations of Volta to the current block of a function.
#pragma once

#include "toolchain/ptx/volta/machine_code.h"

namespace gt200::ptx::volta {

// Truth tables of LOP3 with two inputs: a is 0xf0, b 0xcc, c 0xaa.
inline constexpr std::uint8_t table_of_a = 0xf0;
inline constexpr std::uint8_t table_of_b = 0xcc;
inline constexpr std::uint8_t table_of_c = 0xaa;

class writer : public word_writer<writer, machine_function, isa::volta::logic_op> {
 public:
  using word_writer::word_writer;
  static constexpr std::uint32_t low_bits_of_wide_immediates = 0;
  static constexpr std::size_t predicate_slot = volta::predicate_slot;
  static constexpr unsigned longest_mask = 31;  // bits of an immediate

  static value zero() { return value::of({}); }

  void make_add(word_ref d, value a, value b) { emit(opcode::iadd3, d, {a, b, zero()}); }
  void make_subtract(word_ref d, value a, value b);
  void make_multiply(word_ref d, value a, value b) { emit(opcode::imad, d, {a, b, zero()}); }
  void make_logic(word_ref d, logic_op op, value a, value b);
  void make_shift_left(word_ref d, value a, value count);
  void make_shift_right(word_ref d, value a, value count, bool arithmetic);
  void make_extreme(word_ref d, bool maximum, value a, value b, bool is_signed);
  void make_field(word_ref d, value v, unsigned first, unsigned length, bool is_signed);

  // A bit of the result for each combination of the bits of the three.
  value logic3(std::uint8_t table, value a, value b, value c);
  // The pair high:low, shifted; its upper or lower word.
  value funnel_left(value low, value high, value count, bool upper);
  value funnel_right(value low, value high, value count, bool upper, bool arithmetic);
};

}  // namespace gt200::ptx::volta
