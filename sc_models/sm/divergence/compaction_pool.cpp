#include "sc_models/sm/divergence/compaction_pool.h"

#include <algorithm>
#include <tuple>

namespace gt200::model {

unsigned compaction_pool::add(const waiting_warp& arriving) {
  isa::lane_mask left = arriving.lanes;
  unsigned joined = 0;
  for (std::size_t i = going_; i < entries_.size() && left != 0; ++i) {
    if (!entries_[i].goes_with(arriving)) continue;
    const isa::lane_mask fitting = left & ~entries_[i].lanes;
    put_threads(entries_[i], arriving, fitting);
    left &= ~fitting;
    joined += static_cast<unsigned>(__builtin_popcount(fitting));
  }
  if (left == 0) return joined;
  waiting_warp& begun = entries_.emplace_back(arriving);
  begun.lanes = 0;
  put_threads(begun, arriving, left);
  return joined;
}

bool compaction_pool::all_arrived(block_slot block) {
  const auto first_waiting = entries_.begin() + static_cast<std::ptrdiff_t>(going_);
  const auto is_of_block = [&](const waiting_warp& e) { return e.block == block; };
  if (std::any_of(entries_.begin(), first_waiting, is_of_block)) return false;
  const waiting_warp* chosen = nullptr;
  const auto rank = [](const waiting_warp& e) { return std::tuple(~e.depth, e.meets, e.pc); };
  for (auto e = first_waiting; e != entries_.end(); ++e)
    if (is_of_block(*e) && (chosen == nullptr || rank(*e) < rank(*chosen))) chosen = &*e;
  if (chosen == nullptr) return false;
  const waiting_warp path = *chosen;
  const auto behind = std::stable_partition(first_waiting, entries_.end(),
                                            [&](const waiting_warp& e) { return e.goes_with(path); });
  going_ = static_cast<std::size_t>(behind - entries_.begin());
  return true;
}

std::optional<waiting_warp> compaction_pool::take(std::uint64_t may_go) {
  for (std::size_t i = 0; i < going_; ++i) {
    if (!may_be_taken(entries_[i], may_go)) continue;
    --going_;
    return remove(i);
  }
  return std::nullopt;
}

}  // namespace gt200::model
