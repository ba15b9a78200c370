// Replaces the line that has not been used for the longest time.
#pragma once

#include <algorithm>

#include "sc_models/cache/replacement/policy.h"

namespace gt200::model {

class lru_replacement final : public replacement_policy {
 public:
  explicit lru_replacement(std::size_t lines) : last_use_(lines) {}

  void filled(line_index line) override { used(line); }
  void used(line_index line) override { last_use_[line] = ++uses_; }
  line_index victim(const std::vector<line_index>& candidates) override {
    return *std::min_element(candidates.begin(), candidates.end(),
                             [this](line_index a, line_index b) { return last_use_[a] < last_use_[b]; });
  }

 private:
  std::uint64_t uses_ = 0;
  std::vector<std::uint64_t> last_use_;  // by line
};

}  // namespace gt200::model
