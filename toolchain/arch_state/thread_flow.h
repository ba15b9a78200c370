// Control flow of the threads of one warp when warps are formed anew: each thread has a program counter and a stack
// of its own, so there are no lane masks. Which threads run together is decided elsewhere
// (sc_models/sm/divergence/warp_former.h).
//
// The class of a generation applies its rules. Cycle model and checked execution use the same one.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

class thread_flow {
 public:
  virtual ~thread_flow() = default;
  thread_flow(const thread_flow&) = delete;
  thread_flow& operator=(const thread_flow&) = delete;

  // These threads start at `pc`; everything else is forgotten.
  void start(isa::code_address pc, isa::lane_mask threads) {
    live_ = threads;
    pc_.fill(pc);
    started();
  }
  // Threads that have not ended.
  isa::lane_mask live() const { return live_; }
  // The address at which the thread goes on.
  isa::code_address pc(unsigned lane) const { return pc_[lane]; }
  void set_pc(unsigned lane, isa::code_address pc) { pc_[lane] = pc; }

  // The thread has executed the control instruction at pc(lane). `selected`: its predicate holds. Moves pc(lane),
  // or ends the thread.
  fault_kind execute(unsigned lane, const isa::instruction& i, bool selected) {
    bool ends = false;
    const fault_kind fault = apply(lane, i, selected, pc_[lane], ends);
    if (fault == fault_kind::none && ends) live_ &= ~(isa::lane_mask{1} << lane);
    return fault;
  }
  // Entries on the stack of the thread.
  virtual unsigned depth(unsigned lane) const = 0;
  // The thread is where the region ends that it has entered last, and has not left it.
  virtual bool meets(unsigned lane) const = 0;

 protected:
  thread_flow() = default;
  virtual void started() = 0;
  // Moves `pc`, the address of the instruction, to the next one; or sets `ends`.
  virtual fault_kind apply(unsigned lane, const isa::instruction& i, bool selected, isa::code_address& pc,
                           bool& ends) = 0;

 private:
  isa::lane_mask live_ = 0;
  std::array<isa::code_address, isa::warp_size> pc_{};
};

}  // namespace gt200::arch_state
