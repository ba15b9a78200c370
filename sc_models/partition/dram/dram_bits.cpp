#include "sc_models/partition/dram/dram_bits.h"

#include <fmt/format.h>

namespace gt200::model {

std::uint64_t dram_bits::bits() const { return 8 * contents().capacity(); }

bool dram_bits::bit(std::uint64_t bit) const {
  std::uint8_t byte = 0;
  contents().load(bit / 8, &byte, 1);
  return (byte >> bit % 8 & 1) != 0;
}

void dram_bits::flip(std::uint64_t bit) {
  std::uint8_t byte = 0;
  stored().load(bit / 8, &byte, 1);
  byte ^= static_cast<std::uint8_t>(1u << bit % 8);
  stored().store(bit / 8, &byte, 1);
}

std::string dram_bits::text_of_bit(std::uint64_t bit) const {
  return fmt::format("byte {:#x} bit {}", bit / 8, bit % 8);
}

void dram_bits::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  for (const dram_storage::range& page : contents().written_pages())
    to.push_back({8 * page.offset, 8 * page.bytes});
}

}  // namespace gt200::model
