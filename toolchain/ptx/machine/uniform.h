// Finds branches on which all threads of a warp agree: they need no join. The namespace of a target has
// differs_by_itself(operation): threads get different results even from equal sources; agrees_by_itself(operation):
// they get the same results even from different sources.
#pragma once

#include <vector>

#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/machine/meetings.h"

namespace gt200::ptx {

// A word is uniform if all threads of a warp that read it find the same value: parameters, constants, block
// indices, and what is computed from them. A word written where threads may have diverged is not.
template <class function>
class agreement {
 public:
  using block = typename function::block;
  using operation = typename function::operation;

  explicit agreement(function& f) : f_(f), differs_(f.registers.size()) {}

  void run() {
    for (std::size_t r = 0; r < f_.registers.size(); ++r) differs_[r] = f_.registers[r].fixed >= 0;
    std::vector<bool> split(f_.blocks.size());  // branches whose regions are done
    for (bool changed = true; changed;) {
      changed = follow_values();
      const meetings<function> meeting(f_, [&](const block& b) { return !b.is_uniform && differs(b.condition); });
      for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
        const block& here = f_.blocks[b];
        if (split[b] || here.end != ending::branch || here.is_uniform || !differs(here.condition)) continue;
        // If one way ends its threads, all others are on the other way.
        if (ends_threads(f_.blocks[static_cast<std::size_t>(here.taken)]) ||
            ends_threads(f_.blocks[static_cast<std::size_t>(here.next)]))
          continue;
        split[b] = changed = true;
        separate(here, meeting.parent(static_cast<int>(b)));
      }
    }
    for (block& b : f_.blocks)
      if (b.end == ending::branch && !differs(b.condition)) b.is_uniform = true;
  }

 private:
  bool differs(int reg) const { return reg >= 0 && differs_[static_cast<std::size_t>(reg)]; }
  bool mark(int reg) {
    if (reg < 0 || differs_[static_cast<std::size_t>(reg)]) return false;
    differs_[static_cast<std::size_t>(reg)] = true;
    return true;
  }

  bool follow_values() {
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      for (const block& b : f_.blocks) {
        for (const operation& o : b.code) {
          bool made = differs_by_itself(o);
          if (!made && !agrees_by_itself(o)) for_each_use(o, [&](word_ref r) { made = made || differs(r.reg); });
          if (made) for_each_definition(o, [&](word_ref r) { again = mark(r.reg) || again; });
        }
      }
      changed = changed || again;
    }
    return changed;
  }

  // Marks what is written on the ways from the branch to the block where they reconverge: threads come from
  // different ways, or from different rounds of a loop. Threads of ways that only end do not come there.
  void separate(const block& branch, int meeting) {
    std::vector<bool> region(f_.blocks.size());
    std::vector<int> work = successors(branch);
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (b == meeting || region[static_cast<std::size_t>(b)]) continue;
      region[static_cast<std::size_t>(b)] = true;
      for (const int s : successors(f_.blocks[static_cast<std::size_t>(b)])) work.push_back(s);
    }
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      if (!region[b]) continue;
      for (const operation& o : f_.blocks[b].code) {
        for_each_definition(o, [&](word_ref r) { mark(r.reg); });
      }
    }
  }

  function& f_;
  std::vector<bool> differs_;
};

}  // namespace gt200::ptx
