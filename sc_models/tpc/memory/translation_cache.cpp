#include "sc_models/tpc/memory/translation_cache.h"

#include <algorithm>

namespace gt200::model {

translation_cache::translation_cache(unsigned entries, unsigned ways, std::uint32_t page_bytes)
    : ways_(ways),
      sets_(entries / ways),
      page_shift_(static_cast<unsigned>(__builtin_ctz(page_bytes))),
      pages_(std::size_t{sets_} * ways_, no_page) {}

bool translation_cache::access(std::uint64_t address) {
  const std::uint64_t page = page_of(address);
  std::uint64_t* const set = &pages_[static_cast<std::size_t>(page % sets_) * ways_];
  if (*set == page) return true;
  std::uint64_t* found = std::find(set + 1, set + ways_, page);
  const bool hit = found != set + ways_;
  if (!hit) --found;  // the least recently used entry makes room
  std::move_backward(set, found, found + 1);
  *set = page;
  return hit;
}

}  // namespace gt200::model
