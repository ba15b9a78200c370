#include "sc_models/tpc/memory/page_table.h"

#include <algorithm>
#include <stdexcept>

namespace gt200::model {

void page_table::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t physical) {
  if (bytes == 0 || ((address | bytes | physical) & (page_bytes_ - 1)) != 0)
    throw std::logic_error("page_table: the range is not made of whole pages");
  const std::uint64_t last = address + (bytes - 1);
  const auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                     [](std::uint64_t a, const range& r) { return a < r.first; });
  const bool overlaps_next = next != ranges_.end() && next->first <= last;
  const bool overlaps_previous = next != ranges_.begin() && std::prev(next)->last >= address;
  if (overlaps_next || overlaps_previous) throw std::logic_error("page_table: the range is already mapped");
  auto here = ranges_.insert(next, {address, last, physical});
  const auto continues = [](const range& a, const range& b) {
    return a.last + 1 == b.first && a.translate(b.first) == b.physical;
  };
  if (std::next(here) != ranges_.end() && continues(*here, *std::next(here))) {
    here->last = std::next(here)->last;
    ranges_.erase(std::next(here));
  }
  if (here != ranges_.begin() && continues(*std::prev(here), *here)) {
    std::prev(here)->last = here->last;
    ranges_.erase(here);
  }
}

const page_table::range* page_table::find(std::uint64_t address) const {
  const auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                     [](std::uint64_t a, const range& r) { return a < r.first; });
  if (next == ranges_.begin()) return nullptr;
  const range& r = *std::prev(next);
  return address <= r.last ? &r : nullptr;
}

}  // namespace gt200::model
