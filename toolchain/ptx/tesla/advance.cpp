// Addresses that a loop advances by constants: instead of a sum and a shift in every round, one addition to $a.
//
// A word counts if the loop changes it by additions of constants alone. An address that is computed from one such
// word, with sums and shifts by what the loop does not change, advances with it: $a gets its first value in front
// of the loop, and an addition beside each one to the word.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/loops.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;
using isa::tesla::operand_kind;

constexpr std::uint32_t address_bits = 0xffff;
constexpr std::int32_t longest_shift = 31;

bool is_plain(const operation& o) {
  return !o.guarded() && o.condition_in < 0 && o.condition_out < 0 && o.expansion == pseudo::none &&
         !o.is_volatile && !o.code.saturate && !o.code.is_16bit;
}

bool is_word(const isa::tesla::operand& o) {
  return o.kind == operand_kind::gpr && o.part == isa::tesla::half::whole && isa::words_of(o.type) == 1;
}

bool is_immediate(const isa::tesla::operand& o) { return o.kind == operand_kind::immediate; }

// y <- x + constant.
bool is_sum(const operation& o, word_ref y, word_ref x) {
  return o.code.op == opcode::add && is_plain(o) && is_word(o.code.destination) && is_word(o.code.source[0]) &&
         is_immediate(o.code.source[1]) && o.destination == y && o.source[0] == x;
}

struct place {
  std::size_t in_block;
  std::size_t index;
};

// Where a loop adds a constant to a word that counts.
struct counting {
  place at;  // of the operation that writes the word
  std::int32_t constant = 0;
  bool is_needed = false;  // something else reads the sum
};

// Operations that lead from a word that counts to an address, all in one block, in their order; the last sets $a.
struct address_chain {
  std::size_t in_block = 0;
  std::vector<std::size_t> steps;
  std::size_t last_use = 0;
  word_ref counter;
  unsigned shift = 0;  // of the counter in the address
};

class advancer {
 public:
  advancer(machine_function& f, const natural_loop& loop) : f_(f), loop_(loop), values_(f) { find_writers(); }

