#include "toolchain/arch_state/memory.h"

#include <algorithm>
#include <cstring>

namespace gt200::arch_state {
namespace {

constexpr std::uint64_t address_space = std::uint64_t{1} << 32;

bool begins_before(const memory::range& r, std::uint64_t address) { return r.begin < address; }

}  // namespace

const std::shared_ptr<const memory::page>& memory::zeros() {
  static const std::shared_ptr<const page> instance = std::make_shared<page>();
  return instance;
}

memory::memory() : pages_(address_space >> page_bits), zero_page_(zeros()) {}

memory::memory(const memory& other) : memory() { *this = other; }

memory& memory::operator=(const memory& other) {
  if (this == &other) return *this;
  ranges_ = other.ranges_;
  for (std::size_t i = 0; i < pages_.size(); ++i)
    pages_[i] = other.pages_[i] != nullptr ? std::make_unique<page>(*other.pages_[i]) : nullptr;
  return *this;
}

bool memory::map(std::uint32_t address, std::uint32_t bytes) {
  const range added = {address, std::uint64_t{address} + bytes};
  if (bytes == 0 || added.end > address_space) return false;
  const auto next = std::lower_bound(ranges_.begin(), ranges_.end(), added.begin, begins_before);
  if (next != ranges_.end() && next->begin < added.end) return false;
  if (next != ranges_.begin() && std::prev(next)->end > added.begin) return false;
  ranges_.insert(next, added);
  return true;
}

bool memory::grow(std::uint32_t address, std::uint64_t end) {
  const auto found = std::lower_bound(ranges_.begin(), ranges_.end(), address, begins_before);
  if (found == ranges_.end() || found->begin != address || end < found->end || end > address_space) return false;
  const auto next = std::next(found);
  if (next != ranges_.end() && next->begin < end) return false;
  found->end = end;
  return true;
}

void memory::unmap(std::uint32_t address) {
  const auto found = std::lower_bound(ranges_.begin(), ranges_.end(), address, begins_before);
  if (found == ranges_.end() || found->begin != address) return;
  for (std::uint64_t at = found->begin; at < found->end;) {
    const std::uint64_t page_end = ((at >> page_bits) + 1) << page_bits;
    const std::uint64_t end = std::min(page_end, found->end);
    if (page* p = pages_[at >> page_bits].get(); p != nullptr)
      std::memset(p->data() + (at & (page_bytes - 1)), 0, static_cast<std::size_t>(end - at));
    at = end;
  }
  ranges_.erase(found);
}

bool memory::is_mapped(std::uint32_t address, std::uint64_t bytes) const {
  auto next = std::lower_bound(ranges_.begin(), ranges_.end(), std::uint64_t{address} + 1, begins_before);
  if (next == ranges_.begin()) return false;
  const std::uint64_t end = std::prev(next)->end;
  return address < end && bytes <= end - address;
}

bool memory::read(std::uint32_t address, void* data, std::size_t bytes) const {
  if (bytes != 0 && !is_mapped(address, bytes)) return false;
  auto* to = static_cast<std::uint8_t*>(data);
  while (bytes > 0) {
    const std::uint32_t part =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes, page_bytes - (address & (page_bytes - 1))));
    std::memcpy(to, look(address, part), part);
    address += part;
    to += part;
    bytes -= part;
  }
  return true;
}

bool memory::write(std::uint32_t address, const void* data, std::size_t bytes) {
  if (bytes != 0 && !is_mapped(address, bytes)) return false;
  const auto* from = static_cast<const std::uint8_t*>(data);
  while (bytes > 0) {
    const std::uint32_t part =
        static_cast<std::uint32_t>(std::min<std::size_t>(bytes, page_bytes - (address & (page_bytes - 1))));
    std::memcpy(touch(address, part), from, part);
    address += part;
    from += part;
    bytes -= part;
  }
  return true;
}

}  // namespace gt200::arch_state
