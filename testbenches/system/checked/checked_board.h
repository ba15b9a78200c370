// Tests of kernels in assembly on a checked device.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/system/checked/checked_device.h"

namespace gt200::support {

// A write-after-read hazard as the body of a program: scattered stores hold the last one up in its collector, with
// the overrides beside it, until the younger addition has written back.
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
  // Runs, and the emulator agrees in every instruction.
  void run_alike(unsigned blocks, unsigned threads);
};

}  // namespace gt200::support
