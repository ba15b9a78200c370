#include "sc_models/memory_path/page_table.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "sc_models/memory_path/page_entries.h"

namespace gt200::model {

using namespace page_entries;

// -- ranges --

std::vector<page_table::range>::iterator page_table::after(std::uint64_t address) {
  return std::upper_bound(ranges_.begin(), ranges_.end(), address,
                          [](std::uint64_t a, const range& r) { return a < r.first; });
}

void page_table::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t physical, bool supervisor) {
  if (bytes == 0 || ((address | bytes | physical) & (page_bytes_ - 1)) != 0)
    throw std::logic_error("page_table: the range is not made of whole pages");
  const std::uint64_t last = address + (bytes - 1);
  const auto next = after(address);
  const bool overlaps_next = next != ranges_.end() && next->first <= last;
  const bool overlaps_previous = next != ranges_.begin() && std::prev(next)->last >= address;
  if (overlaps_next || overlaps_previous) throw std::logic_error("page_table: the range is already mapped");
  join(ranges_.insert(next, {address, last, physical, false, supervisor}));
  note_change(address, last);
}

// Joins a range with its neighbours where they continue it.
void page_table::join(std::vector<range>::iterator here) {
  const auto continues = [](const range& a, const range& b) {
    return a.last + 1 == b.first && a.translate(b.first) == b.physical && a.read_only == b.read_only &&
           a.supervisor == b.supervisor;
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

void page_table::protect(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t last = address + (bytes - 1);
  const range* found = find(address);
  if (bytes == 0 || ((address | bytes) & (page_bytes_ - 1)) != 0 || found == nullptr || found->last < last)
    throw std::logic_error("page_table: what is protected must be whole pages of one range");
  const range whole = *found;
  auto here = ranges_.erase(std::prev(after(address)));
  if (last != whole.last)
    here =
        ranges_.insert(here, {last + 1, whole.last, whole.translate(last + 1), whole.read_only, whole.supervisor});
  here = ranges_.insert(here, {address, last, whole.translate(address), true, whole.supervisor});
  if (address != whole.first)
    here = std::next(
        ranges_.insert(here, {whole.first, address - 1, whole.physical, whole.read_only, whole.supervisor}));
  join(here);
  note_change(address, last);
}

const page_table::range* page_table::find(std::uint64_t address) const {
  const auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                     [](std::uint64_t a, const range& r) { return a < r.first; });
  if (next == ranges_.begin()) return nullptr;
  const range& r = *std::prev(next);
  return address <= r.last ? &r : nullptr;
}

// -- in device memory --

std::uint64_t page_table::table_bytes() const {
  return (std::uint64_t{1} << directory_shift) / page_bytes_ * entry_bytes;
}

std::uint64_t page_table::table_of(std::size_t slot) const {
  return base_ + directory_bytes + slot * table_bytes();
}

// All entries of a block may change together with one of its pages.
void page_table::note_change(std::uint64_t first, std::uint64_t last) {
  const std::uint64_t block = std::uint64_t{page_bytes_} << highest_order;
  changed_.emplace_back(first / block * block, last / block * block + (block - 1));
  for (std::uint64_t i = first >> directory_shift; i <= last >> directory_shift; ++i)
    if (std::find(tables_.begin(), tables_.end(), i) == tables_.end()) tables_.push_back(i);
}

// The largest block that contains the page and lies within its range.
std::uint64_t page_table::page_word(std::uint64_t address) const {
  const range* r = find(address);
  if (r == nullptr) return 0;
  page_entry entry;
  entry.present = true;
  entry.read_only = r->read_only;
  entry.supervisor = r->supervisor;
  std::uint64_t first = address;
  for (unsigned order = 1; order <= highest_order; ++order) {
    const std::uint64_t block = std::uint64_t{page_bytes_} << order;
    const std::uint64_t begin = address & ~(block - 1);
    if (begin < r->first || begin + (block - 1) > r->last) break;
    entry.order = order;
    first = begin;
  }
  entry.physical = r->translate(first);
  return entry.encode();
}

std::uint64_t page_table::word(std::uint64_t physical) const {
  if (physical < base_) return 0;
  if (physical < base_ + directory_bytes) {
    const auto found = std::find(tables_.begin(), tables_.end(), (physical - base_) / entry_bytes);
    if (found == tables_.end()) return 0;
    return directory_entry{table_of(static_cast<std::size_t>(found - tables_.begin())), page_bytes_}.encode();
  }
  const std::uint64_t offset = physical - base_ - directory_bytes;
  const std::uint64_t slot = offset / table_bytes();
  if (slot >= tables_.size()) return 0;
  return page_word((tables_[slot] << directory_shift) + offset % table_bytes() / entry_bytes * page_bytes_);
}

std::vector<memory_image> page_table::take_changes() {
  std::vector<memory_image> images;
  const auto add = [&](std::uint64_t physical, std::uint64_t bytes) {
    memory_image image{physical, std::vector<std::uint8_t>(bytes)};
    for (std::uint64_t i = 0; i < bytes; i += entry_bytes) {
      const std::uint64_t value = word(physical + i);
      std::memcpy(&image.bytes[i], &value, entry_bytes);
    }
    images.push_back(std::move(image));
  };
  for (const auto& [first, last] : changed_) {
    for (std::uint64_t i = first >> directory_shift; i <= last >> directory_shift; ++i) {
      const auto slot = static_cast<std::size_t>(std::find(tables_.begin(), tables_.end(), i) - tables_.begin());
      if (slot == tables_.size()) continue;
      const std::uint64_t begin = std::max(first, i << directory_shift);
      const std::uint64_t end = std::min(last, ((i + 1) << directory_shift) - 1);
      const directory_entry directory{table_of(slot), page_bytes_};
      add(base_ + i * entry_bytes, entry_bytes);
      add(directory.entry_of(begin), directory.entry_of(end) + entry_bytes - directory.entry_of(begin));
    }
  }
  changed_.clear();
  return images;
}

}  // namespace gt200::model
