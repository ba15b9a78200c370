// The data of a memory transaction, copied at one of its phases: what an observer shows of it.
//
// A request carries data if it writes, a response if it has read and is good. Bytes that a transaction does not
// have are 0 and not enabled.
#pragma once

#include <array>
#include <cstdint>
#include <tlm>

#include "tlm_bus/transaction_size.h"

namespace gt200::tlm_bus {
class signal_writer;
}

namespace gt200::model {

struct transaction_values {
  static constexpr unsigned words = tlm_bus::max_transaction_bytes / 4;

  std::uint64_t id = 0;
  std::uint64_t address = 0;
  unsigned bytes = 0;
  bool write = false;
  std::array<std::uint32_t, words> data{};          // little endian
  std::array<std::uint64_t, words / 16> enabled{};  // a bit per byte

  // Of the transaction as it is now; null stands for none.
  static transaction_values of(const tlm::tlm_generic_payload* payload);
};

// Signals: id, address, bytes, write, word_0 .., float_0 .. (the same bits), and enabled_0 .. with 64 bytes each.
void show_values(tlm_bus::signal_writer& to, const transaction_values& values);

}  // namespace gt200::model
