// Fermi's own part of lowering PTX (machine/lowering/lowering.h).
#pragma once

#include <optional>
#include <string>

#include "toolchain/isa/fermi/special_register.h"
#include "toolchain/ptx/fermi/writer.h"
#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx::fermi {

struct machine {
  using function = machine_function;
  using operation = fermi::operation;
  using writer = fermi::writer;
  using value = fermi::value;
  using predicate = predicate_ref;
  using mufu_function = isa::fermi::mufu_function;
  using rounding = isa::fermi::rounding;
  struct functions {
    static constexpr auto rcp = mufu_function::rcp;
    static constexpr auto rsqrt = mufu_function::rsqrt;
    static constexpr auto rcp64h = mufu_function::rcp64h;
    static constexpr auto rsqrt64h = mufu_function::rsqrt64h;
    static constexpr auto lg2 = mufu_function::lg2;
    static constexpr auto sin = mufu_function::sin;
    static constexpr auto cos = mufu_function::cos;
    static constexpr auto ex2 = mufu_function::ex2;
  };
  static constexpr const char* name = "sm_20";
  static constexpr const cubin::architecture& architecture = cubin::fermi;
  static constexpr bool pairs = true;
  static constexpr pointee windowless = pointee::constant;
  static constexpr bool has_memory_orders = false;
  static constexpr std::size_t predicate_slot = fermi::predicate_slot;
  // Offsets of s[] and l[] have 24 bits, those of c[] 16, with a sign.
  static constexpr std::uint32_t reach_of_windows = 1u << 23;
  static constexpr std::uint32_t reach_of_constants = 1u << 15;
  static constexpr std::uint32_t reach_of_global = 0;
  static constexpr std::uint32_t shared_window = 0;
  static constexpr std::uint32_t local_window = 4;
  static value word(word_ref r) { return value::of(r); }
};

}  // namespace gt200::ptx::fermi

extern template class gt200::ptx::structure<gt200::ptx::fermi::machine>;
extern template class gt200::ptx::word_lowering<gt200::ptx::fermi::machine>;

namespace gt200::ptx::fermi {

class lowering final : public word_lowering<machine> {
 public:
  using word_lowering::word_lowering;

 private:
  bool lower_own(const statement& s) override;
  std::optional<value> special_register(const std::string& name) override;
  wide clock64() override;
  value read_clock(std::uint8_t half);
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
  bool lower_video(const statement& s);  // lower_video.cpp
  // lower_bits.cpp
  value count_bits(value a) override;
  value count_leading_zeros(value a) override;
  value leading_bit(value a, bool is_signed, bool shift_amount) override;
  value reversed(value a) override;
  value extracted(value a, value position, value length, bool is_signed) override;
  value inserted(value a, value b, value position, value length) override;
  value permuted(value a, value b, value selector, const std::string& mode) override;
  value packed_field(value position, value length);
  // lower_predicate.cpp
  operation& combine_predicates(const predicate& to, const predicate& a, const predicate& b, logic_op op) override;
  value choose_not_less(value x, value y, value c, bool is_float) override;
  void lower_vote() override;
  // lower_float.cpp
  value function_of(mufu_function which, value v) override;
  value special_function(mufu_function which, value v, bool saturate) override;
  word_ref extreme_double(bool maximum, value a, value b) override;
  word_ref convert(value v, scalar to, scalar from, rounding round, bool integral, bool saturate) override;
  // lower_memory.cpp
  opcode load_of(state_space space) override;
  opcode store_of(state_space space) override;
  void describe_access(operation& o, isa::data_type width, state_space space) override;
  void fence(fence_scope reach) override;
  void prefetch(const operand& address, state_space space, bool far) override;
  // lower_atomic.cpp
  void global_atomic(const atomic_parts& a, const value& place) override;
  void shared_atomic(const atomic_parts& a, const value& place) override;
  void generic_atomic(const atomic_parts& a) override;
  // lower_control.cpp
  void barrier(std::uint32_t number, barrier_vote vote, const predicate& votes, const operand& to) override;
  void warp_barrier() override {}  // the threads of a warp run in step
  void trap(bool stops) override;
  void sample(const texture_parts& t) override;  // lower_texture.cpp

  word_ref carry_word_;  // of the last .cc instruction, as 0 or 1
};

}  // namespace gt200::ptx::fermi
