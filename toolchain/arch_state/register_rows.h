// The registers of one warp as rows of 32 lanes, with room for the predicates and address registers of every
// generation. The generation defines how many of them exist and how wide they are.
#pragma once

#include <cstring>

#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

class register_rows {
 public:
  static constexpr unsigned conditions = 8;  // predicates, or condition codes, of up to 8 bits
  static constexpr unsigned addresses = 8;   // of up to 16 bits

  // `gpr` points to `count` rows that outlive this object.
  void bind(isa::lane_words* gpr, unsigned count) {
    gpr_ = gpr;
    count_ = count;
    section_ = nullptr;
  }
  // Registers [first, first + count) are these rows; null: they are not there. `first` is at least count().
  void bind_section(isa::lane_words* gpr, unsigned first, unsigned count) {
    section_ = gpr;
    section_first_ = first;
    section_count_ = count;
  }
  void clear_conditions_and_addresses() {
    std::memset(condition_, 0, sizeof condition_);
    std::memset(address_, 0, sizeof address_);
  }

  unsigned count() const { return count_; }
  const std::uint32_t* gpr(unsigned index) const { return index < count_ ? gpr_[index].lane : beyond(index); }
  std::uint32_t* gpr_for_write(unsigned index) { return index < count_ ? gpr_[index].lane : in_section(index); }
  const std::uint8_t* condition(unsigned index) const { return condition_[index]; }
  std::uint8_t* condition_for_write(unsigned index) { return condition_[index]; }
  const std::uint16_t* address(unsigned index) const { return address_[index]; }
  std::uint16_t* address_for_write(unsigned index) { return address_[index]; }

 private:
  static constexpr isa::lane_words zeros = {};

  std::uint32_t* in_section(unsigned index) {
    const unsigned n = index - section_first_;
    return section_ != nullptr && n < section_count_ ? section_[n].lane : nullptr;
  }
  const std::uint32_t* beyond(unsigned index) const {
    const unsigned n = index - section_first_;
    return section_ != nullptr && n < section_count_ ? section_[n].lane : zeros.lane;
  }

  isa::lane_words* gpr_ = nullptr;
  unsigned count_ = 0;
  isa::lane_words* section_ = nullptr;
  unsigned section_first_ = 0;
  unsigned section_count_ = 0;
  alignas(32) std::uint8_t condition_[conditions][isa::warp_size] = {};
  alignas(64) std::uint16_t address_[addresses][isa::warp_size] = {};
};

}  // namespace gt200::arch_state
