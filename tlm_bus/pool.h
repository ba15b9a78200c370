// Objects recycled through a free list. Tokens that are too large to copy travel as pointers into a pool, so that
// their transport allocates no memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "tlm_bus/state_image.h"

namespace gt200::tlm_bus {

template <class T>
class pool {
 public:
  pool() = default;
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  // Returns an object with the content of its last use; the caller sets what it needs.
  T* get() {
    if (free_.empty()) grow();
    T* t = free_.back();
    free_.pop_back();
    return t;
  }
  void put(T* t) { free_.push_back(t); }

  // A reset takes all objects back and makes them anew. They are given out again in the order of a new pool.
  void visit_state(state_image& state) {
    state.at_reset([this] {
      free_.clear();
      for (auto objects = blocks_.rbegin(); objects != blocks_.rend(); ++objects)
        for (std::size_t i = block; i > 0; --i) {
          T* const object = &(*objects)[i - 1];
          object->~T();
          free_.push_back(new (object) T());
        }
    });
  }

  std::size_t outstanding() const { return blocks_.size() * block - free_.size(); }
  // The objects in use, for explanations. Slow.
  std::vector<const T*> taken() const {
    std::vector<const T*> result;
    for (const std::unique_ptr<T[]>& objects : blocks_)
      for (std::size_t i = 0; i < block; ++i)
        if (std::find(free_.begin(), free_.end(), &objects[i]) == free_.end()) result.push_back(&objects[i]);
    return result;
  }

 private:
  static constexpr std::size_t block = 64;
  void grow() {
    blocks_.push_back(std::make_unique<T[]>(block));
    free_.reserve(blocks_.size() * block);
    for (std::size_t i = block; i > 0; --i) free_.push_back(&blocks_.back()[i - 1]);
  }
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::vector<T*> free_;
};

}  // namespace gt200::tlm_bus
