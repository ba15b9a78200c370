// Device memory as a program sees it: 32-bit byte addresses, little-endian, sparse.
//
// Only mapped ranges may be accessed; any other access is a fault of the program. A page is allocated at its first
// write; a page never written reads as zero. A copy of the object has its own content (the checker keeps one as
// shadow memory).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace gt200::arch_state {

class memory {
 public:
  static constexpr unsigned page_bits = 16;
  static constexpr std::uint32_t page_bytes = 1u << page_bits;

  struct range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  // first byte behind the range
  };

  memory();
  memory(const memory& other);
  memory& operator=(const memory& other);
  memory(memory&&) noexcept = default;
  memory& operator=(memory&&) noexcept = default;

  // Makes `bytes` bytes from `address` on accessible. False if they overlap a mapped range or exceed the address
  // space.
  bool map(std::uint32_t address, std::uint32_t bytes);
  // Moves the end of the range that begins at `address`. False if it would overlap the next one, shrink, or exceed
  // the address space.
  bool grow(std::uint32_t address, std::uint64_t end);
  // Removes the range that begins at `address`. Its content reads as zero if it is mapped again.
  void unmap(std::uint32_t address);
  const std::vector<range>& ranges() const { return ranges_; }  // sorted by address

  // True if all of these bytes lie in one mapped range.
  bool is_mapped(std::uint32_t address, std::uint64_t bytes) const;

  // Copies whole buffers. Returns false and does nothing if any byte is not mapped.
  bool read(std::uint32_t address, void* data, std::size_t bytes) const;
  bool write(std::uint32_t address, const void* data, std::size_t bytes);

  // Direct access within one page: a pointer to `bytes` bytes at `address`, null if they cross a page boundary. The
  // bytes must be mapped. A page never written appears as a page of zeros.
  const std::uint8_t* look(std::uint32_t address, std::uint32_t bytes) const {
    const std::uint32_t offset = address & (page_bytes - 1);
    if (bytes > page_bytes - offset) return nullptr;
    const page* p = pages_[address >> page_bits].get();
    return (p != nullptr ? p->data() : zero_page_->data()) + offset;
  }
  std::uint8_t* touch(std::uint32_t address, std::uint32_t bytes) {
    const std::uint32_t offset = address & (page_bytes - 1);
    if (bytes > page_bytes - offset) return nullptr;
    return page_for_write(address >> page_bits) + offset;
  }

 private:
  using page = std::array<std::uint8_t, page_bytes>;
  static const std::shared_ptr<const page>& zeros();
  std::uint8_t* page_for_write(std::uint32_t number) {
    if (pages_[number] == nullptr) pages_[number] = std::make_unique<page>();
    return pages_[number]->data();
  }

  std::vector<range> ranges_;
  std::vector<std::unique_ptr<page>> pages_;
  std::shared_ptr<const page> zero_page_;
};

}  // namespace gt200::arch_state
