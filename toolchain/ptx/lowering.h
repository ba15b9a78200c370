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
#include "toolchain/ptx/address_spaces.h"
#include "toolchain/ptx/module_layout.h"
#include "toolchain/ptx/writer.h"

namespace gt200::ptx {

struct lowering_options {
  bool ignore_nearest = false;  // .rn on .f32 sums and products does not count as explicit rounding
  bool demote_f64 = false;      // .f64 is computed as .f32 (map_f64_to_f32)
};

class lowering {
 public:
  lowering(const module_layout& layout, const source_file& file, const lowering_options& options,
           machine_function& target);

  // Fills the function and the parameters of `kernel`. Throws input_error.
  void run(const function& entry, cubin::kernel& kernel);

 private:
  enum class symbol_kind { reg, memory, parameter_bytes };
  struct symbol {
    symbol_kind kind = symbol_kind::reg;
    scalar type = scalar::none;
    std::vector<word_ref> words;  // reg: 1 or 2 (64 bits); parameter_bytes: one per 4 bytes
    predicate flags;              // reg of type .pred
    state_space space = state_space::none;
    std::uint32_t offset = 0;  // memory
  };
  struct scope {
    std::map<std::string, symbol> symbols;
    std::map<std::string, std::pair<symbol, unsigned>> ranges;  // "%r" of "%r<24>"; the number of registers
  };
  // What an inlined call refers to.
  struct frame {
    const function* code = nullptr;
    std::size_t first_scope = 0;
    std::map<std::string, int> labels;
    address_spaces spaces;  // what the registers of its code point to
    int exit_block = -1;    // of an inlined function; -1 in the kernel
  };
  // Words of an operand: one, or two for 64 bits.
  struct wide {
    value low;
    value high;
  };
  using word_list = std::vector<word_ref>;

  // Structure (lower_function.cpp)
  void place_parameters(const function& entry, cubin::kernel& kernel);
  void place_shared(const function& entry);
  void declare_per_thread(const function& entry);
  void lower_body(const function& f, const address_spaces& argument_spaces);
  void declare(const variable& v);
  void lower(const statement& s);
  void lower_branch(const statement& s);
  void lower_return(const statement& s, bool leaves_kernel);
  void lower_call(const statement& s);
  void lower_barrier(const statement& s);
  void lower_trap(const statement& s);
  // Code that only the threads whose guard holds execute. The code itself has no guards, and neither has the rest
  // of the statement.
  template <class body>
  void under_guard(body make, bool uniform = false) {
    if (guard_.condition < 0) return make();
    const int inside = out_.add_block();
    const int after = out_.add_block();
    out_.branch(guard_.condition, true, after, inside, uniform);
    out_.continue_in(inside);
    guard_ = {};
    make();
    out_.jump(after);
    out_.continue_in(after);
  }
  void call_library(const std::string& name);  // with the operands of the current statement
  std::vector<operand> call_list(const statement& s, std::size_t index) const;

  // Symbols and operands (lower_operand.cpp)
  symbol* find(const std::string& name);
  symbol make_register(scalar type);
  symbol& register_named(const operand& o);
  const predicate& predicate_named(const std::string& name, location where);
  value source(const operand& o, scalar type);      // up to 32 bits
  wide source_wide(const operand& o, scalar type);  // 64 bits
  value extended(const operand& o, scalar type);    // 8 and 16 bits widened to 32 as the type says
  value extend(value v, scalar type);
  std::optional<value> special_register(const std::string& name);
  std::uint64_t literal(const operand& o, scalar type) const;
  // Writes to a register under the guard of the statement.
  void assign(const operand& o, value v);
  void assign_wide(const operand& o, wide v);
  // Writes a number of `type` (at at_most 32 bits, already extended to them). A longer register gets its sign or
  // zeros.
  void assign_number(const operand& o, value v, scalar type);
  void assign_predicate(const operand& o, const predicate& p);
  void assign_words(word_ref to, value v);
  std::size_t operand_count(std::size_t at_least, std::size_t at_most) const;
  const operand& at(std::size_t k) const { return statement_->operands[k]; }
  bool has(const char* modifier) const;
  scalar type(std::size_t from_end = 0) const;  // the last type among the modifiers, or an earlier one
  [[noreturn]] void fail(const std::string& reason) const;
  [[noreturn]] void unsupported(const std::string& why) const;

  // Groups of instructions; each returns false if the name belongs to another group.
  bool lower_memory(const statement& s);  // lower_memory.cpp
  bool lower_move(const statement& s);
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
  void note_exact_fma();
  bool lower_double(const statement& s);   // lower_double.cpp
  bool lower_convert(const statement& s);  // lower_convert.cpp
  bool lower_atomic(const statement& s);   // lower_atomic.cpp
  bool lower_texture(const statement& s);
  const placed_variable* texture_named(const std::string& name, unsigned depth = 0) const;
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
  word_ref double_pair(const operand& o);
  wide words_of(word_ref pair) const;
  wide convert_to_wide(value v, scalar from);
  wide clamped(wide v, scalar from, scalar to);
  value widened_f16(value v);
  value narrowed_to_odd(value pair);
  value narrowed(value v, scalar to, const value& pair);
  word_ref saturated_double(word_ref pair);
  predicate combine(isa::tesla::logic_op op, const predicate& a, const predicate& b);
  predicate inverse(const predicate& p);

  const module_layout& layout_;
  const source_file& file_;
  lowering_options options_;
  machine_function& function_;
  writer out_;
  std::vector<scope> scopes_;
  std::vector<frame> frames_;
  const statement* statement_ = nullptr;
  predicate guard_;        // of the current statement; condition < 0: none
  word_ref thread_index_;  // $r0 at the start
  int carry_ = -1;         // $c with the carry of the last .cc instruction, in block carry_block_
  int carry_block_ = -1;
  bool carry_is_borrow_ = false;
  word_ref fence_;  // loaded after every store, if the kernel has a membar (lower_memory.cpp)
};

}  // namespace gt200::ptx
