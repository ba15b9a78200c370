// Makes room when registers do not suffice: general registers are spilled to local memory, others as a target says.
// The namespace of a target has
//
//   source_words(operation, k), destination_words(operation) that it reads and writes as one
//   uses_destination_whole(operation)                        reads and writes all words of its destination
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

inline constexpr double loop_weight = 8;
inline constexpr double max_loop_depth = 6;

// A rough execution frequency of each block: a jump to an earlier block makes a loop of the blocks between.
template <class function>
std::vector<double> frequencies(const function& f) {
  std::vector<int> depth(f.blocks.size(), 0);
  for (std::size_t b = 0; b < f.blocks.size(); ++b)
    for (const int s : successors(f.blocks[b]))
      for (auto k = static_cast<std::size_t>(s); k <= b; ++k) ++depth[k];
  std::vector<double> result;
  for (const int d : depth) {
    double weight = 1;
    for (int k = 0; k < d && k < static_cast<int>(max_loop_depth); ++k) weight *= loop_weight;
    result.push_back(weight);
  }
  return result;
}

template <class function>
class basic_spiller {
 public:
  using block = typename function::block;
  using operation = typename function::operation;

  explicit basic_spiller(function& f) : f_(f) {}
  virtual ~basic_spiller() = default;
  basic_spiller(const basic_spiller&) = delete;
  basic_spiller& operator=(const basic_spiller&) = delete;

  // Returns false if nothing can make room.
  bool make_room(const allocation& failed, std::size_t rivals_each) {
    // Accesses per register relieved: a register that lives long and is seldom used goes first.
    std::vector<double> cost = costs();
    std::vector<int> victims;
    for (std::size_t k = 0; k < failed.rivals.size(); ++k) {
      const int r = failed.rivals[k];
      cost[static_cast<std::size_t>(r)] /= 1 + static_cast<double>(failed.degrees[k]);
      const virtual_register& v = f_.registers[static_cast<std::size_t>(r)];
      if (v.fixed < 0 && !is_temporary(r) && can_spill(r)) victims.push_back(r);
    }
    if (victims.empty()) return false;
    // Takes the cheapest; with many rivals, several at once.
    std::stable_sort(victims.begin(), victims.end(), [&](int a, int b) {
      return cost[static_cast<std::size_t>(a)] < cost[static_cast<std::size_t>(b)];
    });
    victims.resize(1 + victims.size() / rivals_each);
    for (const int victim : victims) spill(victim);
    return true;
  }

 protected:
  virtual bool can_spill(int r) const = 0;
  virtual void spill(int victim) = 0;
  // Accesses to the local memory of the thread.
  virtual operation load_local(std::uint32_t offset, word_ref r, int words, unsigned line) const = 0;
  virtual operation store_local(std::uint32_t offset, word_ref r, int words, unsigned line) const = 0;

  bool is_temporary(int r) const {
    const auto index = static_cast<std::size_t>(r);
    return index < temporary_.size() && temporary_[index];
  }

  int new_temporary(register_class kind, std::uint8_t words) {
    const int made = f_.add_register(kind, words);
    temporary_.resize(f_.registers.size());
    temporary_.back() = true;
    return made;
  }

