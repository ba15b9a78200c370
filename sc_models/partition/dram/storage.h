// The contents of a partition's DRAM: real bytes in pages that are allocated when first written. Plain C++.
//
// Bytes that were never written read as 0.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace gt200::model {

class dram_storage {
 public:
  explicit dram_storage(std::uint64_t capacity_bytes);

  // [offset, offset + bytes) must lie within the capacity. `enables` null or one byte per byte, 0 = not written.
  void load(std::uint64_t offset, std::uint8_t* to, std::size_t bytes) const;
  void store(std::uint64_t offset, const std::uint8_t* from, std::size_t bytes,
             const std::uint8_t* enables = nullptr);

  struct range {
    std::uint64_t offset;
    std::uint64_t bytes;
  };
  // The pages that have been written, in order.
  std::vector<range> written_pages() const;

  std::uint64_t capacity() const { return capacity_; }
  bool contains(std::uint64_t offset, std::size_t bytes) const {
    return offset <= capacity_ && bytes <= capacity_ - offset;
  }

 private:
  static constexpr unsigned page_shift = 16;
  static constexpr std::uint64_t page_bytes = std::uint64_t{1} << page_shift;
  using page = std::array<std::uint8_t, page_bytes>;

  std::uint64_t capacity_;
  std::vector<std::unique_ptr<page>> pages_;
};

}  // namespace gt200::model
