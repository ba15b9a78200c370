// Control codes: stalls cover results of fixed time, dependency barriers the others, over all paths.
//
// The state between instructions is that of lint (isa/volta/dependency_state.h). Stalls and wait masks only grow
// while it is followed along the paths, so that the work ends. A block whose first instruction would come too early
// lets the last instructions before it stall longer.
#include <algorithm>
#include <set>

#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/dependency_state.h"
#include "toolchain/ptx/volta/passes.h"

namespace gt200::ptx::volta {
namespace {

using namespace isa::volta;  // NOLINT: the hardware's terms
using isa::control_codes;

// All readers that need a barrier share the last one: operands are read soon, in order.
constexpr std::uint8_t barrier_of_readers = dependency_barriers - 1;
constexpr unsigned barriers_of_writers = dependency_barriers - 1;
constexpr unsigned longest_stall_without_yield = 11;
// A barrier counts from the second cycle on.
constexpr unsigned cycles_to_set_a_barrier = 2;

bool sets_a_barrier(const control_codes& c) {
  return c.write_barrier != control_codes::no_barrier || c.read_barrier != control_codes::no_barrier;
}

std::uint8_t barriers_set(const control_codes& c) {
  std::uint8_t set = 0;
  for (const std::uint8_t b : {c.write_barrier, c.read_barrier})
    if (b != control_codes::no_barrier) set = static_cast<std::uint8_t>(set | 1u << b);
  return set;
}

class control_setter {
 public:
  explicit control_setter(std::vector<placed_block>& blocks)
      : blocks_(blocks), before_(blocks.size()), behind_(blocks.size()), known_(blocks.size()) {
    for (std::size_t b = 0; b < blocks.size(); ++b)
      for (const std::size_t n : blocks[b].next) before_[n].push_back(b);
    for (placed_block& b : blocks) {
      for (placed_instruction& i : b.code) i.code.codes = start_codes();
      // The next block may wait for what the last instruction sets.
      control_codes& last = b.code.back().code.codes;
      if (sets_a_barrier(last)) last.stall_cycles = cycles_to_set_a_barrier;
    }
  }

  void run() {
    open_.insert(0);
    while (!open_.empty()) {
      const std::size_t b = *open_.begin();
      open_.erase(open_.begin());
      follow(b);
    }
  }

 private:
  static control_codes start_codes() {
    control_codes c;
    c.stall_cycles = 1;
    return c;
  }

  dependency_state state_before(std::size_t b) const {
    dependency_state state;
    for (const std::size_t p : before_[b])
      if (known_[p]) state.merge(behind_[p]);
    return state;
  }

  void follow(std::size_t b) {
    std::vector<placed_instruction>& code = blocks_[b].code;
    if (const unsigned missing = cycles_missing(state_before(b), code.front().code); missing != 0)
      for (const std::size_t p : before_[b]) wait_behind(p, code.front().code);
    dependency_state state = state_before(b);
    for (std::size_t k = 0; k < code.size(); ++k) {
      instruction& i = code[k].code;
      if (k != 0) {
        control_codes& last = code[k - 1].code.codes;
        stall(last, cycles_missing(state, i), state);
      }
      const std::uint8_t waits = barriers_needed(state, i);
      if (k != 0 && (waits & barriers_set(code[k - 1].code.codes)) != 0)
        if (control_codes& last = code[k - 1].code.codes; last.stall_cycles < cycles_to_set_a_barrier)
          stall(last, cycles_to_set_a_barrier - last.stall_cycles, state);
      i.codes.wait_mask |= waits;
      state.wait(i.codes.wait_mask);
      choose_barriers(code, k, state);
      state.issue(i);
      state.pass(issue_cycles(i.codes));
    }
    if (known_[b] && behind_[b] == state) return;
    known_[b] = true;
    behind_[b] = state;
    open_.insert(blocks_[b].next.begin(), blocks_[b].next.end());
  }

  static void stall(control_codes& codes, unsigned cycles, dependency_state& state) {
    codes.stall_cycles = static_cast<std::uint8_t>(codes.stall_cycles + cycles);
    codes.yield = codes.stall_cycles > longest_stall_without_yield;
    state.pass(cycles);
  }

  // Lets the last instruction of block p stall until `i` finds all results of fixed time.
  void wait_behind(std::size_t p, const instruction& i) {
    if (!known_[p]) return;
    stall(blocks_[p].code.back().code.codes, cycles_missing(behind_[p], i), behind_[p]);
  }

  static unsigned cycles_missing(const dependency_state& state, const instruction& i) {
    unsigned missing = 0;
    for_each_read(i, [&](unsigned resource, reader_class reader, bool as_guard) {
      missing = std::max(missing, state.cycles_short(resource, reader, as_guard));
    });
    return missing;
  }

