#include "observe/checker/in_flight.h"

#include <fmt/format.h>

#include <cstring>

#include "toolchain/arch_state/tesla/operand_access.h"
#include "toolchain/bits.h"

namespace gt200::observe {
namespace {

using isa::access_kind;
using isa::lane_mask;
using isa::tesla::operand_kind;

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

// Words of a source that the collector (or shared memory) has filled in; 0 for operands that are no values.
unsigned words_of_source(const isa::tesla::instruction& i, const isa::tesla::operand& o) {
  switch (o.kind) {
    case operand_kind::gpr:
      return o.part != isa::tesla::half::whole ? 1 : static_cast<unsigned>(isa::words_of(o.type));
    case operand_kind::immediate: return 1;
    // The value of a load is its result.
    case operand_kind::constant:
      return i.op == isa::tesla::opcode::ld_const ? 0 : static_cast<unsigned>(isa::words_of(o.type));
    case operand_kind::shared:
      return i.unit == isa::unit_class::shared ? 0 : static_cast<unsigned>(isa::words_of(o.type));
    default: return 0;
  }
}

}  // namespace

std::string hex(std::uint64_t value) { return fmt::format("{:#010x}", value); }

void compare_sources(const in_flight& f) {
  const isa::tesla::instruction& i = *f.record.instruction;
  const isa::lane_bundle& expected = f.record.values;
  const isa::lane_bundle& got = f.operation->values;
  const lane_mask lanes = f.record.executed;
  for (unsigned s = 0; s < 3; ++s)
    compare_words("source {}, word {}", s, expected.source[s], got.source[s], words_of_source(i, i.source[s]),
                  lanes);
  if (f.is(access_kind::texture))
    compare_words("coordinate of source {}, word {}", 0, expected.source[0], got.source[0], i.texture_arguments,
                  lanes);
  if (i.reads_condition)
    compare_row("$c{} collected", i.condition_source, 0, expected.flags_in, got.flags_in, lanes);
  if (f.entry->uses_address && arch_state::tesla::address_register_of(i) != 0)
    compare_row("$a{} collected", arch_state::tesla::address_register_of(i), 0, expected.address_in, got.address_in,
                lanes);
}

void compare_results(const in_flight& f) {
  const isa::tesla::instruction& i = *f.record.instruction;
  const isa::lane_bundle& expected = f.record.values;
  const isa::lane_bundle& got = f.operation->values;
  const lane_mask lanes = f.record.executed;
  compare_words("result $r{}, word {}", i.destination.index, expected.destination, got.destination,
                static_cast<unsigned>(arch_state::tesla::destination_words(i)), lanes);
  if (i.writes_condition)
    compare_row("result $c{}", i.condition_destination, 0, expected.flags_out, got.flags_out, lanes);
  if (i.destination.kind == operand_kind::address)
    compare_row("result $a{}", i.destination.index, 0, expected.address_out, got.address_out, lanes);
}

void compare_addresses(const in_flight& f) {
  compare_row("effective address", 0, 0, f.record.values.address.lane, f.operation->values.address.lane,
              f.record.executed);
}

void compare_shared_access(const in_flight& f) {
  const isa::tesla::instruction& i = *f.record.instruction;
  const isa::lane_bundle& expected = f.record.values;
  const isa::lane_bundle& got = f.operation->values;
  const auto words = static_cast<unsigned>(isa::words_of(f.record.access.type));
  const unsigned slot = f.record.access.slot;
  const lane_mask lanes = f.record.executed;
  switch (f.record.access.kind) {
    case access_kind::operand:
      return compare_words("s[] operand (source {}), word {}", slot, expected.source[slot], got.source[slot], words,
                           lanes);
    case access_kind::store:
    case access_kind::unlocking_store:
      return compare_words("store data (source {}), word {}", 1, expected.source[1], got.source[1], words, lanes);
    default:
      compare_words("value loaded to $r{}, word {}", i.destination.index, expected.destination, got.destination,
                    words, lanes);
  }
  if (f.is(access_kind::locked_load))
    compare_row("lock result in $c{}", i.condition_destination, 0, expected.flags_out, got.flags_out, lanes);
}

}  // namespace gt200::observe
