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
  sinker(machine_function& f, bool with_loads) : f_(f), live_(f), definitions_(f), with_loads_(with_loads) {
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
    if (!with_loads_ && memory_read_by(o) != memory_space::none) return false;
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
  bool with_loads_;
  std::vector<std::size_t> first_read_;  // by word: where its first reader in the current block will be
  std::vector<std::size_t> last_read_;
  std::vector<unsigned> writes_here_;  // by word: how often the current block writes it
};

// Parameters lie in s[]: a block that reads one, or a sum of one and a constant, reads it there, and no register
// holds it until then. Not in a loop that begins after it was made.
class parameter_reader {
 public:
  explicit parameter_reader(machine_function& f) : f_(f), loops_(loops_of(f)) { find(); }

  void run() {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      own_.clear();
      std::vector<operation> code;
      for (operation o : f_.blocks[b].code) {
        for (word_ref& s : o.source)
          if (const made_word* made = found(s); made != nullptr && is_worth(*made, b)) s = make_again(s, code);
        code.push_back(std::move(o));
      }
      f_.blocks[b].code = std::move(code);
    }
  }

 private:
  struct made_word {
    std::size_t in_block;
    operation by;
  };

  std::ptrdiff_t depth(std::size_t b) const {
    return std::count_if(loops_.begin(), loops_.end(), [&](const natural_loop& l) { return l.contains[b]; });
  }

  const made_word* found(word_ref r) const {
    const auto entry = r.reg < 0 ? made_.end() : made_.find(unit(r));
    return entry == made_.end() ? nullptr : &entry->second;
  }

  bool is_worth(const made_word& made, std::size_t b) const {
    return made.in_block != b && depth(made.in_block) >= depth(b);
  }

  void find() {
    const definitions values(f_);
    std::vector<std::pair<std::size_t, made_word>> sums;
    for (std::size_t b = 0; b < f_.blocks.size(); ++b)
      for (const operation& o : f_.blocks[b].code) {
        if (o.destination.reg < 0 || o.guarded() || !values.is_value(o.destination) ||
            o.code.destination.kind != isa::tesla::operand_kind::gpr ||
            f_.registers[static_cast<std::size_t>(o.destination.reg)].words != 1)
          continue;
        if (o.reads_parameter && (o.code.op == opcode::mov || o.code.op == opcode::ld_shared) &&
            o.source[0].reg < 0)
          made_[unit(o.destination)] = {b, o};
        else if (o.code.op == opcode::add && is_computation(o) && o.expansion == pseudo::none &&
                 o.code.source[1].kind == isa::tesla::operand_kind::immediate)
          sums.push_back({unit(o.destination), {b, o}});
      }
    std::map<std::size_t, made_word> added;
    for (const auto& [word, made] : sums)
      if (found(made.by.source[0]) != nullptr) added.emplace(word, made);
    made_.merge(added);
  }

  word_ref make_again(word_ref r, std::vector<operation>& code) {
    const auto known = own_.find(unit(r));
    if (known != own_.end()) return known->second;
    operation o = made_.at(unit(r)).by;
    if (o.source[0].reg >= 0) o.source[0] = make_again(o.source[0], code);
    o.destination = {f_.add_register(register_class::general), 0};
    own_.emplace(unit(r), o.destination);
    code.push_back(o);
    return o.destination;
  }

  machine_function& f_;
  std::vector<natural_loop> loops_;
  std::map<std::size_t, made_word> made_;
  std::map<std::size_t, word_ref> own_;  // in the current block, by the word that it stands for
};

}  // namespace

void sink_values(machine_function& f, bool with_loads) {
  parameter_reader(f).run();
  sinker(f, with_loads).run();
}

}  // namespace gt200::ptx::tesla
