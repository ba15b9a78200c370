// If-conversion: short branches become guards; chains of blocks become one block.
#include <algorithm>

#include "toolchain/ptx/liveness.h"
#include "toolchain/ptx/passes.h"

namespace gt200::ptx {
namespace {

using isa::tesla::opcode;

// ptxas: 4 instructions, 7 where threads of a warp are likely to disagree. Unless the branch is marked uniform, the
// condition here always depends on data or on the thread.
constexpr std::size_t max_uniform = 4;
constexpr std::size_t max_divergent = 7;

class converter {
 public:
  explicit converter(machine_function& f) : f_(f) {}

  void run() {
    while (convert_one()) {
    }
  }

 private:
  bool convert_one() {
    const std::vector<std::vector<int>> before = predecessors(f_);
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const block& head = f_.blocks[b];
      if (head.end != ending::branch || head.taken == head.next) continue;
      const std::size_t max_operations = head.is_uniform ? max_uniform : max_divergent;
      // The side is skipped when the branch is taken, or when it is not.
      if (is_side(head.next, head.taken, head, max_operations, before))
        return guard(b, head.next, !head.on_false, head.taken);
      if (is_side(head.taken, head.next, head, max_operations, before))
        return guard(b, head.taken, head.on_false, head.next);
    }
    return false;
  }

  // True if the branch alone leads to the block, the block leads to `end`, and its operations can be guarded.
  bool is_side(int side, int end, const block& head, std::size_t max_operations,
               const std::vector<std::vector<int>>& before) const {
    const block& s = f_.blocks[static_cast<std::size_t>(side)];
    return s.end == ending::jump && s.next == end && side != end &&
           before[static_cast<std::size_t>(side)].size() == 1 && s.code.size() <= max_operations &&
           std::all_of(s.code.begin(), s.code.end(),
                       [&](const operation& o) { return can_guard(o) && o.condition_out != head.condition; });
  }

  static bool can_guard(const operation& o) {
    if (o.code.condition != 0xf || o.condition_in >= 0 || o.condition_out >= 0 || o.code.lock ||
        o.expansion != pseudo::none)
      return false;
    switch (o.code.op) {
      case opcode::bar:
      case opcode::tex:
      case opcode::texfetch:
      case opcode::vote_any:
      case opcode::vote_all:
      case opcode::trap:
      case opcode::brkpt:
      case opcode::pmevent: return false;
      default: return true;
    }
  }

  // Has no effect in threads that should not execute it, as long as its result stays in the block.
  static bool is_harmless(const operation& o) {
    switch (o.code.op) {
      case opcode::ld_global:
      case opcode::ld_local:
      case opcode::ld_shared:
      case opcode::ld_const: return false;
      default: break;
    }
    const bool reads_memory =
        std::any_of(o.source.begin(), o.source.end(), [](word_ref r) { return r.reg >= 0; }) &&
        std::any_of(o.code.source.begin(), o.code.source.end(), [&](const isa::tesla::operand& s) {
          return (s.kind == isa::tesla::operand_kind::shared || s.kind == isa::tesla::operand_kind::constant) &&
                 !o.reads_parameter;
        });
    return !has_effect(o) && !reads_memory;
  }

  // `when`: the condition value that skips the side.
  bool guard(std::size_t b, int side, bool when, int end) {
    const liveness live(f_);
    const bit_set needed = live.live_out(static_cast<std::size_t>(side));
    block& head = f_.blocks[b];
    block& s = f_.blocks[static_cast<std::size_t>(side)];
    for (operation& o : s.code) {
      bool stays = o.destination.reg >= 0;
      for_each_destination(o, [&](word_ref r) { stays = stays && !needed.test(live.node(r)); });
      if (!stays || !is_harmless(o)) {
        o.code.condition = when ? condition_false : condition_true;
        o.condition_in = head.condition;
      }
      head.code.push_back(o);
    }
    s = {};
    head.end = ending::jump;
    head.next = end;
    head.taken = -1;
    head.condition = -1;
    return true;
  }

  machine_function& f_;
};

// Follows empty blocks to a block that ends the threads; otherwise returns b itself. Empty blocks on other ways
// stay: a loop may announce its join there.
int destination(const machine_function& f, int b) {
  int to = b;
  for (std::size_t steps = 0; steps < f.blocks.size(); ++steps) {
    const block& here = f.blocks[static_cast<std::size_t>(to)];
    if (ends_threads(here)) return to;
    if (!here.code.empty() || here.end != ending::jump) break;
    to = here.next;
  }
  return b;
}

}  // namespace

void join_blocks(machine_function& f) {
  for (block& b : f.blocks) {
    if (b.end == ending::exit) continue;
    b.next = destination(f, b.next);
    if (b.end == ending::branch) b.taken = destination(f, b.taken);
    if (b.end == ending::branch && b.taken == b.next) {
      b.end = ending::jump;
      b.taken = b.condition = -1;
    }
    if (b.end == ending::jump && ends_threads(f.blocks[static_cast<std::size_t>(b.next)])) b.end = ending::exit;
  }
  remove_unreachable(f);
  const std::vector<std::vector<int>> before = predecessors(f);
  for (std::size_t k = 0; k < f.blocks.size(); ++k) {
    block& b = f.blocks[k];
    while (b.end == ending::jump && b.next != 0 && b.next != static_cast<int>(k) &&
           before[static_cast<std::size_t>(b.next)].size() == 1) {
      block follower = std::move(f.blocks[static_cast<std::size_t>(b.next)]);
      f.blocks[static_cast<std::size_t>(b.next)] = {};
      follower.code.insert(follower.code.begin(), b.code.begin(), b.code.end());
      b = std::move(follower);
    }
  }
}

void convert_branches(machine_function& f) { converter(f).run(); }

}  // namespace gt200::ptx
