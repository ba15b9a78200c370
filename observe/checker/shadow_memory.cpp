#include "observe/checker/shadow_memory.h"

#include <cstring>
#include <utility>

namespace gt200::observe {

shadow_memory::shadow_memory(std::uint64_t bytes, reader read)
    : bytes_(bytes), read_(std::move(read)), places_((bytes + page_bytes - 1) / page_bytes) {}

void shadow_memory::begin(std::vector<range> watched) {
  ++launch_;
  watched_ = std::move(watched);
  history_.clear();
}

shadow_memory::page& shadow_memory::page_at(std::uint64_t address) {
  std::atomic<page*>& place = places_[number_of(address)];
  page* p = place.load(std::memory_order_relaxed);
  if (p == nullptr) {
    p = &pages_.emplace_back();
    place.store(p, std::memory_order_release);
  }
  if (p->launch.load(std::memory_order_relaxed) != launch_) {
    p->address = address / page_bytes * page_bytes;
    read_(p->address, p->bytes.data(), page_bytes);
    p->written = false;
    p->launch.store(launch_, std::memory_order_release);
  }
  return *p;
}

const std::uint8_t* shadow_memory::find(std::uint64_t address) const {
  const page* p = places_[number_of(address)].load(std::memory_order_acquire);
  if (p == nullptr || p->launch.load(std::memory_order_acquire) != launch_) return nullptr;
  return p->bytes.data() + address % page_bytes;
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
  for (const std::atomic<page*>& place : places_) {
    const page* p = place.load(std::memory_order_relaxed);
    if (p == nullptr || p->launch.load(std::memory_order_relaxed) != launch_ || !p->written) continue;
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
