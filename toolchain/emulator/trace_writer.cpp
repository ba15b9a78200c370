#include "toolchain/emulator/trace_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "toolchain/arch_state/atomic_operation.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/tesla/operand_access.h"
#include "toolchain/bits.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

using isa::lane_mask;

template <class value_of>
void append_values(fmt::memory_buffer& text, lane_mask lanes, int digits, value_of value) {
  const auto put = [&](std::uint32_t v) { fmt::format_to(std::back_inserter(text), " {:0{}x}", v, digits); };
  bool same = true;
  for (const unsigned lane : set_bits(lanes)) same = same && value(lane) == value(lowest_lane(lanes));
  if (same && count_lanes(lanes) > 1) {
    put(value(lowest_lane(lanes)));
    fmt::format_to(std::back_inserter(text), " all");
  } else {
    for (const unsigned lane : set_bits(lanes)) put(value(lane));
  }
  text.push_back('\n');
}

void append_registers(fmt::memory_buffer& text, const step_record& r) {
  const isa::tesla::instruction& i = isa::tesla::as_tesla(*r.instruction);
  const isa::lane_bundle& b = r.values;
  const isa::tesla::half part = i.destination.part;
  const char* const half = part == isa::tesla::half::low ? "l" : part == isa::tesla::half::high ? "h" : "";
  for (int k = 0; k < isa::tesla::destination_words(i); ++k) {
    fmt::format_to(std::back_inserter(text), "  $r{}{} =", i.destination.index + static_cast<unsigned>(k), half);
    const std::uint32_t kept = part == isa::tesla::half::whole ? 0xffffffffu : 0xffffu;
    append_values(text, r.executed, part == isa::tesla::half::whole ? 8 : 4,
                  [&](unsigned lane) { return b.destination[k].lane[lane] & kept; });
  }
  if (i.destination.kind == isa::tesla::operand_kind::address) {
    fmt::format_to(std::back_inserter(text), "  $a{} =", i.destination.index);
    append_values(text, r.executed, 4, [&](unsigned lane) { return std::uint32_t{b.address_out[lane]}; });
  } else if (const isa::tesla::operand* o = isa::tesla::post_incremented(i)) {
    fmt::format_to(std::back_inserter(text), "  $a{} =", o->address_register);
    append_values(text, r.executed, 4, [&](unsigned lane) { return std::uint32_t{b.address_out[lane]}; });
  }
  if (i.writes_condition) {
    fmt::format_to(std::back_inserter(text), "  $c{} =", i.condition_destination);
    append_values(text, r.executed, 1, [&](unsigned lane) { return std::uint32_t{b.flags_out[lane]}; });
  }
}

// The words memory holds after the access of one lane.
std::array<std::uint32_t, 4> written_words(const step_record& r, unsigned lane) {
  const isa::lane_bundle& b = r.values;
  std::array<std::uint32_t, 4> words{};
  const auto word = [lane](const isa::lane_words* from, std::size_t k) { return from[k].lane[lane]; };
  if (r.access.kind == isa::access_kind::store || r.access.kind == isa::access_kind::unlocking_store) {
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = word(b.source[1], k);
  } else if (isa::bytes_of(r.access.type) == 8) {
    const auto pair = [&](const isa::lane_words* from) {
      return word(from, 0) | std::uint64_t{word(from, 1)} << 32;
    };
    const std::uint64_t now =
        atomic_result64(r.access.atomic, pair(b.destination), pair(b.source[1]), pair(b.source[2]));
    words[0] = static_cast<std::uint32_t>(now);
    words[1] = static_cast<std::uint32_t>(now >> 32);
  } else {
    words[0] = atomic_result(r.access.atomic, r.access.atomic_signed, word(b.destination, 0), word(b.source[1], 0),
                             word(b.source[2], 0));
  }
  return words;
}

void append_memory(fmt::memory_buffer& text, const step_record& r) {
  switch (r.access.kind) {
    case isa::access_kind::store:
    case isa::access_kind::unlocking_store:
    case isa::access_kind::atomic:
    case isa::access_kind::reduction: break;
    default: return;
  }
  const char space = r.access.space == isa::memory_space::shared  ? 's'
                     : r.access.space == isa::memory_space::local ? 'l'
                                                                  : 'g';
  const int bytes = isa::bytes_of(r.access.type);
  const int first_bytes = std::min(bytes, 4);
  const std::uint32_t kept = first_bytes == 4 ? 0xffffffffu : (1u << 8 * first_bytes) - 1;
  for (const unsigned lane : set_bits(r.executed)) {
    const std::array<std::uint32_t, 4> words = written_words(r, lane);
    fmt::format_to(std::back_inserter(text), "  {}[{:08x}] = {:0{}x}", space, r.values.address.lane[lane],
                   words[0] & kept, 2 * first_bytes);
    for (int k = 1; k < isa::words_of(r.access.type); ++k)
      fmt::format_to(std::back_inserter(text), " {:08x}", words[static_cast<std::size_t>(k)]);
    text.push_back('\n');
  }
}

}  // namespace

trace_writer::trace_writer(std::ostream& out) : out_(out) { out_ << "# gt200 trace 1\n"; }

void trace_writer::launch_begins(const launch::launch_parameters& l) {
  out_ << fmt::format("launch {} grid {} {} block {} {} {}\n", l.kernel->name, l.grid[0], l.grid[1], l.block[0],
                      l.block[1], l.block[2]);
}

void trace_writer::retired(const step_record& r, const block_state& block) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "{} {} {} {:04x} {:08x}  {}\n", block.block_x(), block.block_y(), r.warp,
                 r.pc, r.executed, isa::text_of(*r.instruction));
  if (r.executed != 0) {
    append_registers(text, r);
    append_memory(text, r);
  }
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace gt200::emulator
