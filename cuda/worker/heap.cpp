#include "cuda/worker/heap.h"

#include <algorithm>
#include <iterator>

#include "toolchain/launch/device_memory.h"

namespace gt200::cudart {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace

std::uint64_t heap::alignment_of(kind what) {
  return what == kind::linear ? launch::allocation_alignment : launch::array_alignment;
}

bool heap::allocate(kind what, std::uint64_t bytes, std::uint32_t& address) {
  if (bytes == 0 || bytes > end_ - begin_) return false;
  const std::uint64_t granule = alignment_of(what);
  const std::uint64_t reserved = round_up(bytes, granule);
  auto& free = free_of(what);
  std::uint64_t at = 0;
  const auto fits =
      std::find_if(free.begin(), free.end(), [&](const auto& range) { return range.second >= reserved; });
  if (fits != free.end()) {
    at = fits->first;
    const std::uint64_t left = fits->second - reserved;
    free.erase(fits);
    if (left != 0) free.emplace(at + reserved, left);
  } else {
    at = round_up(what == kind::array && ends_linear_ ? top_ + behind_ : top_, granule);
    if (at > end_ || reserved > end_ - at) {
      // Above all memory there is no room: a free range that ends there gives its own.
      if (free.empty()) return false;
      const auto last = std::prev(free.end());
      if (last->first + last->second != top_ || reserved > end_ - last->first) return false;
      at = last->first;
      free.erase(last);
    }
    // The rest of the last page before an array is linear memory.
    if (at > top_) add_free(kind::linear, top_, at - top_);
    top_ = at + reserved;
    ends_linear_ = what == kind::linear;
  }
  allocated_.emplace(at, used{bytes, reserved, what});
  used_ += reserved;
  address = static_cast<std::uint32_t>(at);
  return true;
}

bool heap::release(kind what, std::uint64_t address) {
  const auto found = allocated_.find(address);
  if (found == allocated_.end() || found->second.what != what) return false;
  used_ -= found->second.reserved;
  add_free(what, address, found->second.reserved);
  allocated_.erase(found);
  return true;
}

void heap::add_free(kind what, std::uint64_t address, std::uint64_t bytes) {
  auto& free = free_of(what);
  auto after = free.lower_bound(address);
  if (after != free.end() && after->first == address + bytes) {
    bytes += after->second;
    after = free.erase(after);
  }
  if (after != free.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == address) {
      before->second += bytes;
      return;
    }
  }
  free.emplace(address, bytes);
}

std::uint64_t heap::room_at(std::uint64_t address) const {
  auto found = allocated_.upper_bound(address);
  if (found == allocated_.begin()) return 0;
  --found;
  const std::uint64_t end = found->first + found->second.bytes;
  return address < end ? end - address : 0;
}

}  // namespace gt200::cudart
