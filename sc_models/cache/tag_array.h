// Tags and data lines of a set-associative cache with least-recently-used replacement.
//
// Plain C++, no time. Any number of sets and ways: the set is the line number modulo the sets, so a 5 KB, 20-way
// texture cache of 32-byte lines has 8 sets and a fully associative buffer one.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/config/cache_config.h"

namespace gt200::model {

class tag_array {
 public:
  // `config`: bytes a multiple of ways x line_bytes, at least one set. Throws std::invalid_argument otherwise.
  explicit tag_array(const config::cache_config& config);

  // The data of the line that holds `address`, now the most recently used of its set; null when it is not there.
  const std::uint8_t* look_up(std::uint64_t address);
  // As look_up() without touching the order of replacement.
  bool holds(std::uint64_t address) const;
  // Makes room for the line of `address`, which is not in the array, in place of the least recently used line, and
  // returns its data to be filled in.
  std::uint8_t* replace(std::uint64_t address);
  void invalidate();

  std::uint32_t line_bytes() const { return line_bytes_; }
  std::uint64_t line_of(std::uint64_t address) const { return address & ~std::uint64_t{line_bytes_ - 1}; }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};  // no line number reaches it

  std::uint64_t line_number(std::uint64_t address) const { return address >> line_shift_; }
  std::size_t first_way(std::uint64_t line) const { return static_cast<std::size_t>(line % sets_) * ways_; }

  std::uint32_t ways_;
  std::uint32_t sets_;
  std::uint32_t line_bytes_;
  unsigned line_shift_;
  std::uint64_t uses_ = 0;                // counts up at every use
  std::vector<std::uint64_t> tags_;       // [set][way]: line number or empty
  std::vector<std::uint64_t> last_used_;  // [set][way]
  std::vector<std::uint8_t> data_;        // [set][way][byte]
};

}  // namespace gt200::model
