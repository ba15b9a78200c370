// Computes values where they are needed, and what frees registers as soon as it can be, if that takes fewer
// registers.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/loops.h"
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
    writes_here_.resize(f.registers.size() * 4);
  }

  void run() {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      sink(b);
      raise(b);
    }
  }

 private:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  static constexpr std::size_t longest_block = 3000;  // the run time of raise() grows with the square of the length

  // From the last operation to the first: each moves before the first reader of its result, or to the end of the
  // block if none is here, if everything it reads is needed there or later anyway.
  void sink(std::size_t b) {
    std::vector<operation>& code = f_.blocks[b].code;
    const bit_set out = live_.live_out(b);
    for (const operation& o : code) {
      const auto clear = [&](word_ref r) {
        first_read_[unit(r)] = never;
        writes_here_[unit(r)] = 0;
        last_read_[unit(r)] = out.test(live_.node(r)) ? code.size() : 0;
      };
      for_each_source(o, clear);
      for_each_destination(o, clear);
    }
    for (const operation& o : code) for_each_destination(o, [&](word_ref r) { ++writes_here_[unit(r)]; });
    std::vector<std::size_t> place(code.size());
    for (std::size_t k = code.size(); k-- > 0;) {
      place[k] = k;
      if (may_move(code[k])) {
        const std::size_t first = first_read_[unit(code[k].destination)];
        const std::size_t to = first == never ? code.size() : first;
        if (sources_last_until(code[k], b, k, to) && memory_keeps(code, k, to)) place[k] = to;
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
           writes_here_[unit(o.destination)] == 1;
  }

  // From the first operation to the last: one that is the last to read more words than it makes moves up, behind
  // what makes and what else reads them.
  void raise(std::size_t b) {
    std::vector<operation>& code = f_.blocks[b].code;
    if (code.size() > longest_block) return;
    const bit_set out = live_.live_out(b);
    const auto is_general = [&](word_ref r) {
      return f_.registers[static_cast<std::size_t>(r.reg)].kind == register_class::general;
    };
    std::vector<std::vector<word_ref>> dying(code.size());
    std::vector<bool> is_read(f_.registers.size() * 4);
    for (std::size_t k = code.size(); k-- > 0;)
      for_each_source(code[k], [&](word_ref r) {
        if (is_general(r) && !is_read[unit(r)] && !out.test(live_.node(r))) dying[k].push_back(r);
        is_read[unit(r)] = true;
      });
    std::vector<operation> made;
    for (std::size_t k = 0; k < code.size(); ++k) {
      const operation& o = code[k];
      std::size_t words = 0;
      for_each_destination(o, [&](word_ref r) { words += is_general(r) ? 1u : 0u; });
      std::size_t to = made.size();
      if (is_computation(o) && dying[k].size() > words)
        while (to > 0 && may_pass(made[to - 1], o, dying[k])) --to;
      made.insert(made.begin() + static_cast<std::ptrdiff_t>(to), o);
    }
    code = std::move(made);
  }

  static bool may_pass(const operation& other, const operation& o, const std::vector<word_ref>& dying) {
    const auto touches = [](const operation& from, word_ref r) {
      bool found = false;
      for_each_source(from, [&](word_ref s) { found = found || s == r; });
      for_each_destination(from, [&](word_ref d) { found = found || d == r; });
      return found;
    };
    bool free = true;
    for_each_destination(o, [&](word_ref r) { free = free && !touches(other, r); });
    for (const word_ref& r : dying) free = free && !touches(other, r);
    for_each_source(o,
                    [&](word_ref r) { for_each_destination(other, [&](word_ref d) { free = free && d != r; }); });
    return free;
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
  std::vector<unsigned> writes_here_;  // by word: how often the current block writes it
};

// Parameters lie in s[]: a block that reads one reads it there, and no register holds it until then. Not in a loop
// that begins after the parameter was read.
void read_parameters_again(machine_function& f) {
  const definitions values(f);
  const std::vector<natural_loop> loops = loops_of(f);
  const auto depth = [&](std::size_t b) {
    return std::count_if(loops.begin(), loops.end(), [&](const natural_loop& l) { return l.contains[b]; });
  };
  std::map<std::size_t, std::pair<std::size_t, operation>> parameters;  // by word: the block and the operation
  for (std::size_t b = 0; b < f.blocks.size(); ++b)
    for (const operation& o : f.blocks[b].code)
      if (o.reads_parameter && (o.code.op == opcode::mov || o.code.op == opcode::ld_shared) && !o.guarded() &&
          o.source[0].reg < 0 && values.is_value(o.destination) && isa::words_of(o.code.destination.type) == 1)
        parameters.emplace(unit(o.destination), std::make_pair(b, o));
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    std::map<std::size_t, word_ref> own;
    std::vector<operation> code;
    for (operation o : f.blocks[b].code) {
      for (word_ref& s : o.source) {
        const auto from = s.reg < 0 ? parameters.end() : parameters.find(unit(s));
        if (from == parameters.end() || from->second.first == b || depth(from->second.first) < depth(b)) continue;
        const auto [known, is_new] = own.emplace(unit(s), word_ref{});
        if (is_new) {
          known->second = {f.add_register(register_class::general), 0};
          code.push_back(from->second.second);
          code.back().destination = known->second;
        }
        s = known->second;
      }
      code.push_back(std::move(o));
    }
    f.blocks[b].code = std::move(code);
  }
}

}  // namespace

void sink_values(machine_function& f) {
  read_parameters_again(f);
  sinker(f).run();
}

}  // namespace gt200::ptx::tesla
