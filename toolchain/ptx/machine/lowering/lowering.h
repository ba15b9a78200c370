// Lowers one PTX kernel to operations with three sources and predicates (machine/operation.h) on virtual registers.
// Device functions are inlined where they are called.
//
// A PTX register of up to 32 bits is one word, whose bits above its type are undefined. A register of 64 bits is a
// pair.
//
// A target derives its lowering from this class and adds what its hardware does in another way: the virtual
// functions without a body. `machine` is what structure.h needs, and
//
//   machine::operation, mufu_function, number_type, rounding
//   machine::functions              the numbers of the special functions by their names here
//   machine::predicate_slot         of the predicate that a comparison combines with, and that chooses
//   machine::reach_of_windows, reach_of_constants, reach_of_global   offsets below these fit an access, with a
//   sign;
//                                   reach_of_global 0: all do
//   machine::shared_window, local_window   offsets of the bases of the windows in constant space 0
//   machine::name                   of the target, for messages
//   machine::has_memory_orders      .relaxed, .acquire and .release exist
//
// The functions are in the other headers of this folder; instances.h brings all of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/ptx/library.h"
#include "toolchain/ptx/machine/word_writer.h"
#include "toolchain/ptx/structure.h"

namespace gt200::ptx {

// An atomic operation as PTX states it.
template <class wide>
struct basic_atomic {
  isa::atomic_op op = isa::atomic_op::add;
  scalar type = scalar::none;
  bool has_result = false;
  bool is_wide = false;
  bool by_swaps = false;  // in a loop of compare and swap
  operand to;
  operand address;
  wide operand_value;
  wide swap;  // cas: what is stored
  isa::data_type access() const { return is_wide ? isa::data_type::b64 : isa::data_type::b32; }
};

// Which operands of a video instruction have a sign.
struct video_types {
  bool result = false;
  bool first = false;
  bool second = false;
  std::string comparison;  // vset
};

enum class barrier_vote : std::uint8_t { none, popc, and_, or_ };
enum class fence_scope : std::uint8_t { block, device, system };

template <class machine>
class word_lowering : public structure<machine> {
 public:
  using typename structure<machine>::machine_function;
  using typename structure<machine>::predicate;
  using typename structure<machine>::value;
  using typename structure<machine>::writer;
  using operation = typename machine::operation;
  using opcode = typename operation::opcode;
  using kind = typename operation::kind;
  using logic_op = typename writer::logic_op;
  using mufu_function = typename machine::mufu_function;
  using rounding = typename machine::rounding;

  using structure<machine>::structure;

  // Fills the function and the parameters of `kernel`. Throws input_error.
  void run(const function& entry, cubin::kernel& kernel);

 protected:
  using typename structure<machine>::symbol;
  using typename structure<machine>::symbol_kind;
  using typename structure<machine>::wide;
  using structure<machine>::at;
  using structure<machine>::call_library;
  using structure<machine>::declare_per_thread;
  using structure<machine>::destination_predicate;
  using structure<machine>::fail;
  using structure<machine>::file_;
  using structure<machine>::find;
  using structure<machine>::frames_;
  using structure<machine>::function_;
  using structure<machine>::guard_;
  using structure<machine>::has;
  using structure<machine>::layout_;
  using structure<machine>::literal;
  using structure<machine>::lower_body;
  using structure<machine>::operand_count;
  using structure<machine>::options_;
  using structure<machine>::out_;
  using structure<machine>::place_parameters;
  using structure<machine>::place_shared;
  using structure<machine>::predicate_named;
  using structure<machine>::register_named;
  using structure<machine>::scopes_;
  using structure<machine>::statement_;
  using typename structure<machine>::texture_parts;
  using structure<machine>::type;
  using structure<machine>::under_guard;
  using structure<machine>::undeclared;
  using structure<machine>::unsupported;
  using atomic_parts = basic_atomic<wide>;

  static value reg(word_ref r, std::uint8_t words = 1) { return value::of(r, words); }
  static value imm(std::uint32_t bits) { return value::number(bits); }
  static value zero(std::uint8_t words = 1) { return value::of({}, words); }
  static value constant_word(std::uint8_t bank, std::uint32_t offset) { return value::constant(bank, offset); }

  // -- what a target adds --

