#include "sc_models/partition/atomic_operation.h"

#include <cstring>

#include "sc_models/memory_transaction.h"
#include "toolchain/arch_state/atomic_operation.h"

namespace gt200::model {

namespace {

std::uint64_t result_64(const atomic_request& request, std::uint64_t old) {
  switch (request.operation) {
    case atomic_operation::add: return old + request.value;
    case atomic_operation::exch: return request.value;
    case atomic_operation::cas: return old == request.value ? request.swap : old;
    default: return old;
  }
}

std::uint32_t result_32(const atomic_request& request, std::uint32_t old) {
  const auto value = static_cast<std::uint32_t>(request.value);
  const bool less =
      request.is_signed ? static_cast<std::int32_t>(value) < static_cast<std::int32_t>(old) : value < old;
  switch (request.operation) {
    case atomic_operation::add: return request.is_float ? arch_state::atomic_float_sum(old, value) : old + value;
    case atomic_operation::exch: return value;
    case atomic_operation::cas: return old == value ? static_cast<std::uint32_t>(request.swap) : old;
    case atomic_operation::inc: return old >= value ? 0 : old + 1;
    case atomic_operation::dec: return old == 0 || old > value ? value : old - 1;
    case atomic_operation::max: return less ? old : value;
    case atomic_operation::min: return less ? value : old;
    case atomic_operation::and_: return old & value;
    case atomic_operation::or_: return old | value;
    case atomic_operation::xor_: return old ^ value;
  }
  return old;
}

}  // namespace

atomic_request atomic_request_of(tlm::tlm_generic_payload& transaction) {
  const auto* extension = extension_of(transaction);
  atomic_request a;
  a.operation = extension->atomic;
  a.is_signed = extension->atomic_signed;
  a.is_float = extension->atomic_float;
  a.wide = extension->wide;
  std::memcpy(&a.value, transaction.get_data_ptr(), a.width());
  if (a.operation == atomic_operation::cas) std::memcpy(&a.swap, transaction.get_data_ptr() + a.width(), a.width());
  return a;
}

std::uint64_t atomic_result(const atomic_request& request, std::uint64_t old) {
  return request.wide ? result_64(request, old) : result_32(request, static_cast<std::uint32_t>(old));
}

}  // namespace gt200::model
