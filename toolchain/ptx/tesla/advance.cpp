// Addresses that a loop advances by constants: instead of a sum and a shift in every round, one addition to $a.
//
// A word counts if the loop changes it by additions of constants alone. An address that is computed from one such
// word, with sums and shifts by what the loop does not change, advances with it: $a gets its first value in front
// of the loop, and an addition beside each one to the word.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "toolchain/ptx/tesla/counters.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;
using isa::tesla::operand_kind;

constexpr std::uint32_t address_bits = 0xffff;

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
  advancer(machine_function& f, const natural_loop& loop)
      : f_(f), loop_(loop), counters_(f, loop), values_(counters_.values()) {}

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
  // The operations of block b that make r from a counter, appended to the chain.
  bool follow(word_ref r, std::size_t b, address_chain& chain) const {
    if (counters_.constant_countings(r)) {
      chain.counter = r;
      return true;
    }
    const operation* o = values_.only(f_, r);
    const definitions::entry& made = values_.of(r);
    if (o == nullptr || made.in_block != static_cast<int>(b) || !computes_plainly(*o)) return false;
    if (o->code.op == opcode::shl) {
      if (!shifts_by_constant(*o) || !follow(o->source[0], b, chain)) return false;
      chain.shift += static_cast<unsigned>(o->code.source[1].value);
    } else if (o->code.op == opcode::add) {
      std::size_t moving = 0;
      if (is_whole_word(o->code.source[0]) && counters_.is_fixed(o->source[0])) moving = 1;
      const std::size_t other = 1 - moving;
      const bool is_sum_with_fixed =
          is_whole_word(o->code.source[moving]) &&
          (is_immediate(o->code.source[other]) ||
           (is_whole_word(o->code.source[other]) && counters_.is_fixed(o->source[other])));
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
        !is_whole_word(setter.code.source[0]) || !follow(setter.source[0], b, chain))
      return false;
    chain.in_block = b;
    chain.steps.push_back(k);
    chain.shift += static_cast<unsigned>(setter.code.source[1].value);
    if (chain.shift > longest_counter_shift) return false;
    // Between the first operation and the last access nothing changes the counter, and all accesses are here.
    unsigned accesses = 0;
    for (std::size_t j = k + 1; j < code.size(); ++j)
      for (const word_ref& s : code[j].source)
        if (s == setter.destination) {
          ++accesses;
          chain.last_use = j;
        }
    if (accesses == 0 || accesses != values_.of(setter.destination).reads) return false;
    return !counters_.changes_between(chain.counter, b, chain.steps.front(), chain.last_use);
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
    const std::vector<counting> places = *counters_.constant_countings(counter);
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
      const std::vector<counting> places = *counters_.constant_countings(chain.counter);
      for (const counting& c : places) {
        const std::pair<std::size_t, std::size_t> where = {c.at.in_block, c.at.index};
        added[where].push_back(advance(c.constant, a, chain.shift, counters_.at(c.at).line));
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
  loop_counters counters_;
  const definitions& values_;
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
