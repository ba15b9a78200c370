#include "sc_models/partition/dram/storage.h"

#include <algorithm>
#include <cstring>

namespace gt200::model {

dram_storage::dram_storage(std::uint64_t capacity_bytes)
    : capacity_(capacity_bytes), pages_((capacity_bytes + page_bytes - 1) >> page_shift) {}

void dram_storage::load(std::uint64_t offset, std::uint8_t* to, std::size_t bytes) const {
  while (bytes != 0) {
    const std::uint64_t in_page = offset & (page_bytes - 1);
    const std::size_t part = std::min<std::size_t>(bytes, page_bytes - in_page);
    const auto& p = pages_[offset >> page_shift];
    if (p != nullptr)
      std::memcpy(to, p->data() + in_page, part);
    else
      std::memset(to, 0, part);
    offset += part;
    to += part;
    bytes -= part;
  }
}

void dram_storage::store(std::uint64_t offset, const std::uint8_t* from, std::size_t bytes,
                         const std::uint8_t* enables) {
  while (bytes != 0) {
    const std::uint64_t in_page = offset & (page_bytes - 1);
    const std::size_t part = std::min<std::size_t>(bytes, page_bytes - in_page);
    auto& p = pages_[offset >> page_shift];
    if (p == nullptr) p = std::make_unique<page>();
    std::uint8_t* to = p->data() + in_page;
    if (enables == nullptr) {
      std::memcpy(to, from, part);
    } else {
      for (std::size_t i = 0; i < part; ++i) to[i] = enables[i] != 0 ? from[i] : to[i];
      enables += part;
    }
    offset += part;
    from += part;
    bytes -= part;
  }
}

std::vector<dram_storage::range> dram_storage::written_pages() const {
  std::vector<range> pages;
  for (std::size_t p = 0; p < pages_.size(); ++p)
    if (pages_[p] != nullptr)
      pages.push_back({p << page_shift, std::min<std::uint64_t>(page_bytes, capacity_ - (p << page_shift))});
  return pages;
}

}  // namespace gt200::model
