#include "sc_models/memory_path/translation_cache.h"

#include <algorithm>

namespace gt200::model {

translation_cache::translation_cache(unsigned entries, unsigned ways, std::uint32_t page_bytes)
    : ways_(ways), sets_(entries / ways), page_bytes_(page_bytes), entries_(entries) {}

translation_cache::entry* translation_cache::set_of(std::uint64_t address) {
  return sets_ == 1 ? entries_.data() : &entries_[static_cast<std::size_t>(address / page_bytes_ % sets_) * ways_];
}

const translation* translation_cache::find(std::uint64_t address) {
  entry* const set = set_of(address);
  const auto covers = [address](const entry& e) { return address - e.first < e.bytes; };
  if (covers(*set)) return &set->block;
  entry* const found = std::find_if(set + 1, set + ways_, covers);
  if (found == set + ways_) return nullptr;
  std::rotate(set, found, found + 1);
  return &set->block;
}

void translation_cache::insert(std::uint64_t address, const translation& block) {
  entry* const set = set_of(address);
  std::move_backward(set, set + ways_ - 1, set + ways_);
  const translation part = part_of(block, address);
  *set = {part.first, part.bytes, block};
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
