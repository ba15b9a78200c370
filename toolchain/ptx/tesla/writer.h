// Appends operations to the current block of a function.
#pragma once

#include <initializer_list>

#include "toolchain/ptx/tesla/machine_code.h"

namespace gt200::ptx::tesla {

// A source as lowering sees it. legalise() decides later whether an operation can take it in this place.
struct value {
  isa::tesla::operand code;
  word_ref reg;
  bool is_immediate() const { return code.kind == isa::tesla::operand_kind::immediate; }
  std::uint32_t immediate() const { return static_cast<std::uint32_t>(code.value); }
};

value reg(word_ref r);
value imm(std::uint32_t bits);
value shared_word(std::uint32_t offset, isa::data_type type = isa::data_type::b32);
value constant_word(std::uint8_t space, std::uint32_t offset);
value low_half(value v, bool is_signed = false);
value high_half(value v, bool is_signed = false);
value negated(value v);  // a floating-point number
value inverted(value v);
value pair_of(word_ref first);  // two or four words of one register
value quad_of(word_ref first);

// A predicate is kept twice: as $c for guards and branches, and as 0 / -1 for logic. An unused form disappears.
struct predicate {
  int condition = -1;
  word_ref mask;
};

class writer {
 public:
  explicit writer(machine_function& f) : function_(f) {}

  machine_function& function() { return function_; }
  int current() const { return current_; }
  block& here() { return function_.blocks[static_cast<std::size_t>(current_)]; }
  int add_block();
  void continue_in(int b) { current_ = b; }
  void jump(int to);
  void branch(const predicate& p, bool on_false, int taken, int next, bool uniform);
  void set_line(unsigned line) { line_ = line; }

  word_ref word() { return {function_.add_register(register_class::general), 0}; }
  word_ref tuple(std::uint8_t words) { return {function_.add_register(register_class::general, words), 0}; }
  int condition() { return function_.add_register(register_class::condition); }
  predicate new_predicate() {
    const predicate p = {condition(), word()};
    function_.registers[static_cast<std::size_t>(p.condition)].mask = p.mask.reg;
    return p;
  }

  // The reference is valid until the next operation is added.
  operation& emit(isa::tesla::opcode op, word_ref destination, std::initializer_list<value> sources);
  operation& emit_wide(isa::tesla::opcode op, word_ref destination, isa::data_type type,
                       std::initializer_list<value> sources);
  operation& emit_guarded(isa::tesla::opcode op, word_ref destination, std::initializer_list<value> sources,
                          const predicate& p, bool when = true);

  void move(word_ref to, value from);
  void move_where(const predicate& p, bool when, word_ref to, value from);
  value copy(value from);  // in a register

  value add(value a, value b);
  value subtract(value a, value b);
  value multiply(value a, value b);    // low 32 bits
  value multiply16(value a, value b);  // halves -> 32 bits
  value multiply_add16(value a, value b, value c);
  value logic(isa::tesla::logic_op op, value a, value b);
  value shift_left(value a, value count);
  value shift_right(value a, value count, bool arithmetic);
  value minimum(isa::tesla::opcode op, value a, value b, bool is_signed);
  predicate compare(unsigned condition, value a, value b, bool is_signed);  // 1 less, 2 equal, 4 greater
  predicate predicate_of(value mask);                                       // 0 / -1, or any word: true if not zero
  value choose(const predicate& p, value when_true, value when_false);

 private:
  void place(operation& o, std::size_t slot, const value& v);
  machine_function& function_;
  int current_ = 0;
  unsigned line_ = 0;
};

}  // namespace gt200::ptx::tesla
