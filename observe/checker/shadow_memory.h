// The expected content of device memory: a copy that follows the accesses in the order in which the model performs
// them.
//
// A page is copied from the device when it is first needed. Every change of memory during a launch goes through
// this copy first, so a page that is needed for the first time is still unchanged. The storage type of a page
// (interconnect/address_map.h) is part of its addresses and must not change during a launch.
//
// One thread may call everything. Other threads may call find() and history() meanwhile, as long as nobody writes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sc_models/interconnect/address_map.h"

namespace gt200::observe {

class shadow_memory {
 public:
  // Reads the current content of `bytes` bytes of the device at a physical address.
  using reader = std::function<void(std::uint64_t address, std::uint8_t* to, std::size_t bytes)>;

  shadow_memory(std::uint64_t bytes, reader read);

  // A launch begins, and the host may have changed any byte before it. Writes to these ranges are recorded from now
  // on.
  struct range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  void begin(std::vector<range> watched);

  static constexpr std::uint64_t page_bytes = 4096;

  bool contains(std::uint64_t address, unsigned bytes) const {
    const std::uint64_t place = address & ~model::block_linear_storage;
    return place < bytes_ && bytes <= bytes_ - place;
  }
  // The bytes must not cross a 4 KB boundary.
  const std::uint8_t* look(std::uint64_t address) { return page_at(address).bytes.data() + address % page_bytes; }
  // The same if the page has been copied in this launch, else null.
  const std::uint8_t* find(std::uint64_t address) const;
  void write(std::uint64_t address, const std::uint8_t* from, unsigned bytes);

  // The different values that a watched word (at a multiple of 4) has had since begin(); null if it was not
  // written.
  const std::unordered_set<std::uint32_t>* history(std::uint64_t word) const;

  // The first byte in which the device differs from this copy.
  struct difference {
    std::uint64_t address = 0;
    std::uint8_t expected = 0;
    std::uint8_t got = 0;
  };
  // `read`: reads the device with what its L1s have not written back.
  std::optional<difference> compare(const reader& read);
  std::optional<difference> compare() { return compare(read_); }
  std::uint64_t compared_bytes() const { return compared_bytes_; }

 private:
  struct page {
    std::atomic<std::uint64_t> launch{0};  // the content is valid only in this launch
    std::uint64_t address = 0;
    bool written = false;
    std::array<std::uint8_t, page_bytes> bytes;
  };
  static std::uint64_t number_of(std::uint64_t address) {
    return (address & ~model::block_linear_storage) / page_bytes;
  }
  page& page_at(std::uint64_t address);
  void remember(std::uint64_t address, const std::uint8_t* from, unsigned bytes);

  std::uint64_t bytes_;
  reader read_;
  std::uint64_t launch_ = 0;
  std::vector<std::atomic<page*>> places_;  // by number of the page; null: never needed
  std::deque<page> pages_;                  // in the order in which they were needed first
  std::vector<range> watched_;
  std::unordered_map<std::uint64_t, std::unordered_set<std::uint32_t>> history_;  // by address of the word
  std::uint64_t compared_bytes_ = 0;
};

}  // namespace gt200::observe
