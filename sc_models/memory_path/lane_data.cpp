#include "sc_models/memory_path/lane_data.h"

#include <cstring>

#include "toolchain/bits.h"

namespace gt200::model {

namespace {

// Words = 32-bit words of a lane; Bytes of them are stored (less than 4 for narrow types).
template <unsigned Words, unsigned Bytes>
void gather(const transaction_token& transaction, std::uint8_t* bytes, byte_coverage& coverage) {
  const isa::lane_bundle& values = transaction.access->operation->values;
  const std::uint32_t offset_mask = transaction.bytes - 1u;
  const isa::lane_words* const source = &values.source[1][transaction.pass];
  for (const unsigned lane : set_bits(transaction.lanes)) {
    const std::uint32_t offset = values.address.lane[lane] & offset_mask;
    std::uint32_t words[Words];
    for (unsigned w = 0; w < Words; ++w) words[w] = source[w].lane[lane];
    std::memcpy(bytes + offset, words, Bytes);
    coverage[offset >> 6] |= ((std::uint64_t{1} << Bytes) - 1) << (offset & 63);
  }
}

template <class Memory, unsigned Words>
void scatter(const transaction_token& transaction, const std::uint8_t* bytes) {
  isa::lane_bundle& values = transaction.access->operation->values;
  const std::uint32_t offset_mask = transaction.bytes - 1u;
  isa::lane_words* const destination = &values.destination[transaction.pass];
  for (const unsigned lane : set_bits(transaction.lanes)) {
    const std::uint8_t* const from = bytes + (values.address.lane[lane] & offset_mask);
    for (unsigned w = 0; w < Words; ++w) {
      Memory value;
      std::memcpy(&value, from + w * sizeof(Memory), sizeof(Memory));
      destination[w].lane[lane] = static_cast<std::uint32_t>(value);  // signed types extend their sign
    }
  }
}

// The locations of the words of an in-sequence transaction: in the registers and in the transaction.
constexpr unsigned sequence_bytes = 64;
struct sequence {
  unsigned first_lane;
  unsigned first_byte;
};
sequence sequence_of(const transaction_token& transaction) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(transaction.lanes));
  return {lane, transaction.access->operation->values.address.lane[lane] & (transaction.bytes - 1u)};
}

void put_words(std::uint8_t* bytes, const isa::lane_words* words, unsigned count, unsigned lane) {
  for (unsigned w = 0; w < count; ++w) std::memcpy(bytes + w * 4, &words[w].lane[lane], 4);
}

}  // namespace

byte_coverage gather_store(const transaction_token& transaction, std::uint8_t* bytes) {
  byte_coverage coverage = {};
  if (transaction.in_sequence) {
    const sequence words = sequence_of(transaction);
    std::memcpy(bytes + words.first_byte,
                &transaction.access->operation->values.source[1][transaction.pass].lane[words.first_lane],
                sequence_bytes);
    // 64 bytes from first_byte on, which is 0 or within the first half of 128.
    coverage[0] = ~std::uint64_t{0} << words.first_byte;
    if (words.first_byte != 0) coverage[1] = ~std::uint64_t{0} >> (64 - words.first_byte);
    return coverage;
  }
  switch (transaction.access->word_bytes) {
    case 1: gather<1, 1>(transaction, bytes, coverage); break;
    case 2: gather<1, 2>(transaction, bytes, coverage); break;
    case 4: gather<1, 4>(transaction, bytes, coverage); break;
    case 8: gather<2, 8>(transaction, bytes, coverage); break;
    default: gather<4, 16>(transaction, bytes, coverage); break;
  }
  return coverage;
}

unsigned gather_atomic(const transaction_token& transaction, std::uint8_t* bytes) {
  const warp_instruction& operation = *transaction.access->operation;
  const unsigned words = transaction.bytes / 4;
  const auto lane = static_cast<unsigned>(__builtin_ctz(transaction.lanes));
  put_words(bytes, operation.values.source[1], words, lane);
  if (operation.instruction->access.atomic != isa::atomic_op::cas) return transaction.bytes;
  put_words(bytes + transaction.bytes, operation.values.source[2], words, lane);
  return 2u * transaction.bytes;
}

void scatter_load(const transaction_token& transaction, const std::uint8_t* bytes) {
  const memory_access& access = *transaction.access;
  if (transaction.in_sequence) {
    const sequence words = sequence_of(transaction);
    std::memcpy(&access.operation->values.destination[transaction.pass].lane[words.first_lane],
                bytes + words.first_byte, sequence_bytes);
    return;
  }
  if (access.word_bytes == 4) {
    scatter<std::uint32_t, 1>(transaction, bytes);
    return;
  }
  switch (access.type) {
    case isa::data_type::u8: scatter<std::uint8_t, 1>(transaction, bytes); break;
    case isa::data_type::s8: scatter<std::int8_t, 1>(transaction, bytes); break;
    case isa::data_type::u16: scatter<std::uint16_t, 1>(transaction, bytes); break;
    case isa::data_type::s16: scatter<std::int16_t, 1>(transaction, bytes); break;
    case isa::data_type::b64: scatter<std::uint32_t, 2>(transaction, bytes); break;
    default: scatter<std::uint32_t, 4>(transaction, bytes); break;
  }
}

void scatter_atomic(const transaction_token& transaction, const std::uint8_t* bytes) {
  isa::lane_words* const destination = transaction.access->operation->values.destination;
  const int lane = __builtin_ctz(transaction.lanes);
  for (unsigned w = 0; w < transaction.bytes / 4u; ++w) std::memcpy(&destination[w].lane[lane], bytes + w * 4, 4);
}

}  // namespace gt200::model
