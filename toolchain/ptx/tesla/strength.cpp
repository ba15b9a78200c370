// Strength reduction: a word that a loop computes from a counter, with sums, shifts and products by what the loop
// does not change, moves on by the same step in every round. So it gets its first value in front of the loop and an
// addition beside each one to the counter, instead of being computed anew.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "toolchain/ptx/tesla/counters.h"
#include "toolchain/ptx/tesla/passes.h"
#include "toolchain/ptx/tesla/writer.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

using position = std::pair<std::size_t, std::size_t>;  // block, operation

constexpr std::size_t most_words = 400;  // the run time of the choice grows with the cube of their number
constexpr int cost_of_product = 4;       // of two words: three multiplications of halves and a shift

// A word that moves with a counter: it changes by `constant` times `factor` (1 if there is none) when the counter
// changes by 1.
struct moving_word {
  word_ref word;
  word_ref from;  // the counter, or another moving word of this block
  word_ref counter;
  position at;
  std::size_t first = 0;  // operation that reads the counter
  std::uint32_t constant = 1;
  word_ref factor;
  bool adds_words = false;       // the counter's steps are no constants
  int cost = 0;                  // operations
  int step = 0;                  // operations in every round if it moves by itself
  bool is_read_besides = false;  // by what is neither a moving word nor the setter of an address register
  bool is_address = false;
};

class reducer {
 public:
  reducer(machine_function& f, const natural_loop& loop)
      : f_(f), loop_(loop), counters_(f, loop), values_(counters_.values()) {}

  bool run(std::size_t most) {
    for (std::size_t b = 0; b < loop_.contains.size(); ++b)
      if (loop_.contains[b]) find_words(b);
    find_readers();
    if (words_.size() > most_words) return false;
    const std::vector<bool> chosen = choose(most);
    if (std::find(chosen.begin(), chosen.end(), true) == chosen.end()) return false;
    change(chosen);
    return true;
  }