  bool run(std::size_t most) {
    std::map<std::size_t, std::vector<address_chain>> by_counter;
    for (std::size_t b = 0; b < loop_.contains.size(); ++b) {
      if (!loop_.contains[b]) continue;
      for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
        address_chain chain;
        if (find_chain(b, k, chain)) by_counter[unit(chain.counter)].push_back(std::move(chain));
      }
    }
    std::vector<address_chain> chosen;
    std::vector<word_ref> dead;  // counters that nothing reads any more
    for (auto& [counter, chains] : by_counter) {
      choose(chains, most - chosen.size(), dead);
      chosen.insert(chosen.end(), chains.begin(), chains.end());
    }
    if (chosen.empty()) return false;
    change(chosen, dead);
    return true;
  }

 private:
  void find_writers() {
    for (std::size_t b = 0; b < loop_.contains.size(); ++b) {
      if (!loop_.contains[b]) continue;
      for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k)
        for_each_destination(f_.blocks[b].code[k], [&](word_ref r) { writers_[unit(r)].push_back({b, k}); });
    }
  }

  const operation& at(const place& p) const { return f_.blocks[p.in_block].code[p.index]; }

  // All places where the loop writes r, if each adds a constant: x <- x + c, or y <- x + c and then x <- y.
  std::optional<std::vector<counting>> countings(word_ref r) const {
    const auto found = writers_.find(unit(r));
    if (found == writers_.end() || f_.registers[static_cast<std::size_t>(r.reg)].kind != register_class::general)
      return std::nullopt;
    std::vector<counting> result;
    for (const place& p : found->second) {
      const operation& o = at(p);
      if (is_sum(o, r, r)) {
        result.push_back({p, o.code.source[1].value, false});
        continue;
      }
      const operation* sum = is_copy(o) && is_plain(o) ? values_.only(f_, o.source[0]) : nullptr;
      if (sum == nullptr || !is_sum(*sum, o.source[0], r)) return std::nullopt;
      const definitions::entry& made = values_.of(o.source[0]);
      const bool is_changed_between = std::any_of(found->second.begin(), found->second.end(), [&](const place& q) {
        return q.in_block == p.in_block && q.index > static_cast<std::size_t>(made.index) && q.index < p.index;
      });
      if (made.in_block != static_cast<int>(p.in_block) || is_changed_between) return std::nullopt;
      result.push_back({p, sum->code.source[1].value, made.reads != 1});
    }
    return result;
  }

  bool is_fixed(word_ref r) const { return values_.never_changes(f_, r) && writers_.count(unit(r)) == 0; }

  // The operations of block b that make r from a counter, appended to the chain.
  bool follow(word_ref r, std::size_t b, address_chain& chain) const {
    if (countings(r)) {
      chain.counter = r;
      return true;
    }
    const operation* o = values_.only(f_, r);
    const definitions::entry& made = values_.of(r);
    if (o == nullptr || made.in_block != static_cast<int>(b) || !is_plain(*o)) return false;
    if (o->code.op == opcode::shl) {
      if (!is_word(o->code.source[0]) || !is_immediate(o->code.source[1]) ||
          o->code.source[1].value > longest_shift || o->code.source[1].value < 0 || !follow(o->source[0], b, chain))
        return false;
      chain.shift += static_cast<unsigned>(o->code.source[1].value);
    } else if (o->code.op == opcode::add) {
      std::size_t moving = 0;
      if (is_word(o->code.source[0]) && is_fixed(o->source[0])) moving = 1;
      const std::size_t other = 1 - moving;
      const bool is_sum_with_fixed =
          is_word(o->code.source[moving]) &&
          (is_immediate(o->code.source[other]) || (is_word(o->code.source[other]) && is_fixed(o->source[other])));
      if (!is_sum_with_fixed || !follow(o->source[moving], b, chain)) return false;
    } else {
      return false;
    }
    chain.steps.push_back(static_cast<std::size_t>(made.index));
    return true;
  }

  bool find_chain(std::size_t b, std::size_t k, address_chain& chain) const {
    const std::vector<operation>& code = f_.blocks[b].code;
    const operation& setter = code[k];
    if (setter.code.op != opcode::shl_to_a || setter.guarded() || !values_.is_value(setter.destination) ||
        !is_word(setter.code.source[0]) || !follow(setter.source[0], b, chain))
      return false;
    chain.in_block = b;
    chain.steps.push_back(k);
    chain.shift += static_cast<unsigned>(setter.code.source[1].value);
    if (chain.shift > longest_shift) return false;
    // Between the first operation and the last access nothing changes the counter, and all accesses are here.
    unsigned accesses = 0;
    for (std::size_t j = k + 1; j < code.size(); ++j)
      for (const word_ref& s : code[j].source)
        if (s == setter.destination) {
          ++accesses;
          chain.last_use = j;
        }
    if (accesses == 0 || accesses != values_.of(setter.destination).reads) return false;
    const std::vector<place>& writers = writers_.at(unit(chain.counter));
    return std::none_of(writers.begin(), writers.end(), [&](const place& p) {
      return p.in_block == b && p.index > chain.steps.front() && p.index < chain.last_use;
    });
  }

  // Operations of the chain that nothing needs without it.
  std::size_t saved(const address_chain& chain) const {
    std::size_t count = 0;
    for (auto k = chain.steps.rbegin(); k != chain.steps.rend(); ++k) {
      if (k != chain.steps.rbegin() && values_.of(f_.blocks[chain.in_block].code[*k].destination).reads != 1) break;
      ++count;
    }
    return count;
  }

  // Keeps the chains of one counter, at most `most`, that are worth it.
  void choose(std::vector<address_chain>& chains, std::size_t most, std::vector<word_ref>& dead) const {
    std::stable_sort(chains.begin(), chains.end(),
                     [&](const address_chain& x, const address_chain& y) { return saved(x) > saved(y); });
    if (chains.size() > most) chains.resize(most);
    if (chains.empty()) return;
    const word_ref counter = chains.front().counter;
    const std::vector<counting> places = *countings(counter);
    const std::size_t steps = places.size();
    std::size_t gain = 0;
    std::size_t readers = steps;
    for (const address_chain& chain : chains) {
      gain += saved(chain);
      if (saved(chain) == chain.steps.size()) ++readers;
    }
    const bool is_dead = readers == values_.of(counter).reads &&
                         std::none_of(places.begin(), places.end(), [](const counting& c) { return c.is_needed; });
    if (is_dead && gain + steps > chains.size() * steps) {
      dead.push_back(counter);
      return;
    }
    chains.erase(std::remove_if(chains.begin(), chains.end(),
                                [&](const address_chain& chain) { return saved(chain) <= steps; }),
                 chains.end());
  }

  // In front of the loop: the chain's operations, into registers of their own.
  void begin(const address_chain& chain, int address, std::vector<operation>& code) {
    word_ref from;
    for (const std::size_t k : chain.steps) {
      operation o = f_.blocks[chain.in_block].code[k];
      if (from.reg >= 0)
        for (word_ref& s : o.source)
          if (s == last_made_) s = from;
      last_made_ = o.destination;
      from = k == chain.steps.back() ? word_ref{address, 0} : word_ref{f_.add_register(register_class::general), 0};
      o.destination = from;
      code.push_back(std::move(o));
    }
  }

  static operation advance(std::int32_t constant, int address, unsigned shift, unsigned line) {
    operation sum;
    sum.line = line;
    sum.code.op = opcode::add_to_a;
    sum.code.destination.kind = operand_kind::address;
    sum.code.destination.type = isa::data_type::u16;
    sum.destination = {address, 0};
    sum.code.source[0] = sum.code.destination;
    sum.source[0] = sum.destination;
    sum.code.source[1].kind = operand_kind::immediate;
    sum.code.source[1].value =
        static_cast<std::int32_t>((static_cast<std::uint32_t>(constant) << shift) & address_bits);
    return sum;
  }

  void change(const std::vector<address_chain>& chosen, const std::vector<word_ref>& dead) {
    std::vector<operation> entrance;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<operation>> added;  // behind an operation
    std::set<std::pair<std::size_t, std::size_t>> dropped;
    for (const address_chain& chain : chosen) {
      const int a = f_.add_register(register_class::address);
      f_.registers[static_cast<std::size_t>(a)].advances = true;
      begin(chain, a, entrance);
      std::vector<operation>& code = f_.blocks[chain.in_block].code;
      const word_ref before = code[chain.steps.back()].destination;
      for (std::size_t j = chain.steps.back() + 1; j < code.size(); ++j)
        for (word_ref& s : code[j].source)
          if (s == before) s = {a, 0};
      const bool is_dead = std::find(dead.begin(), dead.end(), chain.counter) != dead.end();
      const std::vector<counting> places = *countings(chain.counter);
      for (const counting& c : places) {
        const std::pair<std::size_t, std::size_t> where = {c.at.in_block, c.at.index};
        added[where].push_back(advance(c.constant, a, chain.shift, at(c.at).line));
        if (is_dead) dropped.insert(where);
      }
    }
    for (std::size_t b = 0; b < loop_.contains.size(); ++b) {
      if (!loop_.contains[b]) continue;
      std::vector<operation> code;
      for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
        if (dropped.count({b, k}) == 0) code.push_back(f_.blocks[b].code[k]);
        const auto more = added.find({b, k});
        if (more != added.end()) code.insert(code.end(), more->second.begin(), more->second.end());
      }
      f_.blocks[b].code = std::move(code);
    }
    add_entrance(f_, loop_, std::move(entrance));
  }

  machine_function& f_;
  const natural_loop& loop_;
  definitions values_;
  std::map<std::size_t, std::vector<place>> writers_;  // in the loop, by word
  word_ref last_made_;
};

}  // namespace

bool advance_addresses(machine_function& f, std::size_t most) {
  bool changed = false;
  // A block in front of one loop belongs to the loops around it.
  std::vector<natural_loop> loops = loops_of(f);
  for (std::size_t k = 0; k < loops.size(); ++k) {
    if (!advancer(f, loops[k]).run(most)) continue;
    changed = true;
    loops = loops_of(f);
  }
  return changed;
}

}  // namespace gt200::ptx::tesla