  static std::uint8_t barriers_needed(const dependency_state& state, const instruction& i) {
    std::uint8_t waits = 0;
    for_each_read(i, [&](unsigned resource, reader_class, bool) { waits |= state.of[resource].writing; });
    for_each_write(i, [&](unsigned resource, unsigned) {
      waits |= state.of[resource].writing;
      waits |= state.of[resource].reading;
    });
    return waits;
  }

  // Each instruction keeps the barriers that it gets first.
  void choose_barriers(std::vector<placed_instruction>& code, std::size_t k, const dependency_state& state) {
    instruction& i = code[k].code;
    if (!has_variable_latency(i) || sets_a_barrier(i.codes)) return;
    bool writes = false;
    for_each_write(i, [&](unsigned, unsigned) { writes = true; });
    bool reads = false;
    for_each_read(i, [&](unsigned, reader_class, bool) { reads = true; });
    if (writes) i.codes.write_barrier = barrier_for_writer(state);
    if (reads && (!writes || sources_change_early(code, k))) i.codes.read_barrier = barrier_of_readers;
    if (sets_a_barrier(i.codes) && k + 1 == code.size())
      i.codes.stall_cycles = std::max<std::uint8_t>(i.codes.stall_cycles, cycles_to_set_a_barrier);
  }

  // One that no result is pending on, else the one that was given last: results come in order as a rule.
  std::uint8_t barrier_for_writer(const dependency_state& state) {
    std::uint8_t busy = 0;
    for (const pending_result& p : state.of) busy |= static_cast<std::uint8_t>(p.writing | p.reading);
    for (std::uint8_t n = 0; n < barriers_of_writers; ++n) {
      const auto b = static_cast<std::uint8_t>((last_barrier_ + 1 + n) % barriers_of_writers);
      if ((busy >> b & 1) != 0) continue;
      last_barrier_ = b;
      return b;
    }
    return last_barrier_;
  }

  // A source is written before the result is awaited.
  static bool sources_change_early(const std::vector<placed_instruction>& code, std::size_t k) {
    std::set<unsigned> sources;
    std::set<unsigned> results;
    for_each_read(code[k].code, [&](unsigned r, reader_class, bool) { sources.insert(r); });
    for_each_write(code[k].code, [&](unsigned r, unsigned) { results.insert(r); });
    for (std::size_t j = k + 1; j < code.size(); ++j) {
      bool awaits = false;
      for_each_read(code[j].code,
                    [&](unsigned r, reader_class, bool) { awaits = awaits || results.count(r) != 0; });
      bool changes = false;
      for_each_write(code[j].code, [&](unsigned r, unsigned) {
        awaits = awaits || results.count(r) != 0;
        changes = changes || sources.count(r) != 0;
      });
      if (awaits) return false;
      if (changes) return true;
    }
    return false;
  }

  std::vector<placed_block>& blocks_;
  std::vector<std::vector<std::size_t>> before_;
  std::vector<dependency_state> behind_;
  std::vector<bool> known_;
  std::set<std::size_t> open_;
  std::uint8_t last_barrier_ = barriers_of_writers - 1;
};

// -- reuse --

// Operations of fixed time on single words whose operand ports are numbered as their sources.
bool may_keep(const instruction& i) {
  switch (i.op) {
    case isa::volta::opcode::ffma:
    case isa::volta::opcode::fmul:
    case isa::volta::opcode::imad:
    case isa::volta::opcode::iadd3:
    case isa::volta::opcode::lop3:
    case isa::volta::opcode::shf:
    case isa::volta::opcode::prmt: return true;
    default: return false;
  }
}

// A register stays in the operand cache for the next instruction if that has it in the same place.
void keep_operands(std::vector<placed_instruction>& code) {
  for (std::size_t k = 0; k + 1 < code.size(); ++k) {
    instruction& i = code[k].code;
    const instruction& next = code[k + 1].code;
    if (!may_keep(i) || !may_keep(next) || i.codes.yield) continue;
    for (unsigned slot = 0; slot < i.source.size(); ++slot) {
      operand& o = i.source[slot];
      const operand& other = next.source[slot];
      if (o.kind != isa::volta::operand_kind::gpr || other.kind != o.kind || o.index == zero_register ||
          other.index != o.index || o.words != 1 || other.words != 1)
        continue;
      bool is_written = false;
      for_each_write(i, [&](unsigned r, unsigned) { is_written = is_written || r == o.index; });
      if (!is_written) o.reuse = true;
    }
  }
}

}  // namespace

void set_control_codes(std::vector<placed_block>& blocks, bool uses_reuse) {
  control_setter(blocks).run();
  if (!uses_reuse) return;
  for (placed_block& b : blocks) keep_operands(b.code);
}

}  // namespace gt200::ptx::volta
