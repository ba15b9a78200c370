// Replaces a line that has not been used recently, with one bit per line.
//
// A use marks its line. When all lines of a set are marked, only the one used last stays so. The line that gives
// way is the lowest without a mark. A loop over one line more than a set has ways replaces the lowest way in half
// of its misses and each other of four in a sixth; Mei and Chu (arXiv 1509.02308, quoted from
// memory) measured such shares on a Fermi. The rule itself is an assumption.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sc_models/cache/replacement/policy.h"

namespace gt200::model {

class nru_replacement final : public replacement_policy {
 public:
  nru_replacement(std::size_t lines, std::uint32_t ways) : ways_(ways), marked_(lines) {}

  void filled(line_index line) override { used(line); }
  void used(line_index line) override {
    marked_[line] = 1;
    const auto first = marked_.begin() + static_cast<std::ptrdiff_t>(line / ways_ * ways_);
    if (std::find(first, first + ways_, 0) != first + ways_) return;
    std::fill_n(first, ways_, std::uint8_t{0});
    marked_[line] = 1;
  }
  line_index victim(const std::vector<line_index>& candidates) override {
    const auto unmarked =
        std::find_if(candidates.begin(), candidates.end(), [this](line_index line) { return marked_[line] == 0; });
    return unmarked != candidates.end() ? *unmarked : candidates.front();
  }

 private:
  std::uint32_t ways_;
  std::vector<std::uint8_t> marked_;  // by line
};

}  // namespace gt200::model
