#include "observe/checker/in_flight.h"

#include <fmt/format.h>

#include <cstring>

#include "toolchain/arch_state/generic_address.h"
#include "toolchain/bits.h"

namespace gt200::observe {
namespace {

using isa::access_kind;
using isa::lane_mask;

template <class T>
void compare_row(const char* what, unsigned number, unsigned word, const T* expected, const T* got,
                 lane_mask lanes) {
  if (std::memcmp(expected, got, sizeof(T) * isa::warp_size) == 0) return;
  for (const unsigned lane : set_bits(lanes)) {
    if (expected[lane] == got[lane]) continue;
    throw difference_found{static_cast<int>(lane), fmt::format(fmt::runtime(what), number, word),
                           hex(expected[lane]), hex(got[lane])};
  }
}

void compare_words(const char* what, unsigned number, const isa::lane_words* expected, const isa::lane_words* got,
                   unsigned words, lane_mask lanes) {
  for (unsigned w = 0; w < words; ++w) compare_row(what, number, w, expected[w].lane, got[w].lane, lanes);
}

}  // namespace

std::string hex(std::uint64_t value) { return fmt::format("{:#010x}", value); }

bool is_earlier_of_a_thread(const in_flight& older, const in_flight& f) {
  if (older.sequence >= f.sequence) return false;
  const model::warp_instruction& a = *older.operation;
  const model::warp_instruction& b = *f.operation;
  if (!b.formed) return a.warp == b.warp;
  for (const unsigned lane : set_bits(older.record.executed & f.record.executed))
    if (a.threads.slot[lane] == b.threads.slot[lane]) return true;
  return false;
}

void find_memories(in_flight& f, const arch_state::generation_values& values) {
  arch_state::step_record& r = f.record;
  isa::lane_words& address = r.values.address;
  switch (r.access.space) {
    case isa::memory_space::shared: f.shared_lanes = r.executed; return;
    case isa::memory_space::local: f.local_lanes = r.executed; return;
    case isa::memory_space::global: f.global_lanes = r.executed; return;
    default: break;
  }
  if (!r.access.generic) return;
  f.shared_lanes = arch_state::lanes_in_window(address, values.shared_window, values.window_bytes, r.executed);
  f.local_lanes = arch_state::lanes_in_window(address, values.local_window, values.window_bytes, r.executed);
  f.global_lanes = r.executed & ~(f.shared_lanes | f.local_lanes);
  for (const unsigned lane : set_bits(f.shared_lanes)) address.lane[lane] -= values.shared_window;
  for (const unsigned lane : set_bits(f.local_lanes)) address.lane[lane] -= values.local_window;
}

void compare_sources(const in_flight& f, const checked_operands& operands) {
  const isa::lane_bundle& expected = f.record.values;
  const isa::lane_bundle& got = f.operation->values;
  const lane_mask lanes = f.record.executed;
  for (unsigned s = 0; s < operands.source_words.size(); ++s)
    compare_words("source {}, word {}", s, expected.source[s], got.source[s], operands.source_words[s], lanes);
  if (f.is(access_kind::texture))
    compare_words("coordinate of source {}, word {}", 0, expected.source[0], got.source[0],
                  f.record.instruction->texture.arguments, lanes);
  for (unsigned k = 0; k < 3; ++k)
    if ((operands.predicates_in >> k & 1) != 0)
      compare_row("predicate source {}", k, 0, expected.predicate_in[k], got.predicate_in[k], lanes);
  if (operands.flags_in >= 0)
    compare_row("$c{} collected", static_cast<unsigned>(operands.flags_in), 0, expected.flags_in, got.flags_in,
                lanes);
  if (operands.address_in >= 0)
    compare_row("$a{} collected", static_cast<unsigned>(operands.address_in), 0, expected.address_in,
                got.address_in, lanes);
}

void compare_results(const in_flight& f, const checked_operands& operands) {
  const isa::lane_bundle& expected = f.record.values;
  const isa::lane_bundle& got = f.operation->values;
  const lane_mask lanes = f.record.executed;
  compare_words("result $r{}, word {}", operands.destination, expected.destination, got.destination,
                operands.destination_words, lanes);
  for (unsigned k = 0; k < 2; ++k)
    if ((operands.predicates_out >> k & 1) != 0)
      compare_row("predicate result {}", k, 0, expected.predicate_out[k], got.predicate_out[k], lanes);
  if (operands.flags_out >= 0)
    compare_row("result $c{}", static_cast<unsigned>(operands.flags_out), 0, expected.flags_out, got.flags_out,
                lanes);
  if (operands.address_out >= 0)
    compare_row("result $a{}", static_cast<unsigned>(operands.address_out), 0, expected.address_out,
                got.address_out, lanes);
}

void compare_addresses(const in_flight& f, const model::warp_instruction& operation) {
  compare_row("effective address", 0, 0, f.record.values.address.lane, operation.values.address.lane,
              f.shared_lanes);
}

// Both instructions are of one SM.
bool are_of_other_blocks(const in_flight& a, unsigned lane, const in_flight& b, unsigned other) {
  if (!a.operation->formed) return false;  // then they are of one block
  return a.operation->threads.block[lane] != b.operation->threads.block[other];
}

void check_shared_order(const in_flight& older, const in_flight& younger) {
  const auto changes = [](const in_flight& f) {
    return f.writes_memory() || f.is(access_kind::unlocking_store) || f.is(access_kind::locked_load);
  };
  if (!changes(older) && !changes(younger)) return;
  const auto older_bytes = static_cast<std::uint32_t>(isa::bytes_of(older.record.access.type));
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(younger.record.access.type));
  for (const unsigned older_lane : set_bits(older.shared_lanes)) {
    const std::uint32_t a = older.record.values.address.lane[older_lane];
    for (const unsigned lane : set_bits(younger.shared_lanes)) {
      if (are_of_other_blocks(older, older_lane, younger, lane)) continue;
      const std::uint32_t b = younger.record.values.address.lane[lane];
      if (a >= b + bytes || b >= a + older_bytes) continue;
      throw difference_found{
          static_cast<int>(lane), "order of accesses to shared memory",
          fmt::format("after the access of lane {} of the instruction at {:#06x}, which a barrier puts before it",
                      older_lane, older.record.pc),
          "performed before it"};
    }
  }
}

void compare_shared_access(const in_flight& f, const model::warp_instruction& operation,
                           const checked_operands& operands) {
  const isa::lane_bundle& expected = f.record.values;
  const isa::lane_bundle& got = operation.values;
  const auto words = static_cast<unsigned>(isa::words_of(f.record.access.type));
  const unsigned slot = f.record.access.slot;
  const lane_mask lanes = f.shared_lanes;
  switch (f.record.access.kind) {
    case access_kind::operand:
      return compare_words("s[] operand (source {}), word {}", slot, expected.source[slot], got.source[slot], words,
                           lanes);
    case access_kind::store:
    case access_kind::unlocking_store:
      return compare_words("store data (source {}), word {}", 1, expected.source[1], got.source[1], words, lanes);
    default:
      compare_words("value loaded to $r{}, word {}", operands.destination, expected.destination, got.destination,
                    words, lanes);
  }
  if (!f.is(access_kind::locked_load)) return;
  if (operands.flags_out >= 0)
    compare_row("lock result in $c{}", static_cast<unsigned>(operands.flags_out), 0, expected.flags_out,
                got.flags_out, lanes);
  else
    compare_row("lock result in a predicate", 0, 0, expected.predicate_out[0], got.predicate_out[0], lanes);
}

}  // namespace gt200::observe
