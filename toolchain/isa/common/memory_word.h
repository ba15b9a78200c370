// Converts memory bytes to the register word that a load or a memory operand of each type returns.
#pragma once

#include <cstdint>
#include <cstring>

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa {

// Narrow types are extended to 32 bits, signed ones with their sign. Types of 4 bytes or more return their first
// word. Bytes are little-endian.
inline std::uint32_t memory_word(const std::uint8_t* bytes, data_type type) {
  const auto narrow = [bytes](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<std::uint32_t>(std::int32_t{value});
  };
  switch (type) {
    case data_type::u8: return narrow(std::uint8_t{});
    case data_type::s8: return narrow(std::int8_t{});
    case data_type::u16: return narrow(std::uint16_t{});
    case data_type::s16: return narrow(std::int16_t{});
    default: {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes, sizeof word);
      return word;
    }
  }
}

}  // namespace gt200::isa
