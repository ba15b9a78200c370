#include "sc_models/memory_path/translation_cache.h"

#include <algorithm>

namespace gt200::model {

translation_cache::translation_cache(unsigned entries, unsigned ways, std::uint32_t page_bytes)
    : ways_(ways), sets_(entries / ways), page_bytes_(page_bytes), policy_(entries) {
  candidates_.reserve(ways);
}

const translation* translation_cache::find(std::uint64_t address) {
  if (entries_.empty()) return nullptr;
  // Most look-ups use the entry of the look-up before.
  if (entries_[last_used_].covers(address)) return &entries_[last_used_].block;
  const line_index first = first_of_set(address);
  for (line_index i = first; i < first + ways_; ++i) {
    if (!entries_[i].covers(address)) continue;
    policy_.used(i);
    last_used_ = i;
    return &entries_[i].block;
  }
  return nullptr;
}

void translation_cache::insert(std::uint64_t address, const translation& block) {
  // Most chips have more of these tables than a program uses.
  if (entries_.empty()) entries_.resize(std::size_t{sets_} * ways_);
  const line_index chosen = victim(address);
  const translation part = part_of(block, address);
  entries_[chosen] = {part.first, part.bytes, block};
  policy_.filled(chosen);
  last_used_ = chosen;
}

line_index translation_cache::victim(std::uint64_t address) {
  const line_index first = first_of_set(address);
  candidates_.clear();
  for (line_index i = first; i < first + ways_; ++i) {
    if (entries_[i].bytes == 0) return i;
    candidates_.push_back(i);
  }
  return policy_.victim(candidates_);
}

translation translation_cache::part_of(const translation& block, std::uint64_t address) const {
  const std::uint64_t page = address & ~(page_bytes_ - 1);
  translation part = block;
  part.first = std::max(block.first, page);
  part.bytes = std::min(block.first + block.bytes, page + page_bytes_) - part.first;
  part.physical = block.physical + (part.first - block.first);
  return part;
}

}  // namespace gt200::model
