// Writes the code of a kernel anew after a plan: acquires and releases at the borders of what is held, moves of
// values there, and other registers in the instructions outside.
#pragma once

#include "toolchain/cubin/module.h"
#include "toolchain/register_sharing/section_plan.h"

namespace gt200::register_sharing {

struct inserted {
  unsigned acquires = 0;
  unsigned releases = 0;
  unsigned moves = 0;
};

// Changes code and line table of the kernel. Branch targets follow their instructions; a border on a branch becomes
// a piece of code behind the kernel, which ends with a branch to the old target. Throws refusal if an instruction
// cannot be encoded any more.
inserted insert_sections(const analysed_code& code, const section_plan& plan, cubin::kernel& kernel);

}  // namespace gt200::register_sharing
