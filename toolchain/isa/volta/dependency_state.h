// Pending results on registers and predicates between two instructions of a warp: fixed times since their writers,
// and dependency barriers of writers and readers whose time varies. Lint follows it along compiled code, the
// compiler along code that it gives control codes.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/latency.h"

namespace gt200::isa::volta {

// Registers, and behind them predicates.
inline constexpr unsigned resource_count = max_gpr + predicate_count;
inline constexpr unsigned predicate_resource(unsigned predicate) { return max_gpr + predicate; }

inline constexpr std::uint8_t no_dependency_barrier = 0x80;  // beside the bits of SB0..SB5: none was set

// State of one resource, on the path where it is pending longest.
struct pending_result {
  static constexpr std::uint8_t long_ago = 64;       // cycles; longer than any latency
  std::array<std::uint8_t, result_classes> since{};  // cycles since the issue of the last writer of each class
  std::uint8_t writing = 0;                          // barriers of writers of varying time
  std::uint8_t reading = 0;                          // barriers of readers of varying time

  bool operator==(const pending_result& o) const {
    return since == o.since && writing == o.writing && reading == o.reading;
  }
};

struct dependency_state {
  std::array<pending_result, resource_count> of;

  dependency_state();  // everything is complete
  bool operator==(const dependency_state& o) const { return of == o.of; }

  // The worse of both, for each resource.
  void merge(const dependency_state& other);
  // These barriers have been awaited.
  void wait(std::uint8_t barriers);
  void pass(unsigned cycles);
  // Cycles that are missing before this reader gets the results of fixed time.
  unsigned cycles_short(unsigned resource, reader_class reader, bool as_guard) const;
  // The results and operands of the instruction are pending from its issue on, by its codes.
  void issue(const instruction& i);
};

// Calls act(slot, word, register) for every register that a source reads.
template <class action>
void for_each_register_source(const instruction& i, action act) {
  for (unsigned slot = 0; slot < i.source.size(); ++slot) {
    const operand& o = i.source[slot];
    const bool is_register =
        o.kind == operand_kind::gpr || o.kind == operand_kind::memory || o.kind == operand_kind::constant;
    if (!is_register || o.index == zero_register) continue;
    const unsigned words = o.kind == operand_kind::constant ? 1 : o.words;
    for (unsigned word = 0; word < words && o.index + word < max_gpr; ++word) act(slot, word, o.index + word);
  }
}

// Calls act(resource, reader class, as guard) for everything that the instruction reads.
template <class action>
void for_each_read(const instruction& i, action act) {
  for_each_register_source(
      i, [&](unsigned slot, unsigned word, unsigned index) { act(index, reader_class_of(i, slot, word), false); });
  if (i.guard.index != true_predicate) act(predicate_resource(i.guard.index), reader_class::alu, true);
  const reader_class reader = reader_class_of(i, 0, 0);
  for (unsigned k = 0; k < i.predicate_source.size(); ++k)
    if ((i.predicates_used >> k & 1) != 0 && i.predicate_source[k].index != true_predicate)
      act(predicate_resource(i.predicate_source[k].index), reader, false);
  if (i.op == opcode::p2r)
    for (unsigned p = 0; p < predicate_count; ++p) act(predicate_resource(p), reader, false);
}

// Calls act(resource, word of the result) for everything that the instruction writes.
template <class action>
void for_each_write(const instruction& i, action act) {
  for (const operand* to : {&i.destination, &i.second_destination})
    if (to->kind == operand_kind::gpr && to->index != zero_register)
      for (unsigned word = 0; word < to->words && to->index + word < max_gpr; ++word) act(to->index + word, word);
  for (const std::uint8_t p : i.predicate_destination)
    if (p != true_predicate) act(predicate_resource(p), 0u);
  if (i.op == opcode::r2p)
    for (unsigned p = 0; p < predicate_count; ++p) act(predicate_resource(p), 0u);
}

// Cycles before the next instruction of the warp: at least so many.
unsigned issue_cycles(const control_codes& codes);

}  // namespace gt200::isa::volta
