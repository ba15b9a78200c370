#include "sc_models/sm/divergence/warp_pool.h"

namespace gt200::model {

void put_threads(waiting_warp& to, const waiting_warp& from, isa::lane_mask lanes) {
  to.lanes |= lanes;
  to.threads.take(from.threads, lanes);
}

unsigned warp_pool::threads() const {
  unsigned threads = 0;
  for (const waiting_warp& e : entries_) threads += static_cast<unsigned>(__builtin_popcount(e.lanes));
  return threads;
}

unsigned warp_pool::threads_of(block_slot block) const {
  unsigned threads = 0;
  for (const waiting_warp& e : entries_)
    for_each_block(e.threads, e.lanes, [&](block_slot of, isa::lane_mask lanes) {
      if (of == block) threads += static_cast<unsigned>(__builtin_popcount(lanes));
    });
  return threads;
}

waiting_warp warp_pool::remove(std::size_t entry) {
  const waiting_warp result = entries_[entry];
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(entry));
  return result;
}

}  // namespace gt200::model
