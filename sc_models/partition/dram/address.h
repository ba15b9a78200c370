// Maps a byte of the partition to bank, row and column of the devices.
//
// The column is in the low bits, then the bank, then the row. So a stream runs through an open row and finds the
// next row in another bank. `xor_row` exclusive-ors the bank with the low row bits, so that strides of (row size x
// banks) do not stay in one bank. The real split is not documented; see config/dram_config.h.
#pragma once

#include <cstdint>

#include "sc_models/config/dram_config.h"

namespace gt200::model {

struct dram_address {
  unsigned bank = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;  // byte within the row
};

class dram_address_map {
 public:
  explicit dram_address_map(const config::dram_config& config)
      : row_shift_(static_cast<unsigned>(__builtin_ctz(config.row_bytes))),
        bank_bits_(static_cast<unsigned>(__builtin_ctz(config.banks))),
        hash_(config.bank_hash) {}

  dram_address locate(std::uint64_t offset) const {
    const auto bank_mask = (1u << bank_bits_) - 1;
    const auto row = static_cast<std::uint32_t>(offset >> (row_shift_ + bank_bits_));
    auto bank = static_cast<unsigned>(offset >> row_shift_) & bank_mask;
    if (hash_ == config::bank_hash::xor_row) bank ^= row & bank_mask;
    return {bank, row, static_cast<std::uint32_t>(offset) & ((1u << row_shift_) - 1)};
  }
  // The inverse of locate().
  std::uint64_t offset_of(const dram_address& at) const {
    auto bank = at.bank;
    if (hash_ == config::bank_hash::xor_row) bank ^= at.row & ((1u << bank_bits_) - 1);
    return (((std::uint64_t{at.row} << bank_bits_) | bank) << row_shift_) | at.column;
  }
  // Bytes from the column to the end of the row.
  std::uint32_t left_in_row(const dram_address& at) const { return (1u << row_shift_) - at.column; }

 private:
  unsigned row_shift_;
  unsigned bank_bits_;
  config::bank_hash hash_;
};

}  // namespace gt200::model
