#include "toolchain/register_sharing/code_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "toolchain/assembler/code_walk.h"

namespace gt200::register_sharing {
namespace {

using isa::tesla::control_kind;
using isa::tesla::instruction;

bool has_target(const instruction& i) {
  switch (i.control) {
    case control_kind::bra:
    case control_kind::call:
    case control_kind::prebrk:
    case control_kind::joinat: return true;
    default: return false;
  }
}

bool falls_through(const instruction& i) {
  // "exit (never) nop" exits all the same.
  if (i.exit) return i.predicated && i.op != isa::tesla::opcode::nop;
  switch (i.control) {
    case control_kind::bra:
    case control_kind::ret:
    case control_kind::brk: return i.predicated;
    case control_kind::call: return i.call_limit;
    case control_kind::trap:
    case control_kind::brkpt: return false;
    default: return true;
  }
}

// A region that joinat, breakaddr or call has put on the stack of the warp and that is still there.
struct open_region {
  control_kind opened_by;
  int target;
  bool operator==(const open_region& o) const { return opened_by == o.opened_by && target == o.target; }
};
using open_regions = std::vector<open_region>;

// Removes the innermost region of this kind and target, and those within it. Leaves all if there is none.
void close(open_regions& open, control_kind kind, int target) {
  for (std::size_t n = open.size(); n-- > 0;)
    if (open[n] == open_region{kind, target}) return open.resize(n);
}

}  // namespace

code_graph::code_graph(const cubin::kernel& kernel) {
  assembler::walk_code(kernel.code, [&](const assembler::code_step& step) {
    if (!step.instruction) throw refusal(fmt::format("the words at {:#x} are no instruction", step.address));
    code_node node;
    node.instruction = *step.instruction;
    node.address = step.address;
    nodes.push_back(node);
  });
  if (nodes.empty()) throw refusal("it has no code");
  find_successors();
  find_meetings();
  find_post_dominators();
}

void code_graph::find_successors() {
  std::map<isa::code_address, int> at;
  for (std::size_t n = 0; n < nodes.size(); ++n) at[nodes[n].address] = static_cast<int>(n);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    code_node& node = nodes[n];
    const instruction& i = node.instruction;
    if (i.control == control_kind::quadon || i.control == control_kind::quadpop)
      throw refusal(fmt::format("it has {} at {:#x}", i.control == control_kind::quadon ? "quadon" : "quadpop",
                                node.address));
    if (has_target(i)) {
      const auto found = at.find(i.target);
      if (found == at.end()) throw refusal(fmt::format("no instruction is at the target of {:#x}", node.address));
      node.target = found->second;
    }
    if (i.control == control_kind::call) behind_calls.push_back(static_cast<int>(n) + 1);
  }
  if (!behind_calls.empty() && behind_calls.back() == static_cast<int>(nodes.size()))
    throw refusal("its code can run past its end");
  std::vector<int> behind_loops;
  for (const code_node& node : nodes)
    if (node.instruction.control == control_kind::prebrk) behind_loops.push_back(node.target);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    code_node& node = nodes[n];
    const instruction& i = node.instruction;
    node.continues = falls_through(i);
    if (node.continues) node.next.push_back(static_cast<int>(n) + 1);
    switch (i.control) {
      case control_kind::bra:
      case control_kind::call: node.next.push_back(node.target); break;
      case control_kind::brk: node.next.insert(node.next.end(), behind_loops.begin(), behind_loops.end()); break;
      case control_kind::ret: node.next.insert(node.next.end(), behind_calls.begin(), behind_calls.end()); break;
      default: break;
    }
    std::sort(node.next.begin(), node.next.end());
    node.next.erase(std::unique(node.next.begin(), node.next.end()), node.next.end());
    if (!node.next.empty() && node.next.back() >= static_cast<int>(nodes.size()))
      throw refusal("its code can run past its end");
    // Outside of functions ret ends its lanes, and nobody waits for them.
    node.may_diverge = i.predicated && (i.control == control_kind::bra || i.control == control_kind::brk ||
                                        (i.control == control_kind::ret && !behind_calls.empty()));
  }
}

