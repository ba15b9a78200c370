// Tags of a set-associative cache: which memory line each way holds, and which line is replaced.
//
// Any number of sets and ways is possible where the set is the line number modulo the number of sets. A 5 KB,
// 20-way texture cache of 32-byte lines has 8 sets; a fully associative buffer has one. Empty ways are filled
// first, lowest first; then the replacement policy chooses, among the lines that are marked for it if there are
// such. A pinned line is never replaced. A cache pins a line
// that it has allocated to a miss before its data arrives, or whose data is still needed.
//
// Data and dirty bytes are in line_storage.h. Plain C++, no time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/cache/replacement/policy.h"
#include "sc_models/config/data_cache_config.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class tag_array {
 public:
  // No line begins at this address.
  static constexpr std::uint64_t no_address = ~std::uint64_t{0};

  // `config`: bytes a multiple of ways x line_bytes, at least one set. Throws std::invalid_argument otherwise.
  // `cache`: its hierarchical name, for replacements that are chosen by name. A folded index needs lines of 128
  // bytes and 32 or 64 sets (config/check.cpp).
  explicit tag_array(const config::cache_config& config, const char* cache = "",
                     config::set_index index = config::set_index::modulo,
                     config::line_replacement replaces = config::line_replacement::lru);

  // The line that holds `address`, or no_line. Does not count as a use.
  line_index find(std::uint64_t address) const {
    const std::uint64_t first_byte = line_of(address);
    // Most look-ups find the line of the look-up before.
    return tags_[last_found_] == first_byte ? last_found_ : find_in_set(first_byte);
  }
  // Reports a use of a line to the replacement policy.
  void used(line_index line) {
    if (line == last_used_) return;
    last_used_ = line;
    policy_->used(line);
  }

  // A marked line is replaced before those of its set that are not; a line with a new address has no mark.
  void mark_evict_first(line_index line, bool marked) { evict_first_[line] = marked; }

  // A line that has a new address, and the address it had before. A writable cache must write its dirty bytes back
  // before it overwrites them. `evicted` is no_address if the way was empty.
  struct allocation {
    line_index line = no_line;
    std::uint64_t evicted = no_address;
  };
  // True if the set of `address` has a line that is not pinned.
  bool can_allocate(std::uint64_t address) const;
  // Allocates a line to `address`, which must not be present, and counts it as used. The line is no_line if all
  // lines of the set are pinned. Throws std::logic_error if the replacement policy names a line that is not one of
  // its candidates.
  [[nodiscard]] allocation allocate(std::uint64_t address);

  // Pins are counted; a line with at least one pin stays.
  void pin(line_index line) { ++pins_[line]; }
  void unpin(line_index line) { --pins_[line]; }

  // Invalidates the line. Its pins remain.
  void forget(line_index line);
  // The same for all lines.
  void invalidate();

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(line_bytes_, line_shift_, ways_, sets_, index_, replaces_, cache_);
    state.remake(policy_, [this] { return make_replacement(cache_.c_str(), tags_.size(), ways_, replaces_); });
    state(tags_, last_found_, last_used_, pins_, evict_first_, candidates_);
  }

  // Address of the first byte that a line holds, or no_address.
  std::uint64_t address_of(line_index line) const { return tags_[line]; }
  line_index lines() const { return static_cast<line_index>(tags_.size()); }
  std::uint32_t line_bytes() const { return line_bytes_; }
  // Address of the first byte of the memory line that contains `address`.
  std::uint64_t line_of(std::uint64_t address) const { return address & ~std::uint64_t{line_bytes_ - 1}; }
  std::uint32_t offset_in_line(std::uint64_t address) const {
    return static_cast<std::uint32_t>(address) & (line_bytes_ - 1);
  }

 private:
  line_index find_in_set(std::uint64_t first_byte) const;
  void prefer_marked();
  line_index first_of_set(std::uint64_t address) const {
    if (index_ != config::set_index::modulo) return static_cast<line_index>(folded_index(address)) * ways_;
    // Most numbers of sets are powers of two, which avoids a division per look-up.
    const std::uint64_t number = address >> line_shift_;
    const std::uint64_t set = (sets_ & (sets_ - 1)) == 0 ? number & (sets_ - 1) : number % sets_;
    return static_cast<line_index>(set) * ways_;
  }
  std::uint64_t folded_index(std::uint64_t address) const {
    const auto bit = [address](unsigned n) { return address >> n & 1; };
    const std::uint64_t above = (address >> 13 & 7) | bit(17) << 3 | bit(19) << 4;
    return ((address >> 7 & 31) ^ above) | (sets_ == 64 ? bit(12) << 5 : 0);
  }

  // What a look-up needs comes first, for the host's cache.
  std::vector<std::uint64_t> tags_;  // [set][way]: first byte of the line, or no_address
  mutable line_index last_found_ = 0;
  line_index last_used_ = no_line;
  std::uint32_t line_bytes_;
  unsigned line_shift_;
  std::uint32_t ways_;
  std::uint32_t sets_;
  config::set_index index_;
  config::line_replacement replaces_;
  std::vector<std::uint32_t> pins_;        // [set][way]
  std::vector<std::uint8_t> evict_first_;  // [set][way]
  std::vector<line_index> candidates_;     // for the victim of one allocation
  std::unique_ptr<replacement_policy> policy_;
  std::string cache_;  // for errors
};

}  // namespace gt200::model
