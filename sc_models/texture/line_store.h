// Tags and data of one texture cache. No time.
//
// A line is free, expected (its fill is on the way), filled, or failed (the fill was refused), and may be pinned by
// instructions that still have to read it. The line that was pinned longest ago and is free of pins is replaced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gt200::model {

class texture_line_store {
 public:
  static constexpr std::uint16_t no_line = 0xffff;
  // data() may be read this far beyond the end of a line, so that texels of any size are copied alike.
  static constexpr std::size_t read_ahead_bytes = 16;

  // Fewer than 65535 lines in all.
  texture_line_store(unsigned sets, unsigned ways, unsigned line_bytes);

  // The line that holds or expects the bytes at `address` (a multiple of the line size), or no_line.
  std::uint16_t find(std::uint64_t address) const;
  // The line that could make room for `address`; no_line when all are pinned or expected.
  std::uint16_t candidate(std::uint64_t address) const;
  void expect(std::uint16_t line, std::uint64_t address);
  void pin(std::uint16_t line);
  void unpin(std::uint16_t line) { --lines_[line].pins; }
  // `caches_missed`: levels of caches that did not have it.
  void fill(std::uint16_t line, const std::uint8_t* bytes, unsigned caches_missed);
  void fail(std::uint16_t line) { lines_[line].state = line_state::failed; }
  bool expected(std::uint16_t line) const { return lines_[line].state == line_state::expected; }
  bool failed(std::uint16_t line) const { return lines_[line].state == line_state::failed; }
  unsigned caches_missed(std::uint16_t line) const { return lines_[line].caches_missed; }
  const std::uint8_t* data(std::uint16_t line) const { return &data_[std::size_t{line} * line_bytes_]; }
  // No line is found any more; those pinned or expected still serve their instructions.
  void invalidate();

 private:
  static constexpr std::uint64_t no_address = ~std::uint64_t{0};
  enum class line_state : std::uint8_t { free, expected, filled, failed };
  struct entry {
    std::uint64_t address = 0;
    std::uint64_t used_at = 0;  // number of the last pin
    std::uint32_t pins = 0;
    line_state state = line_state::free;
    std::uint8_t caches_missed = 0;  // by its fill
  };
  unsigned first_of_set(std::uint64_t address) const {
    return static_cast<unsigned>(address / line_bytes_ % sets_) * ways_;
  }

  unsigned sets_;
  unsigned ways_;
  unsigned line_bytes_;
  std::vector<entry> lines_;  // [set][way]
  std::vector<std::uint8_t> data_;
  std::uint64_t pinned_ = 0;
};

}  // namespace gt200::model
