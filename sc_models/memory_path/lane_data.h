// Converts between the registers of the lanes and the bytes of a memory transaction. Little endian. Pure functions.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/memory_path/access_tokens.h"

namespace gt200::model {

// One bit per byte of a transaction of up to 128 bytes.
using byte_coverage = std::array<std::uint64_t, 2>;

// Store: writes the lanes' values to the bytes of the transaction in ascending order of lanes. Returns which bytes
// they cover.
byte_coverage gather_store(const transaction_token& transaction, std::uint8_t* bytes);

// Atomic: writes the operand, or compare value and new value of cas (see memory_transaction.h). Returns the number
// of bytes.
unsigned gather_atomic(const transaction_token& transaction, std::uint8_t* bytes);

// Load: copies the bytes of a response to the destination words of the lanes. Narrow types are extended to 32 bits.
void scatter_load(const transaction_token& transaction, const std::uint8_t* bytes);

// Atomic: copies the old value of memory to the lanes.
void scatter_atomic(const transaction_token& transaction, const std::uint8_t* bytes);

}  // namespace gt200::model
