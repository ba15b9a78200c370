// Tags and data of one texture cache. No time.
//
// A line is free, expected (its fill is on the way) or filled, and may be pinned by instructions that still have to
// read it. The least recently looked-up line without pins is replaced.
#pragma once

#include <cstdint>
#include <vector>

namespace gt200::model {

class texture_line_store {
 public:
  static constexpr std::uint16_t no_line = 0xffff;

  texture_line_store(unsigned sets, unsigned ways, unsigned line_bytes);

  // The line that holds or expects the bytes at `address` (a multiple of the line size), or no_line.
  std::uint16_t find(std::uint64_t address) const;
  // Gives a line to `address`, without data; no_line when every candidate is pinned or expected.
  std::uint16_t allocate(std::uint64_t address);
  void pin(std::uint16_t line);
  void unpin(std::uint16_t line) { --lines_[line].pins; }
  bool filled(std::uint16_t line) const { return lines_[line].state == line_state::filled; }
  void fill(std::uint16_t line, const std::uint8_t* bytes);
  // The fill failed: the line is free again once its pins are gone.
  void fail(std::uint16_t line) { lines_[line].state = line_state::failed; }
  bool failed(std::uint16_t line) const { return lines_[line].state == line_state::failed; }
  const std::uint8_t* data(std::uint16_t line) const { return &data_[std::size_t{line} * line_bytes_]; }
  void invalidate();

 private:
  enum class line_state : std::uint8_t { free, expected, filled, failed };
  struct entry {
    std::uint64_t address = 0;
    std::uint64_t used_at = 0;  // in look-ups
    std::uint32_t pins = 0;
    line_state state = line_state::free;
  };
  unsigned first_of_set(std::uint64_t address) const {
    return static_cast<unsigned>(address / line_bytes_ % sets_) * ways_;
  }

  unsigned sets_;
  unsigned ways_;
  unsigned line_bytes_;
  std::vector<entry> lines_;  // [set][way]
  std::vector<std::uint8_t> data_;
  std::uint64_t look_ups_ = 0;
};

}  // namespace gt200::model
