// Tags of a set-associative cache: which line of memory each way holds, and which line makes room for another.
//
// Any number of sets and ways: the set is the line number modulo the sets, so a 5 KB, 20-way texture cache of
// 32-byte lines has 8 sets and a fully associative buffer one. Empty ways are filled first, the lowest one before
// the others; then the replacement policy chooses. A pinned line is never replaced: a cache pins a line that it has
// given to a miss before the data has come, or that somebody still has to read.
//
// Data and dirty bytes are in line_storage.h. Plain C++, no time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sc_models/cache/replacement/policy.h"
#include "sc_models/config/cache_config.h"

namespace gt200::model {

class tag_array {
 public:
  // No line begins at this address.
  static constexpr std::uint64_t no_address = ~std::uint64_t{0};

  // `config`: bytes a multiple of ways x line_bytes, at least one set. Throws std::invalid_argument otherwise.
  explicit tag_array(const config::cache_config& config);

  // The line that holds `address`, or no_line. Does not count as a use.
  line_index find(std::uint64_t address) const {
    const std::uint64_t first_byte = line_of(address);
    // Most look-ups find the line of the look-up before.
    return tags_[last_found_] == first_byte ? last_found_ : find_in_set(first_byte);
  }
  // Tells the replacement policy that a line has been used.
  void used(line_index line) {
    if (line == last_used_) return;
    last_used_ = line;
    policy_->used(line);
  }

  // A line that now stands for another address, and the address it held before: a writable cache must write its
  // dirty bytes back before it overwrites them. `evicted` is no_address when the way was empty.
  struct allocation {
    line_index line = no_line;
    std::uint64_t evicted = no_address;
  };
  // Whether the set of `address` has a line that is not pinned.
  bool can_allocate(std::uint64_t address) const;
  // Gives a line to `address`, which is in no line, and counts it as used. The line is no_line when all lines of
  // the set are pinned.
  [[nodiscard]] allocation allocate(std::uint64_t address);

  // Pins add up; a line stays as long as it has one.
  void pin(line_index line) { ++pins_[line]; }
  void unpin(line_index line) { --pins_[line]; }

  // The line holds nothing any more. Its pins remain.
  void forget(line_index line);
  // The same for all lines.
  void invalidate();

  // First byte of what a line holds, or no_address.
  std::uint64_t address_of(line_index line) const { return tags_[line]; }
  line_index lines() const { return static_cast<line_index>(tags_.size()); }
  std::uint32_t line_bytes() const { return line_bytes_; }
  // First byte of the line of memory that `address` lies in.
  std::uint64_t line_of(std::uint64_t address) const { return address & ~std::uint64_t{line_bytes_ - 1}; }
  std::uint32_t offset_in_line(std::uint64_t address) const {
    return static_cast<std::uint32_t>(address) & (line_bytes_ - 1);
  }

 private:
  line_index find_in_set(std::uint64_t first_byte) const;
  line_index first_of_set(std::uint64_t address) const {
    return static_cast<line_index>((address >> line_shift_) % sets_) * ways_;
  }

  // What a look-up needs comes first, for the host's cache.
  std::vector<std::uint64_t> tags_;  // [set][way]: first byte of the line, or no_address
  mutable line_index last_found_ = 0;
  line_index last_used_ = no_line;
  std::uint32_t line_bytes_;
  unsigned line_shift_;
  std::uint32_t ways_;
  std::uint32_t sets_;
  std::vector<std::uint32_t> pins_;  // [set][way]
  std::vector<line_index> candidates_;  // for the victim of one allocation
  std::unique_ptr<replacement_policy> policy_;
};

}  // namespace gt200::model
