// Tesla's control flow thread by thread: a stack of targets for each thread of a warp.
//
// The tokens are those of token_stack.h without masks and without branch tokens, since a thread does not diverge
// from itself: joinat, prebrk and call push the address where the thread goes on, and join, brk and ret go to that
// of the thread. join acts after its instruction. What faults with token_stack.h faults here. quadon and quadpop
// concern several lanes, so they are unsupported.
//
// Simplification: all entries are on the chip; a thread that needs more than maximum_entries faults.
#pragma once

#include <array>
#include <vector>

#include "toolchain/arch_state/tesla/divergence_options.h"
#include "toolchain/arch_state/tesla/token_stack.h"
#include "toolchain/arch_state/thread_flow.h"

namespace gt200::arch_state::tesla {

class thread_stacks final : public thread_flow {
 public:
  explicit thread_stacks(const divergence_options& options) : options_(options) {}

  unsigned depth(unsigned lane) const override { return static_cast<unsigned>(stacks_[lane].size()); }
  bool meets(unsigned lane) const override {
    const stack& s = stacks_[lane];
    return !s.empty() && s.back().type == token_type::joinat && s.back().pc == pc(lane);
  }

 private:
  struct token {
    isa::code_address pc = 0;
    token_type type = token_type::joinat;
  };
  using stack = std::vector<token>;
  void started() override;
  fault_kind apply(unsigned lane, const isa::instruction& any, bool selected, isa::code_address& pc,
                   bool& ends) override;
  fault_kind push(stack& s, token_type type, isa::code_address pc) const;
  fault_kind call(stack& s, const isa::tesla::instruction& i, isa::code_address& pc) const;
  static void ret(stack& s, isa::code_address& pc, bool& ends);
  static fault_kind brk(stack& s, bool selected, isa::code_address& pc);
  static fault_kind join(stack& s, isa::code_address at);

  divergence_options options_;
  std::array<stack, isa::warp_size> stacks_;
};

}  // namespace gt200::arch_state::tesla
