// The options that a configuration has for divergence on Tesla.
#pragma once

#include <cstdint>

namespace gt200::arch_state::tesla {

// Marks in the code for the reconvergence of a warp's paths: with `join` on the instruction at the target of joinat
// (SSY); with `ssy_sync` on the last instruction of each path, and the target of SSY is where the warp continues.
enum class divergence_semantics : std::uint8_t { join, ssy_sync };
// The stack of semantics `join`.
enum class stack_mechanism : std::uint8_t { typed_tokens, pdom };
// The side of a divergent branch that runs first; with `ssy_sync` it is the fall-through side.
enum class first_path : std::uint8_t { last_in_program, taken, fall_through };
// Whether join acts before or after the instruction that carries it; .S of `ssy_sync` acts after it.
enum class join_moment : std::uint8_t { before, after };

struct divergence_options {
  divergence_semantics semantics = divergence_semantics::join;
  stack_mechanism mechanism = stack_mechanism::typed_tokens;
  first_path first = first_path::last_in_program;
  join_moment join = join_moment::after;
  // Envytools finds 16 entries per warp in the context space of the SM. That these are on the chip is an inference.
  std::uint32_t on_chip_entries = 16;
  std::uint32_t maximum_entries = 256;  // in stack memory; hardware: up to 4096
  // maximum number of active limited calls; further ones are ignored (value: assumption)
  std::uint32_t call_limit = 32;

  // Size of one entry in stack memory.
  std::uint32_t entry_bytes() const {
    return semantics == divergence_semantics::join && mechanism == stack_mechanism::pdom ? 16 : 8;
  }
  // True if paths reconverge before the instruction with join executes.
  bool reconverges_before() const { return semantics == divergence_semantics::join && join == join_moment::before; }
};

}  // namespace gt200::arch_state::tesla
