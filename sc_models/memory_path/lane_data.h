// Between the registers of the lanes and the bytes of a memory transaction. Little endian. Pure functions.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/memory_path/access_tokens.h"

namespace gt200::model {

// One bit per byte of a transaction of up to 128 bytes.
using byte_coverage = std::array<std::uint64_t, 2>;

// Store: writes the lanes' values to the bytes of the transaction, in ascending order of lanes, and returns which
// bytes they cover.
byte_coverage gather_store(const transaction_token& transaction, std::uint8_t* bytes);

// Atomic: operand, or compare value and new value of cas (see memory_transaction.h). Returns the number of bytes.
unsigned gather_atomic(const transaction_token& transaction, std::uint8_t* bytes);

// Load: spreads the bytes of an answered transaction to destination words of the lanes, narrow types extended to 32
// bits.
void scatter_load(const transaction_token& transaction, const std::uint8_t* bytes);

// Atomic: the old value of memory.
void scatter_atomic(const transaction_token& transaction, const std::uint8_t* bytes);

}  // namespace gt200::model
