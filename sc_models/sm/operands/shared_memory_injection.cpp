// The bits of shared memory that can be flipped.
#include <fmt/format.h>

#include "sc_models/sm/operands/shared_memory.h"

namespace gt200::model {

bool shared_memory::bit(std::uint64_t bit) const { return (storage_[bit / 8] >> bit % 8 & 1) != 0; }

void shared_memory::flip(std::uint64_t bit) { storage_[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8); }

std::string shared_memory::text_of_bit(std::uint64_t bit) const {
  const std::uint64_t byte = bit / 8;
  for (std::size_t b = 0; b < regions_.size(); ++b)
    if (byte >= regions_[b].base && byte - regions_[b].base < regions_[b].bytes)
      return fmt::format("block slot {} s[{:#x}] bit {}", b, byte - regions_[b].base, bit % 8);
  return fmt::format("byte {:#x} of no block, bit {}", byte, bit % 8);
}

void shared_memory::add_occupied(std::vector<tlm_bus::bit_range>& to) const {
  std::uint64_t running = ~std::uint64_t{0};  // block slots
  if (blocks_ != nullptr) {
    running = 0;
    for (const warp_slot warp : warps_in(blocks_->resident().next()))
      running |= std::uint64_t{1} << blocks_->block_slot_of(warp).index();
  }
  for (std::size_t b = 0; b < regions_.size(); ++b)
    if ((running >> b & 1) != 0 && regions_[b].bytes != 0)
      to.push_back({std::uint64_t{8} * regions_[b].base, std::uint64_t{8} * regions_[b].bytes});
}

}  // namespace gt200::model