 private:
  // Words of this block that move, each after those it is made from.
  void find_words(std::size_t b) {
    for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
      const operation& o = f_.blocks[b].code[k];
      if (o.destination.reg < 0 || !values_.is_value(o.destination) || !is_whole_word(o.code.destination)) continue;
      moving_word made;
      made.word = o.destination;
      made.at = {b, k};
      if (!moves(o, made) || counters_.changes_between(made.counter, b, made.first, k)) continue;
      made.step = static_cast<int>(counters_.countings(made.counter)->size());
      number_[unit(made.word)] = words_.size();
      words_.push_back(made);
    }
  }

  bool starts_from(word_ref r, moving_word& made) const {
    made.from = r;
    const moving_word* before = found(r);
    if (before != nullptr && before->at.first == made.at.first) {
      made.counter = before->counter;
      made.first = before->first;
      made.constant = before->constant;
      made.factor = before->factor;
      made.adds_words = before->adds_words;
      return true;
    }
    if (!counters_.countings(r)) return false;
    made.counter = r;
    made.adds_words = !counters_.constant_countings(r);
    made.first = made.at.second;
    return true;
  }

  bool is_fixed(const operation& o, std::size_t k) const {
    return is_immediate(o.code.source[k]) || (is_whole_word(o.code.source[k]) && counters_.is_fixed(o.source[k]));
  }

  bool moves(const operation& o, moving_word& made) const {
    operation plain = o;
    const bool is_product = o.code.op == opcode::mul && o.expansion == pseudo::multiply;
    if (is_product) plain.expansion = pseudo::none;
    if (!computes_plainly(plain)) return false;
    made.cost = 1;
    if (shifts_by_constant(o)) {
      if (!starts_from(o.source[0], made)) return false;
      made.constant <<= static_cast<unsigned>(o.code.source[1].value);
      return true;
    }
    if (o.code.op != opcode::add && o.code.op != opcode::sub && !is_product) return false;
    for (const std::size_t k : {0u, 1u}) {
      const std::size_t other = 1 - k;
      if (!is_whole_word(o.code.source[k]) || !is_fixed(o, other) || !starts_from(o.source[k], made)) continue;
      if (o.code.op == opcode::sub && k == 1) made.constant = 0u - made.constant;
      return !is_product || multiply(o, other, made);
    }
    return false;
  }

  static bool multiply(const operation& o, std::size_t by, moving_word& made) {
    if (is_immediate(o.code.source[by])) {
      const auto factor = static_cast<std::uint32_t>(o.code.source[by].value);
      made.constant *= factor;
      made.cost = (factor & (factor - 1)) == 0 ? 1 : cost_of_product;
      return true;
    }
    if (made.factor.reg >= 0 || made.adds_words) return false;
    made.factor = o.source[by];
    made.cost = cost_of_product;
    return true;
  }

  const moving_word* found(word_ref r) const {
    const auto entry = number_.find(unit(r));
    return entry == number_.end() ? nullptr : &words_[entry->second];
  }

  void find_readers() {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const std::vector<operation>& code = f_.blocks[b].code;
      for (std::size_t k = 0; k < code.size(); ++k) {
        const moving_word* reader = code[k].destination.reg < 0 ? nullptr : found(code[k].destination);
        for_each_source(code[k], [&](word_ref r) {
          const auto read = number_.find(unit(r));
          if (read == number_.end() || (reader != nullptr && reader->from == r)) return;
          moving_word& w = words_[read->second];
          (code[k].code.op == opcode::shl_to_a ? w.is_address : w.is_read_besides) = true;
          if (moves_before(w, b, k)) ++w.step;
        });
      }
    }
  }

  // The counter of w changes before w is read here: a copy of w has to stay behind.
  bool moves_before(const moving_word& w, std::size_t b, std::size_t k) const {
    return b == w.at.first && counters_.changes_between(w.counter, b, w.at.second, k);
  }

  // Operations that the loop saves if the chosen words move by themselves.
  int gain(const std::vector<bool>& chosen) const {
    std::vector<bool> is_needed(words_.size());
    int sum = 0;
    for (std::size_t k = words_.size(); k-- > 0;) {
      const moving_word& w = words_[k];
      if (chosen[k]) sum -= w.step;
      if (chosen[k] || !(is_needed[k] || w.is_read_besides || w.is_address)) {
        sum += w.cost;
        continue;
      }
      const auto before = number_.find(unit(w.from));
      if (before != number_.end()) is_needed[before->second] = true;
    }
    return sum;
  }

  // Starts with all words that are read by more than moving words, and leaves out those that do not pay.
  std::vector<bool> choose(std::size_t most) const {
    std::vector<bool> chosen(words_.size());
    for (std::size_t k = 0; k < words_.size(); ++k) chosen[k] = words_[k].is_read_besides;
    auto count = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), true));
    while (count != 0) {
      const int now = gain(chosen);
      std::optional<std::size_t> least;
      int best = 0;
      for (std::size_t k = 0; k < words_.size(); ++k) {
        if (!chosen[k]) continue;
        chosen[k] = false;
        const int then = gain(chosen);
        chosen[k] = true;
        if (!least || then > best) {
          least = k;
          best = then;
        }
      }
      if (now > 0 && best < now && count <= most) break;
      chosen[*least] = false;
      --count;
    }
    return chosen;
  }

  // The counter's value in front of the loop, if one way leads there and sets it to a constant.
  std::optional<std::int32_t> first_value(word_ref counter) const {
    const std::vector<std::vector<int>> before = predecessors(f_);
    int b = loop_.head;
    std::vector<bool> seen(f_.blocks.size());
    for (;;) {
      int from = -1;
      for (const int p : before[static_cast<std::size_t>(b)]) {
        if (b == loop_.head && loop_.has(p)) continue;
        if (from >= 0) return std::nullopt;
        from = p;
      }
      if (from < 0 || seen[static_cast<std::size_t>(from)]) return std::nullopt;
      seen[static_cast<std::size_t>(from)] = true;
      b = from;
      const std::vector<operation>& code = f_.blocks[static_cast<std::size_t>(b)].code;
      for (auto o = code.rbegin(); o != code.rend(); ++o) {
        bool sets = false;
        for_each_destination(*o, [&](word_ref r) { sets = sets || r == counter; });
        if (!sets) continue;
        if (o->code.op != opcode::mov || !computes_plainly(*o) || !is_immediate(o->code.source[0]))
          return std::nullopt;
        return o->code.source[0].value;
      }
    }
  }

  // In front of the loop: the operations that lead to the word, into registers of their own.
  void begin(const moving_word& w, word_ref into, std::vector<operation>& code) {
    const moving_word* before = w.from == w.counter ? nullptr : found(w.from);
    word_ref source = w.counter;
    if (before != nullptr) {
      source = {f_.add_register(register_class::general), 0};
      begin(*before, source, code);
    }
    operation o = f_.blocks[w.at.first].code[w.at.second];
    const std::optional<std::int32_t> first = before == nullptr ? first_value(w.counter) : std::nullopt;
    for (std::size_t k = 0; k < o.source.size(); ++k) {
      if (o.source[k] != w.from) continue;
      o.source[k] = first ? word_ref{} : source;
      if (first) o.code.source[k] = imm(static_cast<std::uint32_t>(*first)).code;
    }
    o.destination = into;
    code.push_back(std::move(o));
  }

  static operation computation(opcode op, word_ref to, const value& a, const value& b, unsigned line) {
    operation o;
    o.line = line;
    o.code.op = op;
    o.code.destination.kind = isa::tesla::operand_kind::gpr;
    o.destination = to;
    o.code.source[0] = a.code;
    o.source[0] = a.reg;
    o.code.source[1] = b.code;
    o.source[1] = b.reg;
    return o;
  }

  // The step by which the word moves beside c: a constant, or a product made in front of the loop.
  value step_of(const moving_word& w, const counting& c, std::vector<operation>& entrance) {
    const std::uint32_t times = static_cast<std::uint32_t>(c.constant) * w.constant;
    const word_ref factor = c.factor.reg >= 0 ? c.factor : w.factor;
    if (factor.reg < 0) return imm(times);
    const auto [known, is_new] = steps_.emplace(std::make_pair(unit(factor), times), word_ref{});
    if (is_new) {
      known->second = {f_.add_register(register_class::general), 0};
      operation product = computation(opcode::mul, known->second, reg(factor), imm(times), counters_.at(c.at).line);
      product.expansion = pseudo::multiply;
      entrance.push_back(std::move(product));
    }
    return reg(known->second);
  }

  void change(const std::vector<bool>& chosen) {
    std::vector<operation> entrance;
    std::map<position, std::vector<operation>> added;  // behind an operation
    for (std::size_t k = 0; k < words_.size(); ++k) {
      if (!chosen[k]) continue;
      const moving_word& w = words_[k];
      const word_ref own = {f_.add_register(register_class::general), 0};
      begin(w, own, entrance);
      const std::vector<counting> places = *counters_.countings(w.counter);
      for (const counting& c : places)
        added[{c.at.in_block, c.at.index}].push_back(
            computation(opcode::add, own, reg(own), step_of(w, c, entrance), counters_.at(c.at).line));
      replaced_[w.at] = own;
    }
    for (std::size_t b = 0; b < loop_.contains.size(); ++b) {
      if (!loop_.contains[b]) continue;
      std::vector<operation> code;
      for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
        const operation& o = f_.blocks[b].code[k];
        const auto own = replaced_.find({b, k});
        code.push_back(own == replaced_.end()
                           ? o
                           : computation(opcode::mov, o.destination, reg(own->second), value{}, o.line));
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
  std::vector<moving_word> words_;
  std::map<std::size_t, std::size_t> number_;  // in words_, by word
  std::map<position, word_ref> replaced_;
  std::map<std::pair<std::size_t, std::uint32_t>, word_ref> steps_;
};

// The loop reads the counter only to count on, and nothing behind the loop reads it.
bool is_idle(const machine_function& f, const natural_loop& loop, const loop_counters& counters,
             const liveness& live, word_ref counter) {
  const std::optional<std::vector<counting>> places = counters.countings(counter);
  if (!places) return false;
  std::set<position> counts;
  for (const counting& c : *places) {
    const operation& o = counters.at(c.at);
    if (c.is_needed) return false;
    if (!is_copy(o)) {
      counts.emplace(c.at.in_block, c.at.index);
    } else {
      const definitions::entry& sum = counters.values().of(o.source[0]);
      counts.emplace(static_cast<std::size_t>(sum.in_block), static_cast<std::size_t>(sum.index));
    }
  }
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    if (!loop.contains[b]) continue;
    for (const int s : successors(f.blocks[b]))
      if (!loop.has(s) && live.lives_into(static_cast<std::size_t>(s), counter)) return false;
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      bool reads = false;
      for_each_source(f.blocks[b].code[k], [&](word_ref r) { reads = reads || r == counter; });
      if (reads && counts.count({b, k}) == 0) return false;
    }
  }
  return true;
}

