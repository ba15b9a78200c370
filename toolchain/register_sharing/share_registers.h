// Rewrites machine code of Tesla so that its warps share registers over time (RegMutex: Khorasani and others, ISCA
// 2018): the registers of a kernel become a base set, which each warp keeps, and an extended set in sections that
// warps acquire where they need more and release behind it. docs/register_sharing.md.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::register_sharing {

// Warps that the hardware can hold if each keeps `base` registers.
struct residency {
  unsigned warps = 0;     // of an SM
  unsigned sections = 0;  // for these warps
};
// base = all registers of the kernel: nothing is shared.
using residency_of = std::function<residency(unsigned base)>;

struct shared_kernel {
  unsigned base = 0;  // 0: its warps share nothing, and `reason` says why
  std::string reason;
  bool fits_base = false;  // because the code never needs more than the base: the kernel now asks for no more
  unsigned acquires = 0;
  unsigned releases = 0;
  unsigned moves = 0;
  double held_share = 0;  // estimated part of its time that a warp holds a section
};

// Splits the registers at `base`, or where the estimated number of warps that can proceed is highest: all resident
// warps, but of those that hold a section no more than there are sections. An instruction set other than Tesla's,
// or a kernel that shares registers already, is a reason to leave it.
shared_kernel share_registers(const cubin::module& module, cubin::kernel& kernel, std::optional<unsigned> base,
                              const residency_of& resident);

}  // namespace gt200::register_sharing
