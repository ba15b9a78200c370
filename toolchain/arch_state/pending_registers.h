// The registers that unfinished instructions of a warp still have to write. Finds reads that come too early.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

class pending_registers {
 public:
  bool any() const { return count_ != 0; }

  void clear() {
    bits_ = {};
    count_ = 0;
  }
  void mark(const isa::instruction& i) {
    for (unsigned k = 0; k < i.write_count; ++k) change(i.writes[k], true);
    ++count_;
  }
  void release(const isa::instruction& i) {
    for (unsigned k = 0; k < i.write_count; ++k) change(i.writes[k], false);
    --count_;
  }
  bool contains(const isa::register_range& r) const {
    for (unsigned k = 0; k < r.count; ++k)
      if (test(position(r, k))) return true;
    return false;
  }
  // The first range that `i` reads, or writes, while an older result for it is outstanding; count 0 if there is
  // none.
  isa::register_range conflict(const isa::instruction& i) const {
    for (unsigned k = 0; k < i.read_count; ++k)
      if (contains(i.reads[k])) return i.reads[k];
    for (unsigned k = 0; k < i.write_count; ++k)
      if (contains(i.writes[k])) return i.writes[k];
    return {};
  }

 private:
  // Large enough for every generation: up to 256 general registers, then the other two files.
  static constexpr unsigned first_condition = 256;
  static constexpr unsigned first_address = first_condition + 16;

  static unsigned position(const isa::register_range& r, unsigned k) {
    const unsigned index = r.first + k;
    switch (r.file) {
      case isa::register_file_kind::gpr: return index;
      case isa::register_file_kind::condition: return first_condition + index;
      case isa::register_file_kind::address: return first_address + index;
    }
    return index;
  }
  bool test(unsigned at) const { return (bits_[at / 64] >> (at % 64) & 1) != 0; }
  void change(const isa::register_range& r, bool set) {
    for (unsigned k = 0; k < r.count; ++k) {
      const unsigned at = position(r, k);
      const std::uint64_t bit = std::uint64_t{1} << (at % 64);
      if (set)
        bits_[at / 64] |= bit;
      else
        bits_[at / 64] &= ~bit;
    }
  }

  std::array<std::uint64_t, 5> bits_{};
  unsigned count_ = 0;  // unfinished instructions
};

}  // namespace gt200::arch_state
