// A small board that runs a program with all kinds of state in use for some thousand cycles.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"
#include "testbenches/support/assembly_run.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::inject {

// Threads diverge in a loop, go through shared memory and a barrier, and store.
inline const char* const busy_program =
    ".target sm_13\n.entry busy\n.param u32 out\n.shared words 1024\n"
    "  cvt u32 $r1 u16 $r0l\n"
    "  shl b32 $r2 $r1 0x2\n"
    "  shl $a1 $r1 0x2\n"
    "  mov b32 $r3 0x0\n"
    "  mov b32 $r6 0x0\n"
    "loop:\n"
    "  st b32 s[$a1+words] $r3\n"
    "  add b32 $r3 b32 s[$a1+words] $r1\n"
    "  and b32 $r5 $r3 $r1\n"
    "  joinat join\n"
    "  set $c0 # l u32 $r5 $r1\n"
    "  (lg $c0) bra join\n"
    "  add b32 $r3 $r3 $r1\n"
    "join:\n"
    "  join nop\n"
    "  add b32 $r6 $r6 0x1\n"
    "  mov b32 $r7 0x14\n"
    "  set $c0 # l u32 $r6 $r7\n"
    "  (lg $c0) bra loop\n"
    "  bar inc wait 0x0 0xfff\n"
    "  add b32 $r4 b32 s[out] $r2\n"
    "  exit st b32 g14[$r4] $r3\n.end\n";

// Core cycles in which its blocks run, the launch of the host before them included; and how many it takes.
inline constexpr std::uint64_t first_busy_cycle = 3700, last_busy_cycle = 7000, busy_cycles = 4000;

class faulty_board {
 public:
  explicit faulty_board(const device_options& options = {}, const std::vector<std::string>& overrides = {})
      : module_(assembler::assemble(busy_program, "busy.s")),
        target(support::configuration("gt200_small", overrides), options) {
    target.load(module_, {});
    out_ = target.allocate(words * 4);
  }
  launch_result run() {
    launch::launch_parameters p;
    p.kernel = &module_.kernels[0];
    p.grid = {4, 1};
    p.block = {words, 1, 1};
    p.parameter_bytes = launch::pack_parameters(std::uint32_t{out_});
    return target.launch(p);
  }
  std::vector<std::uint32_t> result() {
    std::vector<std::uint32_t> values(words);
    target.peek(out_, reinterpret_cast<std::uint8_t*>(values.data()), words * 4);
    return values;
  }

 private:
  cubin::module module_;

 public:
  static constexpr unsigned words = 128;
  device target;

 private:
  std::uint32_t out_ = 0;
};

}  // namespace gt200::inject
