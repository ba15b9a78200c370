// The kernel as a whole, barriers and control.
#pragma once

#include <algorithm>
#include <set>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
void word_lowering<machine>::run(const function& entry, cubin::kernel& kernel) {
  function_.name = entry.name;
  kernel.name = entry.name;
  kernel.parameter_base = machine::architecture.parameter_base;
  out_.continue_in(out_.add_block());
  scopes_.emplace_back();
  place_parameters(entry, kernel);
  place_shared(entry);
  declare_per_thread(entry);
  lower_body(entry, {});
}

template <class machine>
void word_lowering<machine>::lower_instruction(const statement& s) {
  first_temporary_ = static_cast<int>(function_.registers.size());
  if (lower_halves(s)) return;
  this->refuse_arithmetic_of_halves();
  this->refuse_modifiers();
  if (lower_own(s) || lower_barrier(s) || lower_control(s) || lower_memory(s) || lower_predicate(s) ||
      lower_move(s) || lower_bits(s) || lower_convert(s) || lower_testp(s) || lower_double(s) || lower_float(s) ||
      lower_special(s) || lower_integer(s) || lower_atomic(s) || lower_texture(s))
    return;
  this->unknown_instruction();
}

template <class machine>
bool word_lowering<machine>::lower_control(const statement& s) {
  if (s.name != "trap" && s.name != "brkpt") return false;
  under_guard([&] { trap(s.name == "trap"); });
  return true;
}

template <class machine>
bool word_lowering<machine>::lower_barrier(const statement& s) {
  if (s.name != "bar" && s.name != "barrier") return false;
  const bool reduces = has("red");
  if (has("warp")) {
    under_guard([&] { warp_barrier(); });
    return true;
  }
  if (has("arrive")) unsupported("barriers are for all threads of the block");
  const std::size_t number_at = reduces ? 1 : 0;
  const std::size_t count = operand_count(reduces ? 3 : 0, reduces ? 4 : 2);
  if (count > (reduces ? 3u : 1u)) unsupported("barriers are for all threads of the block");
  std::uint64_t number = 0;
  if (count > number_at) {
    if (at(number_at).kind != operand_kind::integer) unsupported("the number of the barrier must be a constant");
    number = at(number_at).value;
  }
  if (number > 15) unsupported("barriers are numbered 0 to 15");
  function_.has_barriers = true;
  function_.highest_barrier = std::max(function_.highest_barrier, static_cast<std::uint32_t>(number));
  const operand to = reduces ? at(0) : operand{};
  const predicate votes = reduces ? predicate_source(at(2)) : predicate{};
  const barrier_vote vote = !reduces      ? barrier_vote::none
                            : has("popc") ? barrier_vote::popc
                            : has("and")  ? barrier_vote::and_
                                          : barrier_vote::or_;
  under_guard([&] { barrier(static_cast<std::uint32_t>(number), vote, votes, to); });
  return true;
}

template <class machine>
bool word_lowering<machine>::lower_texture(const statement& s) {
  static const std::set<std::string> surfaces = {"suld", "sust", "sured", "suq"};
  static const std::set<std::string> other_textures = {"tld4", "txq"};
  if (surfaces.count(s.name) != 0) unsupported("surfaces are not supported");
  if (other_textures.count(s.name) != 0) unsupported("of texture instructions there is tex");
  if (s.name != "tex") return false;
  sample(this->texture_operands());
  return true;
}

}  // namespace gt200::ptx
