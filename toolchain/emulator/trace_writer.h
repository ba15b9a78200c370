// Writes everything an emulated program does as text: one line per warp instruction, followed by what it wrote.
//
//   # gt200 trace 1
//   launch vector_add grid 2 1 block 64 1 1
//   0 0 1 0008 ffffffff  add b32 $r1 $r1 $r2      block x, y, warp in the block, byte offset in the kernel, lanes
//     $r1 = 00000020 00000021 ...                   destination words of these lanes, lowest lane first
//     $c0 = 1 0 ...                                 condition codes: bits O C S Z
//     g[00100080] = 3f800000 ...                    memory written: address and value lane by lane, in lane order
//
// A value that is the same in all lanes is printed once, followed by "all". "lanes" are those that executed:
// active, with a true predicate. Instructions appear in the emulator's order, not the hardware's.
#pragma once

#include <ostream>

#include "toolchain/emulator/grid_run.h"

namespace gt200::emulator {

class trace_writer : public run_observer {
 public:
  explicit trace_writer(std::ostream& out);

  void launch_begins(const launch::launch_parameters& launch) override;
  void retired(const step_record& r, const block_state& block) override;

 private:
  std::ostream& out_;
};

}  // namespace gt200::emulator
