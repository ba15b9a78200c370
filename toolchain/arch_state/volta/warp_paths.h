// Divergence of Volta: every lane has a program counter of its own, and paths meet at convergence barriers.
//
// Lanes that go the same way form a path: a program counter and a mask. A branch that is not taken by all lanes of
// its path splits it. Paths at the same place do not merge by themselves; they merge at
//   bsync Bn       a path waits until all lanes of the mask in Bn have arrived, and they go on as one path;
//   warpsync mask  the same for the lanes of a mask.
// bssy puts the lanes of its path into Bn, break takes lanes out, exit takes a lane out of all B registers.
//
// One path runs at a time: pc() and active_mask(). It gives way to the next runnable one at bsync and warpsync when
// it has to wait, at a barrier of the block, at yield, behind a taken backward branch, and when its lanes have
// ended. The next one is that of the next higher lane, after the highest one the lowest. So every path goes on
// after a bounded number of instructions, whatever the others wait for. Whoever keeps time ends the turn of a path
// earlier by the operation of generation::turn_end().
//
// Sources: Mesa NAK; the rules of switching are ours (assumption), as nothing is published.
#pragma once

#include <array>

#include "toolchain/arch_state/divergence.h"
#include "toolchain/isa/volta/instruction.h"

namespace gt200::arch_state::volta {

class warp_paths final : public divergence {
 public:
  control_result enter(const isa::instruction&) override { return {}; }
  control_result execute(const isa::instruction& i, isa::lane_mask selected) override;
  // brx, call and ret: `targets` holds the register of each lane, to which the distance or address of the
  // instruction is added. warpsync: the masks.
  control_result execute_indirect(const isa::instruction& i, isa::lane_mask selected,
                                  const isa::lane_words& targets) override;

  // The path waits at a barrier of the block; release_block_barrier() lets the paths of these lanes that wait there
  // go on.
  void wait_at_block_barrier(unsigned number) override;
  void release_block_barrier(unsigned number, isa::lane_mask lanes) override;
  // The path with these lanes becomes the running one, if it can run; for those who follow another execution.
  void run(isa::lane_mask lanes);
  // bmov.
  void move_state(const isa::instruction& i, isa::lane_bundle& values, isa::lane_mask selected) override;
  // Lanes are left, and no path can run.
  bool blocked() const { return flow_.active == 0 && live_mask() != 0; }
  bool others_can_run() const override;
  std::uint32_t turns() const override { return turns_; }

  isa::lane_mask convergence_register(unsigned n) const { return registers_[n]; }
  void set_convergence_register(unsigned n, isa::lane_mask mask);

  // For logs: the paths other than the running one.
  unsigned depth() const override { return count_; }
  unsigned entries_in_memory() const override { return 0; }
  stack_words words(unsigned index) const override;
  stack_entry entry(unsigned index) const override;
  unsigned max_depth() const override { return isa::warp_size; }

 private:
  enum class wait : std::uint8_t { nothing, convergence, warp, block };
  struct path {
    isa::code_address pc = 0;
    isa::lane_mask mask = 0;
    wait waits = wait::nothing;
    std::uint8_t barrier = 0;     // number of the convergence register or of the block's barrier
    isa::lane_mask together = 0;  // warp
  };

  void started() override;
  control_result finish(isa::code_address behind);
  void split_off(isa::lane_mask lanes, isa::code_address pc, wait waits, std::uint8_t barrier,
                 isa::lane_mask together);
  void resume_complete();
  bool merge(wait waits, std::uint8_t barrier, isa::lane_mask together);
  void choose_next();
  void run_path(unsigned index);

  std::array<path, isa::warp_size> paths_;  // all but the running one
  unsigned count_ = 0;
  std::array<isa::lane_mask, isa::volta::convergence_barriers> registers_{};
  isa::lane_mask last_ = 0;  // lanes of the path that ran last
  std::uint32_t turns_ = 0;
};

}  // namespace gt200::arch_state::volta
