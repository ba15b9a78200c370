// Tests of kernels in assembly on a checked device.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/system/checked/checked_device.h"

namespace gt200::support {

// The body of a program with a write-after-read hazard, with overrides that expose it: scattered stores hold the
// last store up in its collector until the younger addition has written back.
inline constexpr const char* write_past_a_store = R"(
  shl b32 $r6 $r0 0x8
  add b32 $r6 b32 s[out] $r6
  add b32 $r5 $r1 $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r4] $r5
  add b32 $r5 $r1 0x7
)";
std::vector<std::string> narrow_way_to_memory();

class checked_board : public ::testing::Test, protected checked_device {
 protected:
  // Runs, and expects the emulator to agree in every instruction.
  void run_alike(unsigned blocks, unsigned threads);
};

}  // namespace gt200::support
