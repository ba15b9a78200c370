// When a result of fixed time can be read, in generations whose compiler schedules and whose hardware does not
// check: cycles from the issue of the writer to that of the reader, by the latency classes of result and operand
// (isa::register_transfer). An instruction that issues earlier reads the old value.
#pragma once

#include <array>
#include <cstdint>

namespace gt200::arch_state {

struct forwarding_table {
  static constexpr unsigned writer_classes = 8;
  static constexpr unsigned reader_classes = 12;
  using cycles = std::array<std::array<std::uint8_t, reader_classes>, writer_classes>;

  cycles registers{};        // by class of the writer, then of the reader
  cycles predicates{};       // the same
  std::uint8_t longest = 0;  // of all; 0: there is no table, the hardware keeps readers back

  bool present() const { return longest != 0; }
};

}  // namespace gt200::arch_state
