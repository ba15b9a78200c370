#include "sc_models/cache/tag_array.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "sc_models/cache/replacement/policy.h"

namespace gt200::model {

tag_array::tag_array(const config::cache_config& config, const char* cache, config::set_index index,
                     config::line_replacement replaces)
    : line_bytes_(config.line_bytes),
      line_shift_(0),
      ways_(config.ways),
      sets_(0),
      index_(index),
      replaces_(replaces),
      cache_(cache) {
  if (line_bytes_ == 0 || (line_bytes_ & (line_bytes_ - 1)) != 0 || ways_ == 0 || config.bytes == 0 ||
      config.bytes % (line_bytes_ * ways_) != 0)
    throw std::invalid_argument("cache: the capacity is not a whole number of sets of lines");
  line_shift_ = static_cast<unsigned>(__builtin_ctz(line_bytes_));
  sets_ = config.sets();
  tags_.assign(config.lines(), no_address);
  pins_.assign(config.lines(), 0);
  evict_first_.assign(config.lines(), 0);
  candidates_.reserve(ways_);
  policy_ = make_replacement(cache, tags_.size(), ways_, replaces_);
}

line_index tag_array::find_in_set(std::uint64_t first_byte) const {
  const line_index first = first_of_set(first_byte);
  for (line_index line = first; line < first + ways_; ++line)
    if (tags_[line] == first_byte) return last_found_ = line;
  return no_line;
}

bool tag_array::can_allocate(std::uint64_t address) const {
  const auto first = pins_.begin() + static_cast<std::ptrdiff_t>(first_of_set(address));
  return std::find(first, first + ways_, 0u) != first + ways_;
}

tag_array::allocation tag_array::allocate(std::uint64_t address) {
  const line_index first = first_of_set(address);
  allocation result;
  candidates_.clear();
  for (line_index line = first; line < first + ways_ && result.line == no_line; ++line) {
    if (pins_[line] != 0) continue;
    if (tags_[line] == no_address) result.line = line;
    candidates_.push_back(line);
  }
  if (candidates_.empty()) return result;
  if (result.line == no_line) {
    prefer_marked();
    result.line = policy_->victim(candidates_);
    // The set is full: its candidates are the lines without a pin.
    if (result.line < first || result.line >= first + ways_ || pins_[result.line] != 0)
      throw std::logic_error(cache_ + ": the replacement policy names a line that it cannot replace");
  }
  result.evicted = tags_[result.line];
  tags_[result.line] = line_of(address);
  evict_first_[result.line] = 0;
  policy_->filled(result.line);
  last_used_ = result.line;
  return result;
}

void tag_array::prefer_marked() {
  const auto is_marked = [this](line_index line) { return evict_first_[line] != 0; };
  if (std::none_of(candidates_.begin(), candidates_.end(), is_marked)) return;
  candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), std::not_fn(is_marked)),
                    candidates_.end());
}

void tag_array::forget(line_index line) { tags_[line] = no_address; }

void tag_array::invalidate() { std::fill(tags_.begin(), tags_.end(), no_address); }

}  // namespace gt200::model
