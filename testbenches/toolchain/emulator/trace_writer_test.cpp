// The trace is text: one line per instruction and one per value written.
#include "toolchain/emulator/trace_writer.h"

#include <sstream>

#include "testbenches/toolchain/emulator/program_fixture.h"

namespace gt200::emulator {

using namespace arch_state;
namespace {

class trace : public program_fixture {
 protected:
  // The trace without the prologue of the fixture.
  std::string trace_of(const std::string& body, const std::string& directives = "") {
    std::ostringstream text;
    trace_writer writer(text);
    observer = &writer;
    launch.block = {2, 1, 1};
    run(body, directives);
    const std::string all = text.str();
    const std::string prologue_ends = "  $r20 = 00100000 00100004\n";
    EXPECT_EQ(all.substr(0, all.find('\n', 16) + 1), "# gt200 trace 1\nlaunch test grid 1 1 block 2 1 1\n");
    return all.substr(all.rfind(prologue_ends) + prologue_ends.size());
  }
};

TEST_F(trace, destinations_flags_and_stores) {
  EXPECT_EQ(trace_of("set $c0 # e u32 $r1 $r124\nadd b16 $r2l $r1l $r1l\nexit st b32 g14[$r20] $r1\n"),
            "0 0 0 0018 00000003  set $c0 # e u32 $r1 $r124\n  $c0 = 2 1\n"
            "0 0 0 0020 00000003  add b16 $r2l $r1l $r1l\n  $r2l = 0000 0002\n"
            "0 0 0 0028 00000003  exit st b32 g14[$r20] $r1\n"
            "  g[00100000] = 00000000\n  g[00100004] = 00000001\n");
}

TEST_F(trace, only_lanes_that_executed) {
  EXPECT_EQ(trace_of("set $c0 # e u32 $r1 $r124\n(lg $c0) mov b32 $r2 $r1\n(o $c0) mov b32 $r3 $r1\nexit nop\n"),
            "0 0 0 0018 00000003  set $c0 # e u32 $r1 $r124\n  $c0 = 2 1\n"
            "0 0 0 0020 00000001  (lg $c0) mov b32 $r2 $r1\n  $r2 = 00000000\n"
            "0 0 0 0028 00000000  (o $c0) mov b32 $r3 $r1\n"
            "0 0 0 0030 00000003  exit nop\n");
}

TEST_F(trace, wide_and_narrow_stores_and_address_registers) {
  EXPECT_EQ(trace_of("mov b32 $r2 0x12345678\nmov b32 $r3 0x9\nshl $a1 $r1 0x2\nst b8 s[$a1+scratch] $r2\n"
                     "mov b32 $r20 b32 s[out]\nexit st b64 g14[$r20] $r2d\n",
                     ".shared scratch 16\n"),
            "0 0 0 0018 00000003  mov b32 $r2 0x12345678\n  $r2 = 12345678 all\n"
            "0 0 0 0020 00000003  mov b32 $r3 0x9\n  $r3 = 00000009 all\n"
            "0 0 0 0028 00000003  shl $a1 $r1 0x2\n  $a1 = 0000 0004\n"
            "0 0 0 0030 00000003  st b8 s[$a1+0x18] $r2\n  s[00000018] = 78\n  s[0000001c] = 78\n"
            "0 0 0 0038 00000003  mov b32 $r20 b32 s[0x10]\n  $r20 = 00100000 all\n"
            "0 0 0 0040 00000003  exit st b64 g14[$r20] $r2d\n"
            "  g[00100000] = 12345678 00000009\n  g[00100000] = 12345678 00000009\n");
}

TEST_F(trace, atomics_show_what_each_lane_leaves_in_memory) {
  EXPECT_EQ(trace_of("mov b32 $r20 b32 s[out]\nmov b32 $r3 0x5\nexit red add u32 g14[$r20] $r3\n"),
            "0 0 0 0018 00000003  mov b32 $r20 b32 s[0x10]\n  $r20 = 00100000 all\n"
            "0 0 0 0020 00000003  mov b32 $r3 0x5\n  $r3 = 00000005 all\n"
            "0 0 0 0028 00000003  exit red add u32 g14[$r20] $r3\n"
            "  g[00100000] = 00000005\n  g[00100000] = 0000000a\n");
}

}  // namespace
}  // namespace gt200::emulator
