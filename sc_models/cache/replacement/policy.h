// Replacement policy of a cache: selects the line of a set to be replaced.
//
// The tag array fills empty ways before it requests a victim, so a policy only sees full sets and needs no reset.
// One policy object serves all sets of a cache. Plain C++, no notion of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/data_cache_config.h"

namespace gt200::model {

// Number of a line in its cache: set x ways + way.
using line_index = std::uint32_t;
inline constexpr line_index no_line = ~line_index{0};

class replacement_policy {
 public:
  virtual ~replacement_policy() = default;

  // The line has been given to a new address. This counts as its first use.
  virtual void filled(line_index line) = 0;
  // The line has been used. Consecutive uses of the same line are reported once.
  virtual void used(line_index line) = 0;
  // Selects the line to replace. `candidates`: the replaceable lines of one set, at least one, in ascending order.
  // An answer that is none of them ends the run with an error.
  virtual line_index victim(const std::vector<line_index>& candidates) = 0;
};

// What a policy from outside is made with.
struct replacement_context {
  const char* cache;  // hierarchical name
  std::size_t lines;
};
// Replacement policies from outside (sc_models/plugin.h), without keys, where config::choose_at() says so:
// 'gt200.tpc_*.l2=mine'. They serve the caches of read-only data beyond L1 and the data caches.
struct cache_replacements {
  using factory = std::function<std::unique_ptr<replacement_policy>(const replacement_context&)>;
  static void add(config::added_policy about, factory make);
};
// What is chosen for the cache: one from outside, or the one of its configuration.
std::unique_ptr<replacement_policy> make_replacement(
    const char* cache, std::size_t lines, std::uint32_t ways = 1,
    config::line_replacement configured = config::line_replacement::lru);

}  // namespace gt200::model
