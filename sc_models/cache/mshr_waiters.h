// The requests that wait for the lines of an MSHR file: one list per entry, in order of arrival.
//
// The lists share one pool of elements, so nothing is allocated once the pool has grown to its working size.
#pragma once

#include <vector>

namespace gt200::model {

template <class WAITER>
class mshr_waiters {
 public:
  explicit mshr_waiters(unsigned entries) : lists_(entries) {}

  void add(unsigned entry, const WAITER& waiter) {
    if (free_ < 0) {
      free_ = static_cast<int>(elements_.size());
      elements_.emplace_back();
    }
    const int added = free_;
    element& e = at(added);
    free_ = e.next;
    e = {waiter, -1};
    list& l = lists_[entry];
    (l.first < 0 ? l.first : at(l.last).next) = added;
    l.last = added;
  }

  // Empties the list of the entry and calls `serve` with each of its waiters, the oldest first.
  template <class FUNCTION>
  void serve(unsigned entry, FUNCTION serve) {
    int next = lists_[entry].first;
    lists_[entry] = list{};
    while (next >= 0) {
      element& e = at(next);
      const WAITER waiter = e.waiter;
      const int served = next;
      next = e.next;
      e.next = free_;
      free_ = served;
      serve(waiter);
    }
  }

 private:
  struct element {
    WAITER waiter{};
    int next = -1;
  };
  struct list {
    int first = -1;
    int last = -1;
  };
  element& at(int index) { return elements_[static_cast<std::size_t>(index)]; }

  std::vector<list> lists_;  // by MSHR
  std::vector<element> elements_;
  int free_ = -1;  // chain of unused elements
};

}  // namespace gt200::model
