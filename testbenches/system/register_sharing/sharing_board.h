// A checked board whose SM holds one block of two warps and one register section, and programs for it.
#pragma once

#include <string>
#include <vector>

#include "testbenches/system/checked/checked_board.h"

namespace gt200::support {

// Kernels of 16 registers that keep 8: one block of two warps takes 512 registers, one section 256.
inline std::vector<std::string> one_section(const std::string& sharing = "regmutex") {
  return {"tpc.sm.register_file.sharing=" + sharing,
          "tpc.sm.limits.registers=768",
          "tpc.sm.limits.register_granule=256",
          "chip.tpcs=1",
          "chip.sms_per_tpc=1",
          "tpc.texture.l1.instances=1"};
}

// Acquires the section, fills and sums its registers, and does `within` before it releases the section.
inline std::string program_with_section(const std::string& within) {
  std::string body = "  regacquire $r8 0x8\n";
  for (unsigned n = 8; n < 16; ++n)
    body += "  add b32 $r" + std::to_string(n) + " $r1 0x" + std::to_string(n) + "\n";
  body += "  mov b32 $r5 $r1\n";
  for (unsigned n = 8; n < 16; ++n) body += "  add b32 $r5 $r5 $r" + std::to_string(n) + "\n";
  return body + within + "  regrelease $r8 0x8\n  st b32 g14[$r4] $r5\n  exit nop\n";
}

}  // namespace gt200::support
