// Maps a physical address to its partition and the address within the partition.
//
// Memory is cut into blocks of `interleave_bytes` that go to the partitions in turn: block b lies in partition
// b mod N as block b div N (envytools, Ruetsch and Micikevicius: 256 B, N = 8, 7 or 6). With the `fold` hash the
// N blocks of one round are rotated by the sum of the round's digits, so that power-of-two strides do not camp on
// one partition; linear memory of this generation is not hashed. Both maps are one to one for any N.
//
// In pages of a block-linear storage type (CUDA arrays) the blocks of a round go to the partitions in another
// order, so that neighbours in every direction lie in different ones (envytools, g80-vram): with r = low 5 bits of
// the round,
//   2 and 6 partitions  partition xor parity of r
//   4 partitions        partition - r[1:0] - r[3:2] - r[4], modulo 4
//   8 partitions        partition - r[2:0] - r[4:3], modulo 8
//   others              unchanged
// The storage type is an attribute of the page: bit 40 of the physical address, set from the page table.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sc_models/config/partition_config.h"

namespace gt200::model {

inline constexpr std::uint64_t block_linear_storage = std::uint64_t{1} << 40;

class address_map {
 public:
  struct location {
    unsigned partition = 0;
    std::uint64_t offset = 0;  // byte address within the partition
  };

  // `partitions` >= 1; `interleave_bytes` a power of two.
  address_map(unsigned partitions, std::uint32_t interleave_bytes, config::partition_hash hash,
              config::block_linear_order block_linear = config::block_linear_order::adjusted)
      : partitions_(partitions), hash_(hash), block_linear_(block_linear) {
    if (partitions == 0 || interleave_bytes == 0 || (interleave_bytes & (interleave_bytes - 1)) != 0)
      throw std::invalid_argument("address map: no partitions, or an interleave that is no power of two");
    shift_ = static_cast<unsigned>(__builtin_ctz(interleave_bytes));
    while ((1u << digit_bits_) < partitions) ++digit_bits_;
  }

  location locate(std::uint64_t address) const {
    const std::uint64_t block = (address & ~block_linear_storage) >> shift_;
    const std::uint64_t round = block / partitions_;
    auto partition = static_cast<unsigned>(block - round * partitions_);
    if ((address & block_linear_storage) != 0)
      partition = adjusted(partition, round);
    else if (hash_ == config::partition_hash::fold)
      partition = (partition + rotation(round)) % partitions_;
    return {partition, (round << shift_) | (address & (interleave_bytes() - 1))};
  }
  // The inverse of locate() for linear memory.
  std::uint64_t physical(const location& at) const {
    const std::uint64_t round = at.offset >> shift_;
    unsigned position = at.partition;
    if (hash_ == config::partition_hash::fold) position = (position + partitions_ - rotation(round)) % partitions_;
    return ((round * partitions_ + position) << shift_) | (at.offset & (interleave_bytes() - 1));
  }
  // Bytes from `address` to the end of its block: the maximum length of one transaction.
  std::uint64_t bytes_in_block(std::uint64_t address) const {
    return interleave_bytes() - (address & (interleave_bytes() - 1));
  }

  unsigned partitions() const { return partitions_; }
  std::uint64_t interleave_bytes() const { return std::uint64_t{1} << shift_; }

 private:
  unsigned adjusted(unsigned partition, std::uint64_t round) const {
    if (block_linear_ == config::block_linear_order::plain) return partition;
    const auto r = static_cast<unsigned>(round & 31);
    switch (partitions_) {
      case 2:
      case 6: return partition ^ static_cast<unsigned>(__builtin_parity(r));
      case 4: return (partition - (r & 3) - (r >> 2 & 3) - (r >> 4)) & 3;
      case 8: return (partition - (r & 7) - (r >> 3)) & 7;
      default: return partition;
    }
  }
  unsigned rotation(std::uint64_t round) const {
    std::uint64_t sum = 0;
    for (; round != 0; round >>= digit_bits_) sum += round & ((1u << digit_bits_) - 1);
    return static_cast<unsigned>(sum % partitions_);
  }

  unsigned partitions_;
  config::partition_hash hash_;
  config::block_linear_order block_linear_;
  unsigned shift_ = 0;
  unsigned digit_bits_ = 1;  // a digit of the hash covers at least one round of partitions
};

}  // namespace gt200::model
