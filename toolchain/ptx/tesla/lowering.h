// Lowers one PTX kernel to Tesla operations on virtual registers. Device functions are inlined where they are
// called.
//
// A PTX register of up to 32 bits is one word, whose bits above its type are undefined. A register of 64 bits is
// two words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/structure.h"
#include "toolchain/ptx/tesla/writer.h"

namespace gt200::ptx::tesla {

// Types and limits of this target for structure.h.
struct machine {
  using function = machine_function;
  using writer = tesla::writer;
  using value = tesla::value;
  using predicate = tesla::predicate;
  static constexpr const cubin::architecture& architecture = cubin::tesla;
  static constexpr bool pairs = false;
  static constexpr pointee windowless = pointee::special;
  static value word(word_ref r) { return reg(r); }
};

}  // namespace gt200::ptx::tesla

extern template class gt200::ptx::structure<gt200::ptx::tesla::machine>;

namespace gt200::ptx::tesla {

class lowering final : public structure<machine> {
 public:
  using structure::structure;

  // Fills the function and the parameters of `kernel`. Throws input_error.
  void run(const function& entry, cubin::kernel& kernel);

 private:
  // lower_function.cpp
  void lower_instruction(const statement& s) override;
  void lower_barrier(const statement& s);
  void lower_trap(const statement& s);

  // Operands (lower_operand.cpp)
  value source(const operand& o, scalar type);               // up to 32 bits
  wide source_wide(const operand& o, scalar type) override;  // 64 bits
  value extended(const operand& o, scalar type);             // 8 and 16 bits widened to 32 as the type says
  value extend(value v, scalar type);
  std::optional<value> special_register(const std::string& name);
  // Writes to a register under the guard of the statement.
  void assign(const operand& o, value v);
  void assign_wide(const operand& o, wide v);
  // Writes a number of `type` (at at_most 32 bits, already extended to them). A longer register gets its sign or
  // zeros.
  void assign_number(const operand& o, value v, scalar type);
  predicate predicate_source(const operand& o);  // a register, "!" and a register, or a number
  void assign_predicate(const operand& o, const predicate& p);
  void assign_words(word_ref to, value v);

  // Groups of instructions; each returns false if the name belongs to another group.
  bool lower_memory(const statement& s);  // lower_memory.cpp
  bool lower_move(const statement& s);
  void convert_address();
  bool lower_integer(const statement& s);  // lower_integer.cpp
  bool lower_carry(const statement& s);
  bool lower_bits(const statement& s);       // lower_bits.cpp
  bool lower_predicate(const statement& s);  // lower_predicate.cpp
  bool lower_float(const statement& s);      // lower_float.cpp
  struct quotient {
    value dividend, divisor;
  };
  quotient within_reach_of_rcp(value dividend, value divisor);
  value saturated(value v);  // .f32, clamped to 0..1
  value flushed(value v);  // .f32, clamped to 0..1
  void note_exact_fma();
  bool lower_double(const statement& s);   // lower_double.cpp
  bool lower_convert(const statement& s);  // lower_convert.cpp
  bool lower_atomic(const statement& s);   // lower_atomic.cpp
  bool lower_texture(const statement& s);
  void lower_shared_atomic(const statement& s, isa::atomic_op op, scalar t);
  value combined(isa::atomic_op op, value old, value v, value other, bool is_signed);
  void read_back_store(const value& to, isa::data_type type);
  void lower_fence();

  void load(const statement& s);
  void store(const statement& s);
  value memory_operand(const operand& address, state_space space, std::uint32_t offset, isa::data_type type,
                       bool& is_parameter);
  state_space space_of(const operand& address);
  std::uint32_t known_alignment(const operand& address, state_space space);
  value load_pieces(const operand& address, state_space space, std::uint32_t offset, std::uint32_t size,
                    std::uint32_t piece);
  void load_parameter_bytes(const symbol& from, const operand& address, const operand& to, scalar t);
  word_ref load_element(const operand& address, state_space space, std::uint32_t offset, isa::data_type type);

  wide add_wide(wide a, wide b);
  wide subtract_wide(wide a, wide b);
  wide multiply_wide(value a, value b, bool is_signed);  // 32 x 32 -> 64
  value multiply_high(value a, value b, bool is_signed);
  wide shift_wide(const std::string& name, wide a, value count, bool arithmetic);
  predicate compare_wide(unsigned condition, wide a, wide b, bool is_signed);
  predicate compare_typed(const std::string& condition, const operand& a, const operand& b, scalar t);
  value divide(value a, value b, bool is_signed, bool remainder);
  value divide_by_power(value a, std::uint32_t divisor, bool is_signed, bool remainder);
  void multiply_instruction(const statement& s, bool with_addend);
  void wide_instruction(const statement& s, scalar t);
  word_ref double_pair(const operand& o, scalar type = scalar::f64);
  wide words_of(word_ref pair) const;
  wide convert_to_wide(value v, scalar from);
  wide clamped(wide v, scalar from, scalar to);
  value widened_f16(value v);
  value narrowed_to_odd(value pair);
  value narrowed(value v, scalar to, const value& pair);
  word_ref saturated_double(word_ref pair);
  predicate combine(isa::tesla::logic_op op, const predicate& a, const predicate& b);
  predicate inverse(const predicate& p) override;

  word_ref thread_index_;  // $r0 at the start
  int carry_ = -1;         // $c with the carry of the last .cc instruction, in block carry_block_
  int carry_block_ = -1;
  bool carry_is_borrow_ = false;
  word_ref fence_;  // loaded after every store, if the kernel has a membar (lower_memory.cpp)
};

}  // namespace gt200::ptx::tesla
