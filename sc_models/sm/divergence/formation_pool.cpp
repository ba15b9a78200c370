#include "sc_models/sm/divergence/formation_pool.h"

#include <algorithm>

namespace gt200::model {
namespace {

constexpr std::size_t no_entry = ~std::size_t{0};

unsigned threads_in(isa::lane_mask lanes) { return static_cast<unsigned>(__builtin_popcount(lanes)); }

}  // namespace

unsigned formation_pool::add(const waiting_warp& arriving) {
  isa::lane_mask left = arriving.lanes;
  unsigned joined = 0;
  const auto youngest = std::find_if(entries_.rbegin(), entries_.rend(), [&](const waiting_warp& e) {
    return e.block == arriving.block && e.pc == arriving.pc;
  });
  if (youngest != entries_.rend()) {
    const isa::lane_mask fitting = left & ~youngest->lanes;
    put_threads(*youngest, arriving, fitting);
    left &= ~fitting;
    joined = threads_in(fitting);
  }
  if (left == 0) return joined;
  waiting_warp& begun = entries_.emplace_back();
  begun.block = arriving.block;
  begun.pc = arriving.pc;
  put_threads(begun, arriving, left);
  return joined;
}

unsigned formation_pool::threads_at(isa::code_address pc, std::uint64_t may_go) const {
  unsigned threads = 0;
  for (const waiting_warp& e : entries_)
    if (e.pc == pc && may_be_taken(e, may_go)) threads += threads_in(e.lanes);
  return threads;
}

// Of addresses with equally many threads, that of the oldest entry.
std::size_t formation_pool::by_count(std::uint64_t may_go, bool most) const {
  std::size_t best = no_entry;
  unsigned best_threads = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!may_be_taken(entries_[i], may_go) || (best != no_entry && entries_[i].pc == entries_[best].pc)) continue;
    const unsigned threads = threads_at(entries_[i].pc, may_go);
    if (best != no_entry && (most ? threads <= best_threads : threads >= best_threads)) continue;
    best = i;
    best_threads = threads;
  }
  return best;
}

std::size_t formation_pool::choose(std::uint64_t may_go) {
  const auto first_of = [&](const auto& holds) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (may_be_taken(entries_[i], may_go) && holds(entries_[i])) return i;
    return no_entry;
  };
  using config::formation_heuristic;
  switch (heuristic_) {
    case formation_heuristic::majority: {
      if (held_pc_) {
        const std::size_t next = first_of([&](const waiting_warp& e) { return e.pc == *held_pc_; });
        if (next != no_entry) return next;
      }
      const std::size_t chosen = by_count(may_go, true);
      if (chosen != no_entry) held_pc_ = entries_[chosen].pc;
      return chosen;
    }
    case formation_heuristic::dynamic_majority: return by_count(may_go, true);
    case formation_heuristic::minority: return by_count(may_go, false);
    case formation_heuristic::time_stamp: return first_of([](const waiting_warp&) { return true; });
    case formation_heuristic::pc: break;
  }
  std::size_t lowest = no_entry;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (may_be_taken(entries_[i], may_go) && (lowest == no_entry || entries_[i].pc < entries_[lowest].pc))
      lowest = i;
  return lowest;
}

std::optional<waiting_warp> formation_pool::take(std::uint64_t may_go) {
  const std::size_t chosen = choose(may_go);
  if (chosen == no_entry) return std::nullopt;
  return remove(chosen);
}

}  // namespace gt200::model
