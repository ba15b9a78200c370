// A queue that keeps its storage: it allocates only when it becomes longer than ever before.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace gt200::model {

template <class T>
class ring {
 public:
  bool empty() const { return used_ == 0; }
  std::size_t size() const { return used_; }
  // The oldest; not empty.
  const T& front() const { return slots_[head_]; }
  // Positions count from the oldest on.
  const T& operator[](std::size_t position) const { return slots_[index_of(position)]; }

  void push_back(T value) {
    if (used_ == slots_.size()) grow();
    slots_[index_of(used_++)] = std::move(value);
  }
  void pop_front() {
    head_ = index_of(1);
    --used_;
  }

 private:
  std::size_t index_of(std::size_t position) const {
    const std::size_t index = head_ + position;
    return index < slots_.size() ? index : index - slots_.size();
  }
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (std::size_t k = 0; k < used_; ++k) larger[k] = std::move(slots_[index_of(k)]);
    slots_ = std::move(larger);
    head_ = 0;
  }

  std::vector<T> slots_;
  std::size_t head_ = 0;
  std::size_t used_ = 0;
};

}  // namespace gt200::model