  // For every register its accesses, weighted by how often their blocks run.
  std::vector<double> costs() const {
    const std::vector<double> frequency = frequencies(f_);
    std::vector<double> cost(f_.registers.size(), 0);
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const auto count = [&](int r) { cost[static_cast<std::size_t>(r)] += frequency[b]; };
      for (const operation& o : f_.blocks[b].code) {
        for_each_use(o, [&](word_ref r) { count(r.reg); });
        for_each_definition(o, [&](word_ref r) { count(r.reg); });
      }
      if (f_.blocks[b].end == ending::branch) count(f_.blocks[b].condition);
    }
    return cost;
  }

  std::uint32_t home_of(int victim, std::uint32_t bytes) {
    const auto known = home_.find(victim);
    if (known != home_.end()) return known->second;
    const std::uint32_t home = (f_.local_bytes + bytes - 1) / bytes * bytes;
    f_.local_bytes = home + bytes;
    home_[victim] = home;
    return home;
  }

  // Loads the register into a temporary before every use, and stores it after every write.
  void spill_to_local(int victim) {
    const std::uint8_t words = f_.registers[static_cast<std::size_t>(victim)].words;
    const std::uint32_t home = home_of(victim, 4u * words);
    for (block& b : f_.blocks) {
      std::vector<operation> code;
      for (operation o : b.code) {
        // A texture fetch reads and writes all its words in place; a guarded write keeps what it does not write.
        const bool whole = uses_destination_whole(o);
        for (std::size_t k = 0; k < 3; ++k) {
          if (o.source[k].reg != victim) continue;
          const int count = source_words(o, k);
          const word_ref t = {new_temporary(register_class::general, static_cast<std::uint8_t>(count)), 0};
          code.push_back(load_local(home + 4u * o.source[k].word, t, count, o.line));
          const word_ref old = o.source[k];
          for (std::size_t j = k; j < 3; ++j)
            if (o.source[j] == old && source_words(o, j) == count) o.source[j] = t;
        }
        if (o.destination.reg != victim) {
          code.push_back(o);
          continue;
        }
        const int count = whole ? words : destination_words(o);
        const std::uint32_t at = home + (whole ? 0u : 4u * o.destination.word);
        const word_ref t = {new_temporary(register_class::general, static_cast<std::uint8_t>(count)), 0};
        if (whole || o.guarded()) code.push_back(load_local(at, t, count, o.line));
        o.destination = t;
        code.push_back(o);
        code.push_back(store_local(at, t, count, o.line));
      }
      b.code = std::move(code);
    }
  }

  function& f_;
  std::vector<bool> temporary_;        // by register: short-lived, useless as a victim
  std::map<int, std::uint32_t> home_;  // of registers spilled to l[]; masks may be used again later
};

// Removes registers that nothing uses any more. visit_registers(operation, action) of the target passes all numbers
// of virtual registers by reference.
template <class function>
void renumber_registers(function& f) {
  constexpr int unnamed = -1;
  constexpr int named = 0;
  std::vector<int> number(f.registers.size(), unnamed);
  const auto visit = [&](auto action) {
    for (auto& b : f.blocks) {
      for (auto& o : b.code) visit_registers(o, action);
      action(b.condition);
    }
  };
  visit([&](int r) {
    if (r < 0) return;
    number[static_cast<std::size_t>(r)] = named;
    const int mask = f.registers[static_cast<std::size_t>(r)].mask;
    if (mask >= 0) number[static_cast<std::size_t>(mask)] = named;
  });
  std::vector<virtual_register> kept;
  for (std::size_t r = 0; r < number.size(); ++r) {
    if (number[r] == unnamed) continue;
    number[r] = static_cast<int>(kept.size());
    kept.push_back(f.registers[r]);
  }
  for (virtual_register& r : kept)
    if (r.mask >= 0) r.mask = number[static_cast<std::size_t>(r.mask)];
  visit([&](int& r) {
    if (r >= 0) r = number[static_cast<std::size_t>(r)];
  });
  f.registers = std::move(kept);
}

// Colours, and makes room as long as needed. nullopt if even that does not suffice.
template <class function, class spiller, class colouring>
std::optional<allocation> allocate(function& f, spiller& room, colouring colour) {
  constexpr int patient_rounds = 64;  // after these, speed counts more than each access saved
  constexpr std::size_t rivals_per_victim = 24;
  constexpr std::size_t rivals_per_victim_in_haste = 4;
  // Every round spills registers that no later round can spill again, so the loop ends.
  for (int round = 0;; ++round) {
    const allocation result = colour(f);
    if (result.uncoloured < 0) return result;
    if (!room.make_room(result, round < patient_rounds ? rivals_per_victim : rivals_per_victim_in_haste))
      return std::nullopt;
  }
}

}  // namespace gt200::ptx
