#include "toolchain/register_sharing/liveness.h"

#include "toolchain/isa/tesla/register_use.h"

namespace gt200::register_sharing {
namespace {

using isa::tesla::operand;
using isa::tesla::operand_kind;

using half_set = std::bitset<2 * isa::tesla::max_gpr>;

struct step {
  half_set reads, writes, overwrites;
  half_set live_in, live_out;
  half_set may_be_written_in, may_be_written_out;
};

void add(half_set& to, unsigned first, unsigned count) {
  for (unsigned h = 2 * first; h < 2 * (first + count) && h < to.size(); ++h) to.set(h);
}

void add(half_set& to, const operand& o) {
  if (o.kind == operand_kind::global) return add(to, o.base, 1);
  if (o.kind != operand_kind::gpr) return;
  switch (o.part) {
    case isa::tesla::half::whole: return add(to, o.index, static_cast<unsigned>(isa::words_of(o.type)));
    case isa::tesla::half::low: to.set(2u * o.index); return;
    case isa::tesla::half::high: to.set(2u * o.index + 1); return;
  }
}

step step_of(const isa::tesla::instruction& i) {
  step s;
  for (const operand& o : i.source) add(s.reads, o);
  if (is_texture(i)) {
    add(s.reads, i.destination.index, i.texture_arguments);
    add(s.writes, i.destination.index, static_cast<unsigned>(isa::tesla::texture_words(i)));
  } else {
    add(s.writes, i.destination);
  }
  if (!i.predicated && i.lane_write_mask == 0xf) s.overwrites = s.writes;
  return s;
}

register_set whole(const half_set& halves, unsigned registers) {
  register_set result;
  for (unsigned r = 0; r < registers && r < result.size(); ++r)
    if (halves.test(2 * r) || halves.test(2 * r + 1)) result.set(r);
  return result;
}

// Registers that must keep their numbers to each other.
register_set grouped_by(const isa::tesla::instruction& i, const step& s, unsigned registers) {
  if (is_texture(i)) return whole(s.reads | s.writes, registers);
  register_set result;
  const auto take = [&](const operand& o) {
    if (o.kind != operand_kind::gpr || isa::words_of(o.type) == 1) return;
    half_set all;
    add(all, o);
    result |= whole(all, registers);
  };
  for (const operand& o : i.source) take(o);
  take(i.destination);
  return result;
}

}  // namespace

std::vector<register_life> find_life(const code_graph& graph, unsigned registers) {
  std::vector<step> steps;
  for (const code_node& node : graph.nodes) steps.push_back(step_of(node.instruction));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = steps.size(); n-- > 0;) {
      half_set live;
      for (const int next : graph.nodes[n].next) live |= steps[static_cast<std::size_t>(next)].live_in;
      const half_set before = (live & ~steps[n].overwrites) | steps[n].reads;
      changed |= before != steps[n].live_in || live != steps[n].live_out;
      steps[n].live_in = before;
      steps[n].live_out = live;
    }
  }
  // $r0 holds the number of the thread.
  add(steps[0].may_be_written_in, 0, 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = 0; n < steps.size(); ++n) {
      const half_set out = steps[n].may_be_written_in | steps[n].writes;
      changed |= out != steps[n].may_be_written_out;
      steps[n].may_be_written_out = out;
      for (const int next : graph.nodes[n].next) steps[static_cast<std::size_t>(next)].may_be_written_in |= out;
    }
  }
  std::vector<register_life> result;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const step& s = steps[n];
    register_life life;
    life.before = whole(s.live_in & s.may_be_written_in, registers);
    life.after = whole(s.live_out & s.may_be_written_out, registers);
    life.reads = whole(s.reads, registers);
    life.writes = whole(s.writes, registers);
    for (unsigned r = 0; r < registers && r < isa::tesla::max_gpr; ++r)
      if (life.writes.test(r) && !(s.overwrites.test(2 * r) && s.overwrites.test(2 * r + 1))) life.keeps.set(r);
    life.grouped = grouped_by(graph.nodes[n].instruction, s, registers);
    result.push_back(life);
  }
  return result;
}

}  // namespace gt200::register_sharing
