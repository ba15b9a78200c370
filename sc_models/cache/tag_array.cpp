#include "sc_models/cache/tag_array.h"

#include <algorithm>
#include <stdexcept>

namespace gt200::model {

tag_array::tag_array(const config::cache_config& config)
    : ways_(config.ways), sets_(0), line_bytes_(config.line_bytes), line_shift_(0) {
  if (line_bytes_ == 0 || (line_bytes_ & (line_bytes_ - 1)) != 0 || ways_ == 0 || config.bytes == 0 ||
      config.bytes % (line_bytes_ * ways_) != 0)
    throw std::invalid_argument("cache: the capacity is not a whole number of sets of lines");
  line_shift_ = static_cast<unsigned>(__builtin_ctz(line_bytes_));
  sets_ = config.sets();
  tags_.assign(config.lines(), empty);
  last_used_.assign(config.lines(), 0);
  data_.assign(config.bytes, 0);
}

const std::uint8_t* tag_array::look_up(std::uint64_t address) {
  const std::uint64_t line = line_number(address);
  const std::size_t first = first_way(line);
  for (std::size_t way = first; way < first + ways_; ++way) {
    if (tags_[way] != line) continue;
    last_used_[way] = ++uses_;
    return &data_[way * line_bytes_];
  }
  return nullptr;
}

bool tag_array::holds(std::uint64_t address) const {
  const std::uint64_t line = line_number(address);
  const auto first = tags_.begin() + static_cast<std::ptrdiff_t>(first_way(line));
  return std::find(first, first + ways_, line) != first + ways_;
}

std::uint8_t* tag_array::replace(std::uint64_t address) {
  const std::uint64_t line = line_number(address);
  const auto first = static_cast<std::ptrdiff_t>(first_way(line));
  // Empty ways were never used or lost their use at an invalidation: they have the smallest count.
  const auto oldest = std::min_element(last_used_.begin() + first, last_used_.begin() + first + ways_);
  const auto way = static_cast<std::size_t>(oldest - last_used_.begin());
  tags_[way] = line;
  last_used_[way] = ++uses_;
  return &data_[way * line_bytes_];
}

void tag_array::invalidate() {
  std::fill(tags_.begin(), tags_.end(), empty);
  std::fill(last_used_.begin(), last_used_.end(), 0);
}

}  // namespace gt200::model
