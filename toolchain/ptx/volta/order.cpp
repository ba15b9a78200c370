// Orders the instructions of each block: a list schedule by the longest way to the end of the block.
//
// Registers are given already, so that an order has to keep them: what reads a register stays before what writes it
// next. Accesses to memory, exchanges between lanes and clocks keep their order among each other; branches,
// barriers and what joins lanes keep their places.
#include <algorithm>
#include <array>

#include "toolchain/isa/volta/dependency_state.h"
#include "toolchain/ptx/volta/passes.h"

namespace gt200::ptx::volta {
namespace {

using namespace isa::volta;  // NOLINT: the hardware's terms

// Typical cycles of results whose time varies. They only guide the order.
unsigned typical_cycles(const instruction& i) {
  switch (i.op) {
    case isa::volta::opcode::ldg:
    case isa::volta::opcode::ld:
    case isa::volta::opcode::ldl:
    case isa::volta::opcode::atomg:
    case isa::volta::opcode::tex:
    case isa::volta::opcode::tld:
    case isa::volta::opcode::atom: return 200;
    case isa::volta::opcode::ldc: return 40;
    case isa::volta::opcode::lds:
    case isa::volta::opcode::atoms:
    case isa::volta::opcode::shfl: return 24;
    default: return 16;
  }
}
constexpr unsigned cycles_to_read = 8;  // operands of instructions of varying time

bool keeps_its_place(const instruction& i) {
  return i.concerns_divergence() || i.unit == isa::unit_class::barrier || i.unit == isa::unit_class::control;
}

bool is_ordered(const instruction& i) {
  return i.access.kind != isa::access_kind::none || i.crosses_lanes || i.op == isa::volta::opcode::cs2r ||
         i.op == isa::volta::opcode::s2r || i.op == isa::volta::opcode::cctl;
}

struct edge {
  std::size_t to;
  unsigned cycles;
};

class block_orderer {
 public:
  block_orderer(std::vector<placed_instruction>& code, std::size_t first, std::size_t last)
      : code_(code),
        first_(first),
        size_(last - first),
        edges_(size_),
        waits_for_(size_),
        way_(size_),
        earliest_(size_) {
    for (std::size_t k = 0; k < size_; ++k) connect(k);
    for (std::size_t k = size_; k-- > 0;) {
      way_[k] = cycles_of_own(k);
      for (const edge& e : edges_[k]) way_[k] = std::max(way_[k], e.cycles + way_[e.to]);
    }
  }

  void run() {
    std::vector<placed_instruction> ordered;
    std::vector<std::size_t> ready;
    for (std::size_t k = 0; k < size_; ++k)
      if (waits_for_[k] == 0) ready.push_back(k);
    unsigned now = 0;
    while (!ready.empty()) {
      const auto next = std::min_element(ready.begin(), ready.end(), [&](std::size_t a, std::size_t b) {
        const unsigned start_a = std::max(earliest_[a], now);
        const unsigned start_b = std::max(earliest_[b], now);
        if (start_a != start_b) return start_a < start_b;
        if (way_[a] != way_[b]) return way_[a] > way_[b];
        return a < b;
      });
      const std::size_t k = *next;
      ready.erase(next);
      now = std::max(earliest_[k], now);
      ordered.push_back(code_[first_ + k]);
      for (const edge& e : edges_[k]) {
        earliest_[e.to] = std::max(earliest_[e.to], now + e.cycles);
        if (--waits_for_[e.to] == 0) ready.push_back(e.to);
      }
      ++now;
    }
    std::copy(ordered.begin(), ordered.end(), code_.begin() + static_cast<std::ptrdiff_t>(first_));
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct use {
    std::size_t writer = none;
    unsigned word = 0;
    std::vector<std::size_t> readers;  // since
  };

  const instruction& at(std::size_t k) const { return code_[first_ + k].code; }

  // Until its result can be read behind the block: the branch there needs predicates.
  unsigned cycles_of_own(std::size_t k) const {
    const instruction& i = at(k);
    if (has_variable_latency(i)) return typical_cycles(i);
    unsigned cycles = 1;
    for_each_write(i, [&](unsigned resource, unsigned word) {
      const result_class c = result_class_of(i, word);
      cycles = std::max(cycles, resource < max_gpr ? register_latency(c, reader_class::alu)
                                                   : predicate_latency(c, reader_class::alu, true));
    });
    return cycles;
  }

  void add(std::size_t from, std::size_t to, unsigned cycles) {
    if (from == none || from == to) return;
    edges_[from].push_back({to, cycles});
    ++waits_for_[to];
  }

  void connect(std::size_t k) {
    const instruction& i = at(k);
    for_each_read(i, [&](unsigned resource, reader_class reader, bool as_guard) {
      use& u = uses_[resource];
      if (u.writer != none) add(u.writer, k, cycles_between(u, resource, reader, as_guard));
    });
    for_each_write(i, [&](unsigned resource, unsigned) {
      const use& u = uses_[resource];
      if (u.writer != none) add(u.writer, k, has_variable_latency(at(u.writer)) ? typical_cycles(at(u.writer)) : 1);
      for (const std::size_t r : u.readers) add(r, k, has_variable_latency(at(r)) ? cycles_to_read : 1);
    });
    for_each_read(i, [&](unsigned resource, reader_class, bool) { uses_[resource].readers.push_back(k); });
    for_each_write(i, [&](unsigned resource, unsigned word) { uses_[resource] = {k, word, {}}; });
    if (!is_ordered(i)) return;
    add(last_ordered_, k, 1);
    last_ordered_ = k;
  }

  unsigned cycles_between(const use& u, unsigned resource, reader_class reader, bool as_guard) const {
    const instruction& writer = at(u.writer);
    if (has_variable_latency(writer)) return typical_cycles(writer);
    const result_class c = result_class_of(writer, u.word);
    return resource < max_gpr ? register_latency(c, reader) : predicate_latency(c, reader, as_guard);
  }

  std::vector<placed_instruction>& code_;
  std::size_t first_;
  std::size_t size_;
  std::vector<std::vector<edge>> edges_;
  std::vector<unsigned> waits_for_;  // edges that lead to the instruction
  std::vector<unsigned> way_;        // cycles to the end of the block
  std::vector<unsigned> earliest_;
  std::array<use, resource_count> uses_;
  std::size_t last_ordered_ = none;
};

}  // namespace

void order_instructions(std::vector<placed_block>& blocks) {
  for (placed_block& b : blocks)
    for (std::size_t first = 0; first < b.code.size();) {
      std::size_t last = first;
      while (last < b.code.size() && !keeps_its_place(b.code[last].code)) ++last;
      if (last - first > 1) block_orderer(b.code, first, last).run();
      first = last + 1;
    }
}

}  // namespace gt200::ptx::volta
