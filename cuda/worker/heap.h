// Allocation of device memory with release, for the runtime API. Plain C++.
//
// Memory is taken from low addresses to high. A released range is reused, by the first allocation that fits, for
// memory of its own kind: the pages of arrays have a storage type of their own, which they keep. If no range fits
// and the room above all of them is too small, a released range that borders on it is joined with it. Addresses
// depend on nothing but the order of calls.
#pragma once

#include <cstdint>
#include <map>

namespace gt200::cudart {

class heap {
 public:
  enum class kind { linear, array };

  // [begin, end): all multiples of launch::array_alignment. `behind` bytes behind linear memory are kept linear: an
  // array begins further up.
  heap(std::uint64_t begin, std::uint64_t end, std::uint64_t behind = 0)
      : begin_(begin), top_(begin), end_(end), behind_(behind) {}

  // False if the memory is full. Linear memory lies on 256 bytes, arrays on whole pages of 64 KiB.
  bool allocate(kind what, std::uint64_t bytes, std::uint32_t& address);
  // False if nothing of this kind begins there.
  bool release(kind what, std::uint64_t address);

  // Bytes from `address` to the end of the allocation that holds it; 0 if none does.
  std::uint64_t room_at(std::uint64_t address) const;
  bool holds(std::uint64_t address, std::uint64_t bytes) const { return bytes <= room_at(address); }

  std::uint64_t begin() const { return begin_; }
  std::uint64_t bytes() const { return end_ - begin_; }
  std::uint64_t free_bytes() const { return bytes() - used_; }
  // All memory below has been allocated at some time.
  std::uint64_t top() const { return top_; }
  // What ends there.
  bool ends_linear() const { return ends_linear_; }

 private:
  struct used {
    std::uint64_t bytes;     // as asked for
    std::uint64_t reserved;  // rounded up
    kind what;
  };
  static std::uint64_t alignment_of(kind what);
  void add_free(kind what, std::uint64_t address, std::uint64_t bytes);
  std::map<std::uint64_t, std::uint64_t>& free_of(kind what) { return what == kind::linear ? linear_ : arrays_; }

  std::uint64_t begin_;
  std::uint64_t top_;
  std::uint64_t end_;
  std::uint64_t behind_;
  bool ends_linear_ = false;
  std::uint64_t used_ = 0;
  std::map<std::uint64_t, used> allocated_;
  std::map<std::uint64_t, std::uint64_t> linear_;  // free ranges: address, bytes
  std::map<std::uint64_t, std::uint64_t> arrays_;
};

}  // namespace gt200::cudart
