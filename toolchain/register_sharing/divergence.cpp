#include "toolchain/register_sharing/divergence.h"

#include <algorithm>
#include <bitset>

#include "toolchain/isa/tesla/register_use.h"

namespace gt200::register_sharing {
namespace {

using isa::register_file_kind;
using isa::tesla::instruction;
using isa::tesla::opcode;

constexpr unsigned first_condition = isa::tesla::max_gpr;
constexpr unsigned first_address = first_condition + 4;
constexpr unsigned values = first_address + 8;
using value_set = std::bitset<values>;

unsigned number_of(register_file_kind file, unsigned index) {
  switch (file) {
    case register_file_kind::gpr: return index;
    case register_file_kind::condition: return first_condition + index;
    case register_file_kind::address: return first_address + index;
  }
  return index;
}

void add(value_set& to, const isa::register_range* ranges, unsigned count) {
  for (unsigned k = 0; k < count; ++k)
    for (unsigned r = 0; r < ranges[k].count; ++r) {
      const unsigned n = number_of(ranges[k].file, unsigned{ranges[k].first} + r);
      if (n < values) to.set(n);
    }
}

// Differs from lane to lane whatever its operands.
bool varies_by_itself(const instruction& i) {
  constexpr unsigned physid = 0;
  if (i.op == opcode::mov_from_sr) return i.source[0].index == physid;
  switch (i.access.kind) {
    case isa::access_kind::atomic:
    case isa::access_kind::locked_load: return true;
    default: break;
  }
  return i.access.space == isa::memory_space::local || i.op == opcode::quadop;
}

class uniformity {
 public:
  explicit uniformity(const code_graph& graph) : graph_(graph), varying_(graph.size()), met_(graph.size()) {
    for (const code_node& node : graph.nodes) {
      value_set reads, writes;
      add(reads, node.instruction.reads.data(), node.instruction.read_count);
      add(writes, node.instruction.writes.data(), node.instruction.write_count);
      reads_.push_back(reads);
      writes_.push_back(writes);
    }
    // General registers hold nothing known at the start; $c and $a are zero.
    for (unsigned r = 0; r < first_condition; ++r) varying_[0].set(r);
  }

  // Lanes meet that this region had split, so what it has written differs.
  void lanes_meet(int at, const std::vector<bool>& region) {
    for (std::size_t n = 0; n < region.size(); ++n)
      if (region[n]) met_[static_cast<std::size_t>(at)] |= writes_[n];
  }

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t n = 0; n < graph_.size(); ++n) {
        const value_set before = varying_[n] | met_[n];
        const value_set after = through(n, before);
        for (const int next : graph_.nodes[n].next) {
          value_set& there = varying_[static_cast<std::size_t>(next)];
          changed |= (after & ~there).any();
          there |= after;
        }
      }
    }
  }

  bool condition_varies(int node) const {
    const auto n = static_cast<std::size_t>(node);
    const instruction& i = graph_.nodes[n].instruction;
    return (varying_[n] | met_[n]).test(first_condition + i.condition_source);
  }

 private:
  value_set through(std::size_t n, const value_set& before) const {
    const instruction& i = graph_.nodes[n].instruction;
    const bool is_vote = i.op == opcode::vote_any || i.op == opcode::vote_all;
    bool varies = varies_by_itself(i) || (!is_vote && (reads_[n] & before).any());
    varies |= i.predicated && before.test(first_condition + i.condition_source);
    if (varies) return before | writes_[n];
    const bool whole = !i.predicated && i.lane_write_mask == 0xf && i.destination.part == isa::tesla::half::whole;
    return whole ? before & ~writes_[n] : before;
  }

  const code_graph& graph_;
  std::vector<value_set> varying_;  // before each node
  std::vector<value_set> met_;
  std::vector<value_set> reads_, writes_;
};

divergent_branch region_of(const code_graph& graph, int n) {
  const code_node& node = graph.nodes[static_cast<std::size_t>(n)];
  divergent_branch b;
  b.node = n;
  b.region = graph.reachable_behind(n, node.meeting);
  // A PDOM stack lets paths meet elsewhere.
  const std::vector<bool> other = graph.reachable_behind(n, node.post_dominator);
  for (std::size_t k = 0; k < other.size(); ++k) b.region[k] = b.region[k] || other[k];
  for (const int at : {node.meeting, node.post_dominator})
    if (at != nowhere && std::find(b.waiting.begin(), b.waiting.end(), at) == b.waiting.end())
      b.waiting.push_back(at);
  if (node.meets_at_return) b.waiting.insert(b.waiting.end(), graph.behind_calls.begin(), graph.behind_calls.end());
  return b;
}

}  // namespace

std::vector<divergent_branch> find_divergence(const code_graph& graph) {
  uniformity uniform(graph);
  std::vector<divergent_branch> result;
  std::vector<bool> known(graph.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    uniform.run();
    for (std::size_t n = 0; n < graph.size(); ++n) {
      if (known[n] || !graph.nodes[n].may_diverge || !uniform.condition_varies(static_cast<int>(n))) continue;
      known[n] = changed = true;
      result.push_back(region_of(graph, static_cast<int>(n)));
      for (const int at : result.back().waiting) uniform.lanes_meet(at, result.back().region);
    }
  }
  return result;
}

}  // namespace gt200::register_sharing
