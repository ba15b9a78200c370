#include "tlm_bus/host_activity.h"

#include <algorithm>

namespace gt200::tlm_bus {

std::atomic<const stage*>& host_activity::of_this_thread() {
  static thread_local std::atomic<const stage*>* const mine = &entries_[std::min(threads_++, most_threads - 1)];
  return *mine;
}

std::vector<const stage*> host_activity::now() {
  std::vector<const stage*> all(std::min(threads_.load(), most_threads));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = entries_[i].load(std::memory_order_relaxed);
  return all;
}

}  // namespace gt200::tlm_bus