  virtual bool lower_own(const statement& s) = 0;                // instructions that only this target has
  virtual bool lower_halves(const statement&) { return false; }  // computes with or compares .f16
  virtual std::optional<value> special_register(const std::string& name) = 0;
  virtual wide clock64() = 0;
  // Integers
  virtual value add_saturated(value a, value b, bool subtracts) = 0;
  virtual value multiply_high(value a, value b, bool is_signed) = 0;
  virtual value complement(value v) = 0;
  virtual value difference_sum(value a, value b, value c, bool is_signed) = 0;  // |a - b| + c
  virtual bool lower_carry(const statement& s) = 0;
  virtual wide add_wide(wide a, wide b) = 0;
  virtual wide subtract_wide(wide a, wide b) = 0;
  virtual wide multiply_add_wide(value a, value b, bool is_signed,
                                 std::optional<wide> addend) = 0;  // 32 x 32 -> 64
  virtual wide shift_wide(const std::string& name, wide a, value count, bool arithmetic) = 0;
  // Emits the comparison; the reference is valid until the next operation.
  virtual operation& compare_wide(unsigned condition, wide a, wide b, bool is_signed, const predicate& to,
                                  const predicate& second = {}) = 0;
  // Bits
  virtual value count_bits(value a) = 0;
  virtual value count_leading_zeros(value a) = 0;
  virtual value leading_bit(value a, bool is_signed, bool shift_amount) = 0;
  virtual value reversed(value a) = 0;
  virtual value extracted(value a, value position, value length, bool is_signed) = 0;
  virtual value inserted(value a, value b, value position, value length) = 0;
  virtual value permuted(value a, value b, value selector, const std::string& mode) = 0;
  // Predicates
  virtual operation& combine_predicates(const predicate& to, const predicate& a, const predicate& b,
                                        logic_op op) = 0;
  virtual value choose_not_less(value x, value y, value c, bool is_float) = 0;  // c >= 0 ? x : y
  virtual void lower_vote() = 0;
  // Floats
  virtual value function_of(mufu_function which, value v) = 0;
  virtual value special_function(mufu_function which, value v, bool saturate) = 0;  // with range reduction
  virtual word_ref extreme_double(bool maximum, value a, value b) = 0;
  // A conversion from or to a float. Integers arrive in 32 or 64 bits.
  virtual word_ref convert(value v, scalar to, scalar from, rounding round, bool integral, bool saturate) = 0;
  // Memory
  virtual opcode load_of(state_space space) = 0;
  virtual opcode store_of(state_space space) = 0;
  virtual void describe_access(operation& o, isa::data_type width, state_space space) = 0;
  virtual void fence(fence_scope reach) = 0;  // all accesses before it are performed
  // Loads behind it see what others within `reach` wrote. For targets whose fences do that, or cannot: nothing.
  virtual void forget_old_lines(fence_scope) {}
  // A hint: the line of the address will be needed, in the L2 only if `far`.
  virtual void prefetch(const operand&, state_space, bool /*far*/) {}
  // Whether what has no instruction of 64 bits is made of compare and swap.
  virtual bool swaps_for_wide_atomics() const { return false; }
  virtual void global_atomic(const atomic_parts& a, const value& place) = 0;
  virtual void shared_atomic(const atomic_parts& a, const value& place) = 0;
  virtual void generic_atomic(const atomic_parts& a) = 0;
  // Control
  virtual void barrier(std::uint32_t number, barrier_vote vote, const predicate& votes, const operand& to) = 0;
  virtual void warp_barrier() = 0;
  virtual void trap(bool stops) = 0;
  virtual void sample(const texture_parts&) {
    unsupported(std::string("textures are not supported for ") + machine::name);
  }

  // -- kernel.h --
  void lower_instruction(const statement& s) override;
  bool lower_barrier(const statement& s);
  bool lower_control(const statement& s);
  bool lower_texture(const statement& s);  // refuses surfaces and what is no tex by name

  // -- operand.h --
  value source(const operand& o, scalar t) { return source_wide(o, t).low; }
  wide source_wide(const operand& o, scalar t) override;
  value pair_source(const operand& o, scalar t);  // 64 bits as one operand
  value extended(const operand& o, scalar t) { return extend(source(o, t), t); }
  value extend(value v, scalar t);  // 8 and 16 bits widened to 32 as the type says
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
  // Writes a number of type `t` (of at most 32 bits, already extended to them). A longer register gets its sign or
  // zeros.
  void assign_number(const operand& o, value v, scalar t);
  void assign_words(word_ref to, value v);
  bool retarget(word_ref made, word_ref to, int words);
  operation& under_own_guard(operation& o);
  bool flushes() const;  // denormals of .f32
  // As code wants it: zero has a register of its own.
  value term(value v) { return v.is_immediate() && v.immediate() == 0 ? zero() : out_.in_register(v); }

  // -- groups of instructions; each returns false if the name belongs to another group --
  bool lower_integer(const statement& s);  // integer.h
  void multiply_instruction(bool with_addend);
  void multiply24(bool with_addend);
  bool lower_wide(const statement& s);  // wide.h: 64 bits
  wide choose_wide(const predicate& p, wide a, wide b);
  bool lower_bits(const statement& s);       // bits.h
  bool lower_predicate(const statement& s);  // predicate.h
  // Emits the comparison; the reference is valid until the next operation.
  operation& compare_typed(const std::string& condition, const operand& a, const operand& b, scalar t,
                           const predicate& to, const predicate& second = {});
  void lower_set();
  void lower_slct();
  video_types types_of_video() const;    // video.h
  bool lower_float(const statement& s);  // float.h
  bool lower_testp(const statement& s);
  bool lower_division();
  std::string directed_rounding() const;
  value divided(value dividend, value divisor);
  bool lower_special(const statement& s);
  void round_float(operation& o) const;
  bool lower_double(const statement& s);   // double.h
  bool lower_convert(const statement& s);  // convert.h
  void convert_integers(scalar to, scalar from, bool saturate);
  wide clamped(wide v, scalar from, scalar to);
  bool lower_move(const statement& s);  // move.h
  void pack(scalar t);
  void unpack(scalar t);
  void convert_address();
  void lower_isspacep();
  bool lower_memory(const statement& s);  // memory.h
  state_space space_of(const operand& address);
  value memory_operand(const operand& address, state_space space, std::uint32_t offset = 0);
  void load();
  void store();
  // Order of an access: what .release asks for in front of it, and .acquire behind it.
  fence_scope scope_of_order() const;
  void order_before();
  void order_behind();
  std::optional<std::uint32_t> constant_place(const operand& address);
  void load_parameter(const operand& address, const operand& to, scalar t);
  void load_argument(const symbol& from, const operand& address, const operand& to, scalar t);
  void store_argument(const symbol& to, const operand& address, const operand& from, scalar t);
  bool lower_atomic(const statement& s);  // atomic.h
  // The new value that the operation makes of the old one.
  wide combined(const atomic_parts& a, wide old);

  int first_temporary_ = 0;  // registers from here on were made for the current statement
};

}  // namespace gt200::ptx
