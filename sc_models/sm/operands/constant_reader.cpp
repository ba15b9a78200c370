#include "sc_models/sm/operands/constant_reader.h"

#include <algorithm>

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/memory_access.h"

namespace gt200::model {
namespace {

// Number of distinct addresses of the lanes that execute, counted per half-warp.
unsigned distinct_addresses(const std::uint32_t* addresses, isa::lane_mask executed) {
  unsigned distinct = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    if ((executed >> lane & 1) == 0) continue;
    bool seen = false;
    for (unsigned other = lane & 16; other < lane && !seen; ++other)
      seen = (executed >> other & 1) != 0 && addresses[other] == addresses[lane];
    if (!seen) ++distinct;
  }
  return distinct;
}

}  // namespace

bool constant_reader::read_all(progress& p, warp_instruction& operation) {
  for (unsigned c = 0; c < operation.instruction->constant_count; ++c)
    if (operation.fault == arch_state::fault_kind::none && operation.executed != 0 &&
        !read_operand(p, operation, operation.instruction->constants[c]))
      return false;
  p.done = true;
  owner_.note_activity();
  return true;
}

bool constant_reader::finish_reading(progress& p, warp_instruction& operation) {
  if (!read(p, operation)) return false;
  if (p.ready_at > owner_.cycle()) {
    owner_.wake_at(p.ready_at);
    return false;
  }
  return true;
}

// Reads one operand as far as its lines are present. Returns true when all lanes that execute have their value.
bool constant_reader::read_operand(progress& p, warp_instruction& operation, const isa::constant_operand& o) {
  // A space that no generation has is not bound either.
  static constexpr constant_binding unbound = {};
  const constant_binding& binding = o.bank < constant_spaces ? operation.grid->constants[o.bank] : unbound;
  const auto bytes = static_cast<std::uint32_t>(isa::bytes_of(o.type));
  const access a{operation.id,
                 binding.address,
                 bytes,
                 binding.bytes,
                 bytes > 4 ? bytes / 4 : 1,
                 o.type,
                 operation.values.source[o.slot]};
  if (!o.indexed) return read_direct(a, operation, o.offset);
  isa::lane_words offsets;
  generation_.constant_addresses(*operation.instruction, o, operation.values, offsets.lane);
  return read_indexed(a, p, operation, offsets);
}

// All lanes are checked before the first one reads.
bool constant_reader::is_faulty(const access& a, warp_instruction& operation, const isa::lane_words& offsets) {
  const arch_state::access_fault fault =
      arch_state::find_constant_fault(offsets, operation.executed, a.type, a.space_bytes);
  if (!fault) return false;
  operation.fault = fault.kind;
  operation.fault_lanes = fault.lanes;
  operation.fault_address = fault.address;
  return true;
}

bool constant_reader::read_direct(const access& a, warp_instruction& operation, std::uint32_t offset) {
  if (offset % std::min(a.bytes, 4u) != 0 || !arch_state::lies_within(offset, a.bytes, a.space_bytes)) {
    isa::lane_words offsets;
    arch_state::fill_row(offsets.lane, offset);
    return is_faulty(a, operation, offsets);
  }
  if (!is_present(a, offset)) return false;
  for (unsigned word = 0; word < a.words; ++word)
    arch_state::fill_row(a.to[word].lane, read_word(a, offset + 4 * word));
  return true;
}

bool constant_reader::read_indexed(const access& a, progress& p, warp_instruction& operation,
                                   const isa::lane_words& offsets) {
  if (is_faulty(a, operation, offsets)) return true;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const isa::lane_mask bit = isa::lane_mask{1} << lane;
    if ((operation.executed & bit) == 0 || (p.lanes & bit) != 0) continue;
    const std::uint32_t offset = offsets.lane[lane];
    if (!is_present(a, offset)) return false;
    for (unsigned word = 0; word < a.words; ++word) a.to[word].lane[lane] = read_word(a, offset + 4 * word);
    p.lanes |= bit;
    owner_.note_activity();
  }
  const unsigned distinct = distinct_addresses(offsets.lane, operation.executed);
  const shader_cycle begin = std::max(clocks_.to_shader(owner_.cycle()), port_free_at_);
  port_free_at_ = begin + config_.interval_cycles * distinct;
  // The core cycle in which the last word has arrived.
  p.ready_at = clocks_.first_core_from(begin + shader_cycles(config_.hit_latency_cycles) +
                                       config_.interval_cycles * (distinct - 1));
  return true;
}

// Returns true if all lines of the access are present. Otherwise one of them is being fetched, and the owner
// becomes due when a line has arrived.
bool constant_reader::is_present(const access& a, std::uint32_t offset) {
  for (unsigned word = 0; word < a.words; ++word) {
    const std::uint64_t address = a.base + offset + 4 * word;
    if (cache_.state->is_present(address)) continue;
    constant_line_fetch fetch{a.id, address};
    cache_.line_fetches.send(fetch);
    return false;
  }
  return true;
}

// Reads from a line that is present; it becomes the most recently used one.
std::uint32_t constant_reader::read_word(const access& a, std::uint32_t offset) {
  constant_read read{a.id, a.base + offset, a.type};
  cache_.reads.send(read);
  return read.data;
}

}  // namespace gt200::model
