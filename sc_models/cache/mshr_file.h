// Miss status holding registers of a cache: the missed lines that are still in flight.
//
// After a miss the cache looks here, so that a line in flight is not fetched twice. mshr_waiters.h, or the cache
// itself, keeps track of the requests that wait for a line. Plain C++, no notion of time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tlm_bus/time.h"

namespace gt200::model {

class mshr_file {
 public:
  static constexpr unsigned none = ~0u;

  struct entry {
    bool busy = false;
    // the line became invalid in flight: it serves the requests that wait, but no later ones
    bool invalidated = false;
    std::uint64_t line = 0;  // address of the first byte
    tlm_bus::cycle_t taken_at = 0;
  };

  explicit mshr_file(unsigned entries) : entries_(entries) {}

  // The entry of a line in flight, or none. Ignores invalidated entries.
  unsigned find(std::uint64_t line) const {
    return find_if([line](const entry& e) { return e.busy && !e.invalidated && e.line == line; });
  }
  unsigned find_also_invalidated(std::uint64_t line) const {
    return find_if([line](const entry& e) { return e.busy && e.line == line; });
  }

  // Allocates the lowest free entry for a line; none if all are busy.
  unsigned take(std::uint64_t line, tlm_bus::cycle_t now) {
    const unsigned free = full() ? none : find_if([](const entry& e) { return !e.busy; });
    if (free == none) return none;
    entries_[free] = {true, false, line, now};
    ++busy_;
    return free;
  }
  void release(unsigned index) {
    entries_[index].busy = false;
    --busy_;
  }
  // Marks a line in flight as out of date.
  void invalidate(unsigned index) { entries_[index].invalidated = true; }
  // The same for all lines in flight.
  void invalidate() {
    for (entry& e : entries_) e.invalidated = e.busy;
  }

  const entry& operator[](unsigned index) const { return entries_[index]; }
  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  unsigned busy() const { return busy_; }
  bool full() const { return busy_ == entries_.size(); }
  bool empty() const { return busy_ == 0; }
  // Bit n: entry n is busy. The first 64 entries.
  std::uint64_t busy_mask() const {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < std::min(size(), 64u); ++i) mask |= std::uint64_t{entries_[i].busy} << i;
    return mask;
  }

 private:
  template <class PREDICATE>
  unsigned find_if(PREDICATE fits) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), fits);
    return found == entries_.end() ? none : static_cast<unsigned>(found - entries_.begin());
  }

  std::vector<entry> entries_;
  unsigned busy_ = 0;
};

}  // namespace gt200::model
