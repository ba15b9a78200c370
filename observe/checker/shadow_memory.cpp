#include "observe/checker/shadow_memory.h"

#include <cstring>
#include <utility>

namespace gt200::observe {

shadow_memory::shadow_memory(std::uint64_t bytes, reader read)
    : bytes_(bytes), read_(std::move(read)), pages_((bytes + page_bytes - 1) / page_bytes) {}

void shadow_memory::begin(std::vector<range> watched) {
  ++launch_;
  watched_ = std::move(watched);
  history_.clear();
}

shadow_memory::page& shadow_memory::page_at(std::uint64_t address) {
  const std::uint64_t number = (address & ~model::block_linear_storage) / page_bytes;
  std::unique_ptr<page>& p = pages_[number];
  if (p == nullptr) p = std::make_unique<page>();
  if (p->launch != launch_) {
    p->address = address / page_bytes * page_bytes;
    read_(p->address, p->bytes.data(), page_bytes);
    p->launch = launch_;
    p->written = false;
  }
  return *p;
}

void shadow_memory::write(std::uint64_t address, const std::uint8_t* from, unsigned bytes) {
  page& p = page_at(address);
  p.written = true;
  for (const range& r : watched_)
    if (address <= r.last && address + bytes > r.first) return remember(address, from, bytes);
  std::memcpy(p.bytes.data() + address % page_bytes, from, bytes);
}

void shadow_memory::remember(std::uint64_t address, const std::uint8_t* from, unsigned bytes) {
  const auto value_of = [this](std::uint64_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, look(word), 4);
    return value;
  };
  const std::uint64_t first = address / 4 * 4;
  for (std::uint64_t word = first; word < address + bytes; word += 4)
    if (history(word) == nullptr) history_[word].insert(value_of(word));
  std::memcpy(page_at(address).bytes.data() + address % page_bytes, from, bytes);
  for (std::uint64_t word = first; word < address + bytes; word += 4) history_[word].insert(value_of(word));
}

const std::unordered_set<std::uint32_t>* shadow_memory::history(std::uint64_t word) const {
  const auto found = history_.find(word / 4 * 4);
  return found == history_.end() ? nullptr : &found->second;
}

std::optional<shadow_memory::difference> shadow_memory::compare(const reader& read) {
  std::array<std::uint8_t, page_bytes> now;
  for (const std::unique_ptr<page>& p : pages_) {
    if (p == nullptr || p->launch != launch_ || !p->written) continue;
    read(p->address, now.data(), page_bytes);
    compared_bytes_ += page_bytes;
    if (now == p->bytes) continue;
    std::size_t at = 0;
    while (now[at] == p->bytes[at]) ++at;
    return difference{p->address + at, p->bytes[at], now[at]};
  }
  return std::nullopt;
}

}  // namespace gt200::observe
