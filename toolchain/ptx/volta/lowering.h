// Volta's own part of lowering PTX (machine/lowering/lowering.h).
#pragma once

#include <optional>
#include <string>

#include "toolchain/launch/volta/abi.h"
#include "toolchain/ptx/machine/lowering/lowering.h"
#include "toolchain/ptx/volta/writer.h"

namespace gt200::ptx::volta {

struct machine {
  using function = machine_function;
  using operation = volta::operation;
  using writer = volta::writer;
  using value = volta::value;
  using predicate = predicate_ref;
  using mufu_function = isa::volta::mufu_function;
  using rounding = isa::volta::rounding;
  struct functions {
    static constexpr auto rcp = mufu_function::rcp;
    static constexpr auto rsqrt = mufu_function::rsq;
    static constexpr auto rcp64h = mufu_function::rcp64h;
    static constexpr auto rsqrt64h = mufu_function::rsq64h;
    static constexpr auto lg2 = mufu_function::lg2;
    static constexpr auto sin = mufu_function::sin;
    static constexpr auto cos = mufu_function::cos;
    static constexpr auto ex2 = mufu_function::ex2;
  };
  static constexpr const char* name = "sm_70";
  static constexpr const cubin::architecture& architecture = cubin::volta;
  static constexpr bool pairs = true;
  static constexpr pointee windowless = pointee::constant;
  static constexpr bool has_memory_orders = true;
  static constexpr std::size_t predicate_slot = volta::predicate_slot;
  // Offsets of addresses have 24 bits with a sign, those of generic ones 32; of indexed constants 16.
  static constexpr std::uint32_t reach_of_windows = 1u << 23;
  static constexpr std::uint32_t reach_of_constants = 1u << 15;
  static constexpr std::uint32_t reach_of_global = 1u << 23;
  static constexpr std::uint32_t shared_window = launch::volta::shared_window_offset;
  static constexpr std::uint32_t local_window = launch::volta::local_window_offset;
  static value word(word_ref r) { return value::of(r); }
};

}  // namespace gt200::ptx::volta

extern template class gt200::ptx::structure<gt200::ptx::volta::machine>;
extern template class gt200::ptx::word_lowering<gt200::ptx::volta::machine>;

namespace gt200::ptx::volta {

class lowering final : public word_lowering<machine> {
 public:
  using word_lowering::word_lowering;

 private:
  bool lower_own(const statement& s) override;
  std::optional<value> special_register(const std::string& name) override;
  wide clock64() override;
  value read_special(std::uint8_t number);
  // lower_integer.cpp
  value add_saturated(value a, value b, bool subtracts) override;
  value multiply_high(value a, value b, bool is_signed) override;
  value complement(value v) override;
  value difference_sum(value a, value b, value c, bool is_signed) override;
  bool lower_carry(const statement& s) override;
  // lower_wide.cpp
  wide add_wide(wide a, wide b) override;
  wide subtract_wide(wide a, wide b) override;
  wide multiply_add_wide(value a, value b, bool is_signed, std::optional<wide> addend) override;
  wide shift_wide(const std::string& name, wide a, value count, bool arithmetic) override;
  operation& compare_wide(unsigned condition, wide a, wide b, bool is_signed, const predicate& to,
                          const predicate& second) override;
  // A sum of words with a carry out, or with one in. Negative terms count as their complements with a carry.
  void sum_with_carry(word_ref to, value a, value b, const predicate& carry_out);
  operation& sum_of_carry(word_ref to, value a, value b, const predicate& carry_in);
  // lower_bits.cpp
  value count_bits(value a) override;
  value count_leading_zeros(value a) override;
  value leading_bit(value a, bool is_signed, bool shift_amount) override;
  value reversed(value a) override;
  value extracted(value a, value position, value length, bool is_signed) override;
  value inserted(value a, value b, value position, value length) override;
  value permuted(value a, value b, value selector, const std::string& mode) override;
  bool lower_funnel(const statement& s);
  bool lower_masks(const statement& s);     // lop3, bmsk, szext, fns
  bool lower_products(const statement& s);  // dp4a, dp2a
  // lower_video.cpp
  bool lower_video(const statement& s);
  wide video_operand(const operand& o, bool is_signed);
  wide video_result(const std::string& name, wide a, wide b);
  value video_product(bool is_signed_a, bool is_signed_b);
  void finish_video(wide result, bool is_signed, scalar held);
  // lower_predicate.cpp
  operation& combine_predicates(const predicate& to, const predicate& a, const predicate& b, logic_op op) override;
  value choose_not_less(value x, value y, value c, bool is_float) override;
  void lower_vote() override;
  value votes(const predicate& p, value members);
  void set_if_equal(const predicate& to, value a, value b);
  void vote_of_all(const operand& to, const predicate& p);
  void vote_of_members(const operand& to, const predicate& p, value members);
  bool lower_shuffle(const statement& s);
  bool lower_match(const statement& s);
  void join_lanes(const operand& mask);  // of a .sync form
  // lower_float.cpp
  value function_of(mufu_function which, value v) override;
  value special_function(mufu_function which, value v, bool saturate) override;
  word_ref extreme_double(bool maximum, value a, value b) override;
  word_ref convert(value v, scalar to, scalar from, rounding round, bool integral, bool saturate) override;
  value saturated_single(value v, bool flush);
  word_ref saturated_double(word_ref v);
  // lower_half.cpp
  bool lower_halves(const statement& s) override;
  void compute_halves(bool is_pair);
  void compare_halves(bool is_pair);
  // lower_memory.cpp
  opcode load_of(state_space space) override;
  opcode store_of(state_space space) override;
  void describe_access(operation& o, isa::data_type width, state_space space) override;
  void fence(fence_scope reach) override;
  void forget_old_lines(fence_scope reach) override;
  void global_atomic(const atomic_parts& a, const value& place) override;
  void shared_atomic(const atomic_parts& a, const value& place) override;
  void generic_atomic(const atomic_parts& a) override;
  void atomic(opcode op, const atomic_parts& a, const value& place, bool only_reduces);
  bool swaps_for_wide_atomics() const override { return true; }
  void swap_until_done(const atomic_parts& a, const value& place, state_space space);
  void describe_atomic(operation& o, const value& place) const;
  // lower_texture.cpp
  void sample(const texture_parts& t) override;
  // lower_control.cpp
  void barrier(std::uint32_t number, barrier_vote vote, const predicate& votes, const operand& to) override;
  void warp_barrier() override;
  void trap(bool stops) override;

  int carry_ = -1;  // predicate of the last .cc instruction
};

}  // namespace gt200::ptx::volta
