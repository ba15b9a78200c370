// Computes values where they are needed, if that takes fewer registers.
#include <algorithm>
#include <vector>

#include "toolchain/ptx/tesla/memory_order.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

class sinker {
 public:
  explicit sinker(machine_function& f) : f_(f), live_(f), definitions_(f) {
    first_read_.resize(f.registers.size() * 4);
    last_read_.resize(f.registers.size() * 4);
  }

  void run() {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) sink(b);
  }

 private:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);

  // From the last operation to the first: each moves before the first reader of its result, if everything it reads
  // is needed there or later anyway.
  void sink(std::size_t b) {
    std::vector<operation>& code = f_.blocks[b].code;
    const bit_set out = live_.live_out(b);
    for (const operation& o : code) {
      const auto clear = [&](word_ref r) {
        first_read_[unit(r)] = never;
        last_read_[unit(r)] = out.test(live_.node(r)) ? code.size() : 0;
      };
      for_each_source(o, clear);
      for_each_destination(o, clear);
    }
    std::vector<std::size_t> place(code.size());
    for (std::size_t k = code.size(); k-- > 0;) {
      place[k] = k;
      if (may_move(code[k])) {
        const std::size_t to = first_read_[unit(code[k].destination)];
        if (to != never && sources_last_until(code[k], b, k, to) && memory_keeps(code, k, to)) place[k] = to;
      }
      for_each_source(code[k], [&](word_ref r) {
        first_read_[unit(r)] = std::min(first_read_[unit(r)], place[k]);
        last_read_[unit(r)] = std::max(last_read_[unit(r)], place[k]);
      });
    }
    std::vector<std::size_t> order(code.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    // Moved operations go before the operation that was always there.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      if (place[x] != place[y]) return place[x] < place[y];
      return place[x] != x && place[y] == y;
    });
    std::vector<operation> sorted;
    sorted.reserve(code.size());
    for (const std::size_t k : order) sorted.push_back(code[k]);
    code = std::move(sorted);
  }

  bool may_move(const operation& o) const {
    if (o.destination.reg < 0 || o.guarded() || o.condition_in >= 0 || o.condition_out >= 0 || has_effect(o) ||
        o.code.op == opcode::mov_from_sr || o.code.op == opcode::tex || o.code.op == opcode::texfetch ||
        o.code.op == opcode::vote_any || o.code.op == opcode::vote_all || o.code.op == opcode::mov_from_c)
      return false;
    const virtual_register& d = f_.registers[static_cast<std::size_t>(o.destination.reg)];
    return d.kind == register_class::general && d.words == 1 && d.fixed < 0 &&
           definitions_.of(o.destination).writes == 1;
  }

  // True if nothing between writes what operation k loads. Stores and barriers do not move.
  static bool memory_keeps(const std::vector<operation>& code, std::size_t k, std::size_t to) {
    for (std::size_t j = k + 1; j < to; ++j)
      if (must_follow(code[j], code[k])) return false;
    return true;
  }

  bool sources_last_until(const operation& o, std::size_t b, std::size_t k, std::size_t to) const {
    bool last = true;
    for_each_source(o, [&](word_ref r) {
      const definitions::entry& e = definitions_.of(r);
      // In a loop its only writer may come later in the block.
      const bool changes = e.writes > 1 || (e.in_block == static_cast<int>(b) && e.index > static_cast<int>(k));
      // Address registers are not general registers: extending their life costs none.
      const bool is_address = f_.registers[static_cast<std::size_t>(r.reg)].kind == register_class::address;
      last = last && !changes && (is_address || last_read_[unit(r)] >= to);
    });
    return last;
  }

  machine_function& f_;
  liveness live_;
  definitions definitions_;
  std::vector<std::size_t> first_read_;  // by word: where its first reader in the current block will be
  std::vector<std::size_t> last_read_;
};

}  // namespace

void sink_values(machine_function& f) { sinker(f).run(); }

}  // namespace gt200::ptx::tesla
