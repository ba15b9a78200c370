// Counters of a loop: words that it changes only by additions of constants and of words that it does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "toolchain/ptx/machine/loops.h"
#include "toolchain/ptx/tesla/machine_code.h"

namespace gt200::ptx::tesla {

inline constexpr std::int32_t longest_counter_shift = 31;

// The operation writes its destination always, and nothing but that.
bool computes_plainly(const operation& o);

bool is_whole_word(const isa::tesla::operand& o);
bool is_immediate(const isa::tesla::operand& o);

// The operation shifts a whole word left by a constant below 32.
bool shifts_by_constant(const operation& o);

struct place {
  std::size_t in_block;
  std::size_t index;
};

// Place at which a loop adds `constant`, or `constant` times `factor`, to a counter.
struct counting {
  place at;  // of the operation that writes the counter
  std::int32_t constant = 0;
  word_ref factor;
  bool is_needed = false;  // something else reads the sum
};

class loop_counters {
 public:
  loop_counters(const machine_function& f, const natural_loop& loop);

  const definitions& values() const { return values_; }

  // All places where the loop writes r, if r is a counter: x <- x + c, or y <- x + c and then x <- y.
  std::optional<std::vector<counting>> countings(word_ref r) const;

  // The same if each of them adds a constant.
  std::optional<std::vector<counting>> constant_countings(word_ref r) const;

  // The loop does not write r, which never changes.
  bool is_fixed(word_ref r) const;

  // The loop writes r between two operations of a block.
  bool changes_between(word_ref r, std::size_t in_block, std::size_t first, std::size_t last) const;

  const operation& at(const place& p) const { return f_.blocks[p.in_block].code[p.index]; }

 private:
  // The amount that the operation adds, if it is y <- x + c.
  std::optional<counting> sum(const operation& o, word_ref y, word_ref x) const;

  const machine_function& f_;
  definitions values_;
  std::map<std::size_t, std::vector<place>> writers_;  // in the loop, by word
};

}  // namespace gt200::ptx::tesla
