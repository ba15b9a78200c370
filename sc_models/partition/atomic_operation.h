// The function of the ROP's atomic unit. Pure functions, no time.
//
// Operands travel in the payload: the value (for cas: the comparand) in bytes 0 .. w-1, for cas the new value in
// bytes w .. 2w-1, little endian, w = 8 for 64-bit operations and 4 otherwise; the old value returns in bytes
// 0 .. w-1. Source: PTX ISA 1.4 (atom); 64-bit operations are add, exch and cas on this hardware, any other leaves
// memory as it is. Addition in single precision: arch_state/atomic_operation.h.
#pragma once

#include <cstdint>
#include <tlm>

#include "sc_models/memory_transaction.h"

namespace gt200::model {

struct atomic_request {
  atomic_operation operation = atomic_operation::add;
  bool is_signed = false;  // min, max
  bool wide = false;       // 64 bits
  std::uint64_t value = 0;
  std::uint64_t swap = 0;  // cas: stored when memory equals `value`
  bool is_float = false;   // add

  unsigned width() const { return wide ? 8 : 4; }
};

// Operation and operands as they travel in a transaction of kind atomic.
atomic_request atomic_request_of(tlm::tlm_generic_payload& transaction);

// The value in memory after the operation. For 32-bit operations the upper half of arguments and result is 0.
std::uint64_t atomic_result(const atomic_request& request, std::uint64_t old);

// Bytes of operand an operation carries: w, or 2 w for cas.
inline unsigned atomic_operand_bytes(atomic_operation operation, bool wide) {
  return (wide ? 8u : 4u) * (operation == atomic_operation::cas ? 2u : 1u);
}

}  // namespace gt200::model
