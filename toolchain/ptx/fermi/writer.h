// Appends operations to the current block of a function.
#pragma once

#include <initializer_list>

#include "toolchain/ptx/fermi/machine_code.h"

namespace gt200::ptx::fermi {

// A source as lowering sees it. legalise() decides later whether an operation can take it in this place.
struct value {
  isa::fermi::operand code;
  word_ref reg;
  bool is_immediate() const { return code.kind == isa::fermi::operand_kind::immediate; }
  bool is_register() const { return code.kind == isa::fermi::operand_kind::gpr && reg.reg >= 0; }
  bool is_constant() const { return code.kind == isa::fermi::operand_kind::constant; }
  std::uint32_t immediate() const { return static_cast<std::uint32_t>(code.value); }
};

value reg(word_ref r, std::uint8_t words = 1);
value imm(std::uint32_t bits);
value zero(std::uint8_t words = 1);  // the register that reads as zero
value constant_word(std::uint8_t bank, std::uint32_t offset);
value negated(value v);   // a floating-point number
value absolute(value v);  // the same
value inverted(value v);

// condition < 0: always true.
struct predicate {
  int condition = -1;
  bool inverted = false;
};

enum comparison : unsigned { less = 1, equal = 2, less_or_equal = 3, greater = 4, different = 5, not_less = 6 };

class writer {
 public:
  explicit writer(machine_function& f) : function_(f) {}

  int current() const { return current_; }
  block& here() { return function_.blocks[static_cast<std::size_t>(current_)]; }
  int add_block();
  void continue_in(int b) { current_ = b; }
  void jump(int to);
  void branch(const predicate& p, bool on_false, int taken, int next, bool uniform);
  void set_line(unsigned line) { line_ = line; }

  word_ref word() { return {function_.add_register(register_class::general), 0}; }
  word_ref tuple(std::uint8_t words) { return {function_.add_register(register_class::general, words), 0}; }
  predicate new_predicate() { return {function_.add_register(register_class::condition), false}; }
  int carry() { return function_.add_register(register_class::address); }

  // The reference is valid until the next operation is added. `words`: of the destination.
  operation& emit(isa::fermi::opcode op, word_ref destination, std::initializer_list<value> sources,
                  std::uint8_t words = 1);
  // One that writes predicates; `second` gets the opposite comparison.
  operation& emit_test(isa::fermi::opcode op, const predicate& to, std::initializer_list<value> sources,
                       const predicate& second = {});
  static void guard(operation& o, const predicate& p);
  static void set_source(operation& o, std::size_t k, const predicate& p);

  void move(word_ref to, value from);
  void move_where(const predicate& p, word_ref to, value from);
  value copy(value from);         // in a register
  value in_register(value from);  // a copy unless it is in one
  // Both words as one operand of 64 bits.
  value pair(value low, value high);

  value add(value a, value b);
  value subtract(value a, value b);
  value multiply(value a, value b);  // low 32 bits
  value logic(isa::fermi::logic_op op, value a, value b);
  value shift_left(value a, value count);
  value shift_right(value a, value count, bool arithmetic);
  value extreme(bool maximum, value a, value b, bool is_signed);
  predicate compare(unsigned condition, value a, value b, bool is_signed);
  value choose(const predicate& p, value when_true, value when_false);
  // Fields of a word; bit 0 is the lowest.
  value field(value v, unsigned first, unsigned length, bool is_signed);

 private:
  machine_function& function_;
  int current_ = 0;
  unsigned line_ = 0;
};

}  // namespace gt200::ptx::fermi
