// Plan that says where the warps of a kernel hold a section of shared registers, and where each value is while they
// hold none.
//
// Registers below `base` stay with the warp, those from there on are in the section. The plan marks the
// instructions at which the warp must hold it: those at which more than `base` registers are in use, and whatever
// else the rules below add. Elsewhere each value of a high register has a home, a low register that is free as long
// as the value lives there. Values move at the borders.
//
//  - Lanes of other paths may wait while a path releases, so nothing they need may be in the section. At a branch
//    within the held part, and at a meeting within it, the whole split part of the code is held.
//  - break and its target are on the same side, as no code fits between them.
//  - No section is held at barriers, calls, returns and exits.
//  - An instruction that names a high register in a pair or group holds the section, and so does each at which no
//  low
//    register is free for a value.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/register_sharing/code_graph.h"
#include "toolchain/register_sharing/divergence.h"
#include "toolchain/register_sharing/liveness.h"

namespace gt200::register_sharing {

struct analysed_code {
  code_graph graph;
  std::vector<register_life> life;
  std::vector<divergent_branch> divergence;
  unsigned registers;

  explicit analysed_code(const cubin::kernel& kernel);  // throws refusal
};

struct section_plan {
  unsigned base = 0;
  std::vector<bool> held;  // by node
  // By node: the low register that stands for a high one, before and after the instruction, if it is not held.
  using homes = std::array<std::uint8_t, isa::tesla::max_gpr>;
  static constexpr std::uint8_t no_home = 0xff;
  std::vector<homes> before, after;
};

// Throws refusal if the kernel cannot keep only this many registers.
section_plan plan_sections(const analysed_code& code, unsigned base);

// The part of its time that a warp is estimated to hold a section, 0..1: instructions count by the depth of the
// loops around them.
double held_share(const analysed_code& code, const section_plan& plan);

}  // namespace gt200::register_sharing
