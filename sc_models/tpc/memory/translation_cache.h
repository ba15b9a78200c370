// Tags of one TLB level: set-associative, least recently used entry replaced. No data, no time.
#pragma once

#include <cstdint>
#include <vector>

namespace gt200::model {

class translation_cache {
 public:
  // `entries` is a multiple of `ways`; an entry covers `page_bytes`, a power of two.
  translation_cache(unsigned entries, unsigned ways, std::uint32_t page_bytes);

  // Looks up the page of `address` and brings it in when it is missing. True on a hit.
  bool access(std::uint64_t address);
  std::uint64_t page_of(std::uint64_t address) const { return address >> page_shift_; }

 private:
  static constexpr std::uint64_t no_page = ~std::uint64_t{0};

  unsigned ways_;
  unsigned sets_;
  unsigned page_shift_;
  std::vector<std::uint64_t> pages_;  // [set][way], most recently used first
};

}  // namespace gt200::model