// Follows the stack through the code. Where paths with different stacks come together, what is open is what they
// have in common from the bottom on: a meeting that is further away is the careful answer.
void code_graph::find_meetings() {
  std::vector<std::optional<open_regions>> at(nodes.size());
  at[0].emplace();
  std::vector<int> work = {0};
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    const code_node& node = nodes[static_cast<std::size_t>(n)];
    const instruction& i = node.instruction;
    open_regions open = *at[static_cast<std::size_t>(n)];
    if (i.join) close(open, control_kind::joinat, n);
    close(open, control_kind::prebrk, n);
    if (i.control == control_kind::joinat || i.control == control_kind::prebrk)
      open.push_back({i.control, node.target});
    if (i.control == control_kind::call) open.push_back({control_kind::call, nowhere});
    if (i.control == control_kind::ret) close(open, control_kind::call, nowhere);
    for (const int next : node.next) {
      std::optional<open_regions>& there = at[static_cast<std::size_t>(next)];
      if (!there) {
        there = open;
      } else {
        const auto common = std::mismatch(there->begin(), there->end(), open.begin(), open.end()).first;
        if (common == there->end()) continue;
        there->erase(common, there->end());
      }
      work.push_back(next);
    }
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    code_node& node = nodes[n];
    if (!node.may_diverge || !at[n]) continue;
    open_regions open = *at[n];
    if (node.instruction.control == control_kind::brk)
      while (!open.empty() && open.back().opened_by != control_kind::prebrk) open.pop_back();
    if (!open.empty()) node.meeting = open.back().target;
    node.meets_at_return = !behind_calls.empty() && node.meeting == nowhere;
  }
  // A join that no joinat announces belongs to the other convention, where the last instruction of each path has
  // it.
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].instruction.join || !at[n]) continue;
    const bool announced = std::any_of(nodes.begin(), nodes.end(), [&](const code_node& o) {
      return o.instruction.control == control_kind::joinat && o.target == static_cast<int>(n);
    });
    if (!announced) throw refusal(fmt::format("no joinat announces the join at {:#x}", nodes[n].address));
  }
}

std::vector<bool> code_graph::reachable_behind(int from, int barrier) const {
  std::vector<bool> reached(nodes.size(), false);
  std::vector<int> work = {from};
  while (!work.empty()) {
    const int n = work.back();
    work.pop_back();
    for (const int next : nodes[static_cast<std::size_t>(n)].next) {
      if (next == barrier || reached[static_cast<std::size_t>(next)]) continue;
      reached[static_cast<std::size_t>(next)] = true;
      work.push_back(next);
    }
  }
  return reached;
}

// The nodes without which no way leads from the branch to an end, by taking each out in turn.
void code_graph::find_post_dominators() {
  const auto ends = [&](const code_node& node) {
    return node.next.empty() || node.instruction.exit || node.instruction.control == control_kind::ret;
  };
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    code_node& node = nodes[n];
    if (!node.may_diverge || node.instruction.control != control_kind::bra) continue;
    // The nearest is the one behind which all the others lie: candidates in the order of a walk from the branch.
    std::vector<bool> seen(nodes.size(), false);
    std::vector<int> order = {static_cast<int>(n)};
    for (std::size_t k = 0; k < order.size() && node.post_dominator == nowhere; ++k) {
      const int candidate = order[k];
      if (k != 0) {
        const std::vector<bool> without = reachable_behind(static_cast<int>(n), candidate);
        bool avoided = false;
        for (std::size_t m = 0; m < nodes.size(); ++m) avoided |= without[m] && ends(nodes[m]);
        if (!avoided) {
          node.post_dominator = candidate;
          break;
        }
      }
      for (const int next : nodes[static_cast<std::size_t>(candidate)].next) {
        if (seen[static_cast<std::size_t>(next)]) continue;
        seen[static_cast<std::size_t>(next)] = true;
        order.push_back(next);
      }
    }
  }
}

}  // namespace gt200::register_sharing
