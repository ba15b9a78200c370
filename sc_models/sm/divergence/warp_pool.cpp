#include "sc_models/sm/divergence/warp_pool.h"

namespace gt200::model {

void put_threads(waiting_warp& to, const waiting_warp& from, isa::lane_mask lanes) {
  to.lanes |= lanes;
  for (const unsigned lane : set_bits(lanes)) {
    to.threads.slot[lane] = from.threads.slot[lane];
    to.threads.number[lane] = from.threads.number[lane];
  }
}

unsigned warp_pool::threads() const {
  unsigned threads = 0;
  for (const waiting_warp& e : entries_) threads += static_cast<unsigned>(__builtin_popcount(e.lanes));
  return threads;
}

unsigned warp_pool::threads_of(block_slot block) const {
  unsigned threads = 0;
  for (const waiting_warp& e : entries_)
    if (e.block == block) threads += static_cast<unsigned>(__builtin_popcount(e.lanes));
  return threads;
}

waiting_warp warp_pool::remove(std::size_t entry) {
  const waiting_warp result = entries_[entry];
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
  return result;
}

}  // namespace gt200::model
