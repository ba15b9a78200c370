// Widths of the scoreboard's pins and of the fields within them. Apart from WARPS and ENTRIES, the parameters of
// scoreboard.sv have their defaults.
#pragma once

#include <stdexcept>
#include <string>

#include "rtl_ref/pin_widths.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::rtl {

struct scoreboard_pin_layout {
  static constexpr unsigned register_bits = 8;
  static constexpr unsigned size_bits = 2;
  static constexpr unsigned sources = 8;
  static constexpr unsigned destinations = 4;
  static constexpr unsigned lookups = 3;
  static constexpr unsigned releases = 9;
  static constexpr unsigned count_bits = bits_for(destinations + 1);
  static constexpr unsigned range_bits = size_bits + register_bits;
  static constexpr unsigned operand_bits = 1 + range_bits;

  // Register numbers at the pins: separate files, with gaps of the largest range between them.
  static constexpr unsigned first_register_of(isa::register_file_kind file) {
    switch (file) {
      case isa::register_file_kind::gpr: return 0;
      case isa::register_file_kind::address: return 160;
      case isa::register_file_kind::condition: break;
    }
    return 192;
  }
  // {valid, size, register}. Throws std::logic_error when a range is longer than the pins allow.
  static unsigned operand(const isa::register_range& range) {
    if (range.count == 0 || range.count > 1u << size_bits)
      throw std::logic_error("scoreboard pins: a range of " + std::to_string(range.count) + " registers");
    return 1u << range_bits | (range.count - 1u) << register_bits | (first_register_of(range.file) + range.first);
  }
  // The range of an entry, {size, register}.
  static isa::register_range range_of(unsigned entry) {
    using kind = isa::register_file_kind;
    const unsigned number = entry & ((1u << register_bits) - 1);
    const kind file = number >= first_register_of(kind::condition) ? kind::condition
                      : number >= first_register_of(kind::address) ? kind::address
                                                                   : kind::gpr;
    return {file, static_cast<std::uint8_t>(number - first_register_of(file)),
            static_cast<std::uint8_t>((entry >> register_bits) + 1)};
  }
};

}  // namespace gt200::rtl
