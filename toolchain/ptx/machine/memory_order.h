// Which loads may move, and past what. The namespace of a target has
//
//   space_of(operation)         the memory that an operation accesses
//   bytes_accessed(operation)   from the place of source 0 on
//   has_effect(operation)
#pragma once

#include <cstdint>

#include "toolchain/ptx/machine/operation.h"

namespace gt200::ptx {

enum class access_space : std::uint8_t { none, shared, local, global, any };

// True for accesses that share no byte, of whichever threads of the warp. Addresses in registers differ between the
// threads, and code written for one warp reads what its other threads stored by the instruction before, without a
// barrier.
template <class operation>
bool are_apart(const operation& a, const operation& b, access_space s) {
  if (s != access_space::shared && s != access_space::local) return false;
  if (a.source[0] != b.source[0] || (s == access_space::shared && b.source[0].reg >= 0)) return false;
  const auto begin = [](const operation& o) { return o.code.source[0].value; };
  const auto end = [&](const operation& o) { return begin(o) + static_cast<std::int32_t>(bytes_accessed(o)); };
  return end(a) <= begin(b) || end(b) <= begin(a);
}

template <class instruction>
bool is_movable_load(const basic_operation<instruction>& o) {
  return !o.guarded() && !o.is_volatile && o.destination.reg >= 0;
}

template <class operation>
bool loads_shared(const operation& o) {
  return space_of(o) == access_space::shared;
}

template <class operation>
bool must_follow(const operation& other, const operation& load) {
  if (other.is_volatile) return true;
  const access_space of_load = space_of(load);
  const access_space of_other = space_of(other);
  if (of_other == access_space::none) return has_effect(other);
  if (!has_effect(other)) return false;  // a load
  if (of_other == access_space::any || of_load == access_space::any) return true;
  return of_other == of_load && !are_apart(other, load, of_load);
}

}  // namespace gt200::ptx