// Counters whose first value alone is needed, in front of the loop, no longer count.
void stop_idle_counters(machine_function& f) {
  for (const natural_loop& loop : loops_of(f)) {
    const loop_counters counters(f, loop);
    const liveness live(f);
    std::set<std::size_t> idle;
    for (std::size_t b = 0; b < loop.contains.size(); ++b)
      if (loop.contains[b])
        for (const operation& o : f.blocks[b].code)
          if (o.destination.reg >= 0 && is_idle(f, loop, counters, live, o.destination))
            idle.insert(unit(o.destination));
    if (idle.empty()) continue;
    for (std::size_t b = 0; b < loop.contains.size(); ++b) {
      if (!loop.contains[b]) continue;
      std::vector<operation>& code = f.blocks[b].code;
      const auto counts = [&](const operation& o) {
        return o.destination.reg >= 0 && idle.count(unit(o.destination)) != 0;
      };
      code.erase(std::remove_if(code.begin(), code.end(), counts), code.end());
    }
  }
}

}  // namespace

bool reduce_strength(machine_function& f, std::size_t most) {
  bool changed = false;
  // A block in front of one loop belongs to the loops around it.
  std::vector<natural_loop> loops = loops_of(f);
  for (std::size_t k = 0; k < loops.size(); ++k) {
    if (!reducer(f, loops[k]).run(most)) continue;
    changed = true;
    remove_unused(f);
    loops = loops_of(f);
  }
  if (changed) stop_idle_counters(f);
  return changed;
}

}  // namespace gt200::ptx::tesla
