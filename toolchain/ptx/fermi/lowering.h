// Lowers one PTX kernel to operations of sm_20 on virtual registers. Device functions are inlined where they are
// called.
//
// A PTX register of up to 32 bits is one word, whose bits above its type are undefined. A register of 64 bits is a
// pair.
#pragma once

#include <optional>
#include <string>

#include "toolchain/ptx/fermi/writer.h"
#include "toolchain/ptx/structure.h"

namespace gt200::ptx::fermi {

// What structure.h needs to know of this target.
struct machine {
  using function = machine_function;
  using writer = fermi::writer;
  using value = fermi::value;
  using predicate = fermi::predicate;
  static constexpr const cubin::architecture& architecture = cubin::fermi;
  static constexpr bool pairs = true;
  static value word(word_ref r) { return reg(r); }
};

}  // namespace gt200::ptx::fermi

extern template class gt200::ptx::structure<gt200::ptx::fermi::machine>;

namespace gt200::ptx::fermi {

class lowering final : public structure<machine> {
 public:
  using structure::structure;

  // Fills the function and the parameters of `kernel`. Throws input_error.
  void run(const function& entry, cubin::kernel& kernel);

 private:
  // lower_function.cpp
  void lower_instruction(const statement& s) override;
  bool lower_barrier(const statement& s);
  bool lower_control(const statement& s);

  // lower_operand.cpp
  value source(const operand& o, scalar type) { return source_wide(o, type).low; }
  wide source_wide(const operand& o, scalar type) override;
  value pair_source(const operand& o, scalar type);  // 64 bits as one operand
  value extended(const operand& o, scalar type) { return extend(source(o, type), type); }
  value extend(value v, scalar type);  // 8 and 16 bits widened to 32 as the type says
  std::optional<value> special_register(const std::string& name);
  predicate inverse(const predicate& p) override { return {p.condition, !p.inverted}; }
  predicate predicate_source(const operand& o);
  // Writes to a register under the guard of the statement. The value is not used again: the operation that made it
  // may get the register as its destination.
  void assign(const operand& o, value v);
  void assign_wide(const operand& o, wide v);
  void assign_pair(const operand& o, word_ref pair);
  void assign_pair_or_word(const operand& o, word_ref made, bool is_pair) {
    if (is_pair)
      assign_pair(o, made);
    else
      assign(o, reg(made));
  }
  value in_pair(value v);  // an operand of 64 bits, in registers
  // Writes a number of `type` (of at most 32 bits, already extended to them). A longer register gets its sign or
  // zeros.
  void assign_number(const operand& o, value v, scalar type);
  void assign_words(word_ref to, value v);
  bool retarget(word_ref made, word_ref to, int words);
  predicate destination_predicate(const operand& o);
  operation& under_own_guard(operation& o);
  bool is_number(const operand& o) const { return o.kind != operand_kind::name; }
  bool flushes() const;  // denormals of .f32

  // Groups of instructions; each returns false if the name belongs to another group.
  bool lower_integer(const statement& s);  // lower_integer.cpp
  bool lower_carry(const statement& s);
  void multiply_instruction(bool with_addend);
  void multiply24(bool with_addend);
  bool lower_wide(const statement& s);  // lower_wide.cpp: 64 bits
  wide add_wide(wide a, wide b);
  wide subtract_wide(wide a, wide b);
  wide multiply_add_wide(value a, value b, bool is_signed, std::optional<wide> addend);  // 32 x 32 -> 64
  wide shift_wide(const std::string& name, wide a, value count, bool arithmetic);
  wide choose_wide(const predicate& p, wide a, wide b);
  bool lower_bits(const statement& s);  // lower_bits.cpp
  value packed_field(const operand& position, const operand& length);
  bool lower_predicate(const statement& s);  // lower_predicate.cpp
  // Emits the comparison; the reference is valid until the next operation.
  operation& compare_typed(const std::string& condition, const operand& a, const operand& b, scalar t,
                           const predicate& to, const predicate& second = {});
  operation& compare_wide(unsigned condition, wide a, wide b, bool is_signed, const predicate& to,
                          const predicate& second = {});
  void lower_vote();
  bool lower_float(const statement& s);  // lower_float.cpp
  bool lower_special(const statement& s);
  value function_of(isa::fermi::mufu_function which, value v);
  void round_float(operation& o) const;
  bool lower_double(const statement& s);   // lower_double.cpp
  bool lower_convert(const statement& s);  // lower_convert.cpp
  void convert_integers(scalar to, scalar from, bool saturate);
  wide clamped(wide v, scalar from, scalar to);
  bool lower_move(const statement& s);  // lower_move.cpp
  void pack(scalar t);
  void unpack(scalar t);
  void convert_address();
  bool lower_memory(const statement& s);  // lower_memory.cpp
  state_space space_of(const operand& address);
  value memory_operand(const operand& address, state_space space, std::uint32_t offset = 0);
  void load();
  void store();
  void load_parameter(const operand& address, const operand& to, scalar t);
  void load_argument(const symbol& from, const operand& address, const operand& to, scalar t);
  void store_argument(const symbol& to, const operand& address, const operand& from, scalar t);
  bool lower_atomic(const statement& s);  // lower_atomic.cpp
  struct atomic_parts;
  void global_atomic(const atomic_parts& a, const value& place);
  void shared_atomic(const atomic_parts& a, const value& place);
  void generic_atomic(const atomic_parts& a);
  wide combined(const atomic_parts& a, wide old);
  bool lower_texture(const statement& s);  // refuses textures and surfaces by name
  bool lower_video(const statement& s);

  int first_temporary_ = 0;  // registers from here on were made for the current statement
  int carry_ = -1;           // of the last .cc instruction, as long as nothing else has changed $c
  word_ref carry_word_;      // the same as 0 or 1
};

}  // namespace gt200::ptx::fermi
