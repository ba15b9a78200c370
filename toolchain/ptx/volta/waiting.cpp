// Loops that a thread leaves when another one has done something: locks, flags, tickets.
#include <algorithm>
#include <set>
#include <utility>

#include "toolchain/ptx/machine/loops.h"
#include "toolchain/ptx/volta/passes.h"

namespace gt200::ptx::volta {
namespace {

using isa::volta::opcode;

bool is_atomic(const operation& o) {
  return o.code.op == opcode::atom || o.code.op == opcode::atomg || o.code.op == opcode::atoms;
}

bool writes_for_others(const operation& o) {
  switch (o.code.op) {
    case opcode::st:
    case opcode::stg:
    case opcode::sts:
    case opcode::red: return true;
    default: return is_atomic(o);
  }
}

class loop_reader {
 public:
  loop_reader(const machine_function& f, const natural_loop& loop)
      : f_(f), loop_(loop), read_(results_of([](const operation& o) { return is_atomic(o) || reads_memory(o); })) {}

  // A way out depends on what others have written.
  bool waits() const {
    const std::set<int> results = results_of([this](const operation& o) { return depends_on_others(o); });
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const block& from = f_.blocks[b];
      if (!loop_.contains[b] || from.end != ending::branch || results.count(from.condition) == 0) continue;
      if (!loop_.has(from.taken) || !loop_.has(from.next)) return true;
    }
    return false;
  }

 private:
  template <class action>
  void for_each_operation(action act) const {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b)
      if (loop_.contains[b])
        for (const operation& o : f_.blocks[b].code) act(o);
  }

  // An exchange of a word that was read in the loop is tried again until nobody comes between: its thread gets on
  // without the others.
  bool depends_on_others(const operation& o) const {
    if (o.destination.reg < 0) return false;
    if (is_atomic(o)) return o.code.compare_and_swap == 0 || read_.count(o.source[1].reg) == 0;
    return o.is_volatile && reads_memory(o);
  }

  // The registers that such an operation writes, and all that are computed from them.
  template <class predicate>
  std::set<int> results_of(predicate begins) const {
    std::set<int> results;
    for (bool again = true; again;) {
      again = false;
      for_each_operation([&](const operation& o) {
        bool is_result = begins(o);
        for_each_use(o, [&](word_ref w) { is_result = is_result || results.count(w.reg) != 0; });
        if (!is_result) return;
        for_each_definition(o, [&](word_ref w) { again = results.insert(w.reg).second || again; });
      });
    }
    return results;
  }

  const machine_function& f_;
  const natural_loop& loop_;
  std::set<int> read_;  // registers with what the loop has read
};

}  // namespace

std::vector<std::vector<bool>> waiting_loops(const machine_function& f) {
  std::vector<std::vector<bool>> result;
  for (const natural_loop& loop : loops_of(f))
    if (loop_reader(f, loop).waits()) result.push_back(loop.contains);
  return result;
}

bool writes_before_barrier(const machine_function& f, int from) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<int> work = {from};
  while (!work.empty()) {
    const auto b = static_cast<std::size_t>(work.back());
    work.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    bool meets = false;
    for (const operation& o : f.blocks[b].code) {
      if (writes_for_others(o)) return true;
      meets = o.code.op == opcode::bar;
      if (meets) break;
    }
    if (meets) continue;
    const std::vector<int> next = successors(f.blocks[b]);
    work.insert(work.end(), next.begin(), next.end());
  }
  return false;
}

}  // namespace gt200::ptx::volta
