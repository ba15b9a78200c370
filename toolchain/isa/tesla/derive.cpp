#include "toolchain/isa/tesla/derive.h"

#include <algorithm>
#include <cstddef>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/common/operand_slot.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/register_use.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::isa::tesla {
namespace {

bool is_vote(const instruction& i) { return i.op == opcode::vote_any || i.op == opcode::vote_all; }

bool reads_carry(const instruction& i) { return i.op == opcode::addc || i.addend == addend_mode::addc; }

// The capability of the row, raised by modifiers that were added in later chips.
std::uint8_t needed_capability(const instruction& i, const row& r) {
  const bool saturating_multiply = i.op == opcode::fmul && i.saturate;
  return saturating_multiply ? std::max<std::uint8_t>(r.capability, 12) : r.capability;
}

class range_collector {
 public:
  explicit range_collector(instruction& i) : i_(i) {
    i_.read_count = 0;
    i_.write_count = 0;
    i_.reads = {};
    i_.writes = {};
  }

  void read(register_file_kind file, unsigned first, unsigned count = 1) {
    const register_range range = {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
    for (std::uint8_t k = 0; k < i_.read_count; ++k) {
      if (same(i_.reads[k], range)) return;
    }
    i_.reads[i_.read_count++] = range;
  }

  void write(register_file_kind file, unsigned first, unsigned count = 1) {
    i_.writes[i_.write_count++] = {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
  }

  void read(const operand& o) {
    switch (o.kind) {
      case operand_kind::gpr:
        return read(register_file_kind::gpr, o.index, static_cast<unsigned>(words_of(o.type)));
      case operand_kind::global: return read(register_file_kind::gpr, o.base);
      case operand_kind::condition: return read(register_file_kind::condition, o.index);
      case operand_kind::address:
        if (o.index != 0) read(register_file_kind::address, o.index);
        return;
      case operand_kind::shared:
      case operand_kind::constant:
      case operand_kind::local:
        if (o.address_register != 0) read(register_file_kind::address, o.address_register);
        if (o.post_increment) write(register_file_kind::address, o.address_register);
        return;
      default: return;
    }
  }

 private:
  static bool same(const register_range& a, const register_range& b) {
    return a.file == b.file && a.first == b.first && a.count == b.count;
  }

  instruction& i_;
};

void collect_ranges(instruction& i) {
  range_collector ranges(i);
  for (const operand& o : i.source) ranges.read(o);
  if (i.reads_condition) ranges.read(register_file_kind::condition, i.condition_source);

  if (is_texture(i)) {
    unsigned written = 0;
    for (unsigned c = 0; c < 4; ++c) written += (i.texture_write_mask >> c) & 1u;
    ranges.read(register_file_kind::gpr, i.destination.index, i.texture_arguments);
    if (written != 0) ranges.write(register_file_kind::gpr, i.destination.index, written);
  } else if (i.destination.kind == operand_kind::gpr) {
    ranges.write(register_file_kind::gpr, i.destination.index, static_cast<unsigned>(words_of(i.destination.type)));
  } else if (i.destination.kind == operand_kind::address && i.destination.index != 0) {
    ranges.write(register_file_kind::address, i.destination.index);
  }
  if (i.writes_condition) ranges.write(register_file_kind::condition, i.condition_destination);
  // It reads no value, but it waits until the results for its registers have been written.
  if (i.op == opcode::regrelease)
    ranges.read(register_file_kind::gpr, i.section.first,
                std::min<unsigned>(i.section.count, max_gpr - i.section.first));
}

section_action action_of(opcode op) {
  return op == opcode::regacquire   ? section_action::acquire
         : op == opcode::regrelease ? section_action::release
                                    : section_action::none;
}

// Places of the registers' values in the bundle.
constexpr std::size_t source_place(std::size_t slot) {
  return offsetof(lane_bundle, source) + slot * sizeof(lane_bundle::source[0]);
}

class transfer_collector {
 public:
  explicit transfer_collector(instruction& i) : i_(i) {
    i_.operand_count = 0;
    i_.result_count = 0;
    i_.operands = {};
    i_.results = {};
  }
  void read(register_file_kind file, unsigned first, unsigned count, std::size_t place) {
    i_.operands[i_.operand_count++] = transfer(file, first, count, place);
  }
  // A half arrives as the whole register.
  void read(const operand& o, std::size_t place) {
    if (o.kind != operand_kind::gpr) return;
    read(register_file_kind::gpr, o.index, o.part != half::whole ? 1 : static_cast<unsigned>(words_of(o.type)),
         place);
  }
  void write(register_file_kind file, unsigned first, unsigned count, std::size_t place,
             register_part part = register_part::whole) {
    register_transfer& t = i_.results[i_.result_count++];
    t = transfer(file, first, count, place);
    t.part = part;
  }

 private:
  static register_transfer transfer(register_file_kind file, unsigned first, unsigned count, std::size_t place) {
    return {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count), register_part::whole,
            static_cast<std::uint16_t>(place)};
  }

  instruction& i_;
};

register_part part_of(half part) {
  switch (part) {
    case half::low: return register_part::low;
    case half::high: return register_part::high;
    case half::whole: break;
  }
  return register_part::whole;
}

void collect_operands(instruction& i, transfer_collector& transfers) {
  for (std::size_t k = 0; k < i.source.size(); ++k) transfers.read(i.source[k], source_place(k));
  if (is_texture(i))
    transfers.read(register_file_kind::gpr, i.destination.index, i.texture_arguments, source_place(0));
  if (i.access.space == memory_space::global)
    transfers.read(register_file_kind::gpr, i.source[i.access.slot].base, 1, offsetof(lane_bundle, address));
  if (i.reads_condition || i.predicated)
    transfers.read(register_file_kind::condition, i.condition_source, 1, offsetof(lane_bundle, flags_in));
  if (takes_address_register(i))
    transfers.read(register_file_kind::address, address_register_of(i), 1, offsetof(lane_bundle, address_in));
}

void collect_results(const instruction& i, transfer_collector& transfers) {
  if (i.destination.kind == operand_kind::gpr)
    transfers.write(register_file_kind::gpr, i.destination.index, static_cast<unsigned>(destination_words(i)),
                    offsetof(lane_bundle, destination), part_of(i.destination.part));
  else if (i.destination.kind == operand_kind::address)
    transfers.write(register_file_kind::address, i.destination.index, 1, offsetof(lane_bundle, address_out));
  if (i.writes_condition)
    transfers.write(register_file_kind::condition, i.condition_destination, 1, offsetof(lane_bundle, flags_out));
  if (const operand* o = post_incremented(i))
    transfers.write(register_file_kind::address, o->address_register, 1,
                    offsetof(lane_bundle, address_incremented));
}

// True if an operand is more than whole registers and constants, or if some active lanes may not execute.
bool needs_collect(const instruction& i) {
  if (i.predicated || i.lane_write_mask != 0xf || i.op == opcode::mov_from_sr) return true;
  if (i.access.space == memory_space::shared || i.access.space == memory_space::local) return true;
  if (post_incremented(i) != nullptr) return true;
  return std::any_of(i.source.begin(), i.source.end(), [](const operand& o) {
    return o.kind == operand_kind::immediate || (o.kind == operand_kind::gpr && o.part != half::whole);
  });
}

std::uint8_t collected_sources(const instruction& i) {
  std::uint8_t sources = 0;
  for (std::size_t k = 0; k < i.source.size(); ++k)
    if (i.source[k].kind == operand_kind::immediate || i.source[k].kind == operand_kind::special)
      sources |= source_bit(k);
  return sources;
}

void collect_transfers(instruction& i) {
  transfer_collector transfers(i);
  collect_operands(i, transfers);
  collect_results(i, transfers);
  i.needs_collect = needs_collect(i);
}

memory_access access_of(const instruction& i) {
  const operand& place = i.source[0];
  const auto direct = [&](access_kind kind, memory_space space) {
    memory_access access;
    access.kind = kind;
    access.space = space;
    access.type = place.type;
    access.atomic = i.atomic;
    access.atomic_signed = i.is_signed;
    access.same_address = space == memory_space::shared && place.address_register == 0;
    return access;
  };
  switch (i.op) {
    case opcode::ld_shared:
      return direct(i.lock ? access_kind::locked_load : access_kind::load, memory_space::shared);
    case opcode::st_shared:
      return direct(i.lock ? access_kind::unlocking_store : access_kind::store, memory_space::shared);
    case opcode::ld_local: return direct(access_kind::load, memory_space::local);
    case opcode::st_local: return direct(access_kind::store, memory_space::local);
    case opcode::ld_global: return direct(access_kind::load, memory_space::global);
    case opcode::st_global: return direct(access_kind::store, memory_space::global);
    case opcode::red_global: return direct(access_kind::reduction, memory_space::global);
    case opcode::atom_global: return direct(access_kind::atomic, memory_space::global);
    case opcode::tex:
    case opcode::texfetch: return direct(access_kind::texture, memory_space::texture);
    default: break;
  }
  memory_access access;
  for (std::uint8_t slot = 0; slot < i.source.size(); ++slot) {
    const operand& o = i.source[slot];
    if (o.kind != operand_kind::shared) continue;
    access.kind = access_kind::operand;
    access.space = memory_space::shared;
    access.slot = slot;
    access.type = o.type;
    access.same_address = o.address_register == 0;
    break;
  }
  return access;
}

void collect_constants(instruction& i) {
  i.constant_count = 0;
  i.constants = {};
  for (std::uint8_t slot = 0; slot < i.source.size(); ++slot) {
    const operand& o = i.source[slot];
    if (o.kind != operand_kind::constant) continue;
    constant_operand& c = i.constants[i.constant_count++];
    c.slot = slot;
    c.bank = o.index;
    c.type = o.type;
    // If there is an s[] operand, the address register belongs to that one.
    c.indexed = o.address_register != 0 && !i.reads_shared;
    c.offset = static_cast<std::uint32_t>(o.value) & 0xffffu;
  }
  i.reads_constant = i.constant_count != 0;
}

texture_access texture_of(const instruction& i) {
  texture_access t;
  if (!is_texture(i)) return t;
  t.unit = i.texture_unit;
  t.arguments = i.texture_arguments;
  t.write_mask = i.texture_write_mask;
  t.texel_numbers = i.op == opcode::texfetch;
  t.offset = i.texture_offset;
  return t;
}

bool equal(const operand& a, const operand& b) {
  return a.kind == b.kind && a.type == b.type && a.part == b.part && a.index == b.index && a.base == b.base &&
         a.address_register == b.address_register && a.post_increment == b.post_increment && a.negate == b.negate &&
         a.absolute == b.absolute && a.invert == b.invert && a.value == b.value;
}

unit_class unit_of(const instruction& i, const row& r) {
  if (i.sfu_path) return unit_class::sfu;
  return i.op == opcode::mov && i.reads_shared ? unit_class::shared_move : r.unit;
}

}  // namespace

void normalize(instruction& i) {
  // The predicate field of a vote is its input; it does not mask the instruction.
  i.predicated = i.condition != 0xf && !is_vote(i);
  const bool condition_needed = i.condition != 0xf && i.condition != 0;
  i.reads_condition = condition_needed || reads_carry(i) || i.op == opcode::mov_from_c;
  for (std::size_t k = 0; k < i.source.size(); ++k) {
    operand& o = i.source[k];
    const bool narrow = o.part != half::whole || (o.kind == operand_kind::constant && o.type == data_type::s16);
    if (!narrow && !(o.kind == operand_kind::constant && o.type == data_type::u16)) continue;
    const bool is_load = i.op == opcode::ld_const;
    if (is_load) continue;
    const bool is_signed = i.is_signed || (k < 2 && i.source_signed[k]);
    o.type = is_signed ? data_type::s16 : data_type::u16;
  }
  if (i.destination.part != half::whole) i.destination.type = data_type::u16;
}

void derive(instruction& i, const row& r) {
  i.control = r.control;
  i.section.action = action_of(i.op);
  // The branch unit sees both in the order of the program, and the warp continues.
  i.flow = i.section.action != section_action::none ? flow_kind::continues : flow_of(r.control);
  i.capability = needed_capability(i, r);
  i.access = access_of(i);
  i.reads_shared = i.access.space == memory_space::shared && i.access.loads();
  i.unit = unit_of(i, r);
  collect_ranges(i);
  collect_transfers(i);
  collect_constants(i);
  i.sources = sources_of(i, collected_sources(i));
  i.texture = texture_of(i);
  i.barrier = {i.barrier_id, i.barrier_increment, i.barrier_wait};
  note_registers(i);
  i.execute = semantics_for(i);
  i.crosses_lanes = is_vote(i) || i.op == opcode::quadop;
  i.text = text_of_tesla;
}

std::string text_of_tesla(const isa::instruction& i) { return disassemble(as_tesla(i)); }

bool equivalent(const instruction& a, const instruction& b) {
  for (std::size_t k = 0; k < a.source.size(); ++k) {
    if (!equal(a.source[k], b.source[k])) return false;
  }
  return equal(a.destination, b.destination) && a.op == b.op && a.exit == b.exit && a.join == b.join &&
         a.condition == b.condition && a.condition_source == b.condition_source &&
         a.writes_condition == b.writes_condition &&
         (!a.writes_condition || a.condition_destination == b.condition_destination) &&
         a.is_signed == b.is_signed && a.source_signed == b.source_signed && a.high == b.high &&
         a.saturate == b.saturate && a.is_16bit == b.is_16bit && a.arithmetic_shift == b.arithmetic_shift &&
         a.lock == b.lock && a.integral_round == b.integral_round && a.call_limit == b.call_limit &&
         a.sfu_path == b.sfu_path && a.addend == b.addend && a.logic == b.logic && a.atomic == b.atomic &&
         a.round == b.round && a.cvt == b.cvt && a.source_type == b.source_type &&
         a.destination_type == b.destination_type && a.compare == b.compare &&
         a.lane_write_mask == b.lane_write_mask && a.target == b.target && a.barrier_id == b.barrier_id &&
         a.barrier_increment == b.barrier_increment && a.barrier_wait == b.barrier_wait &&
         a.barrier_all == b.barrier_all && a.barrier_mask == b.barrier_mask && a.texture_unit == b.texture_unit &&
         a.sampler_unit == b.sampler_unit && a.texture_arguments == b.texture_arguments &&
         a.texture_write_mask == b.texture_write_mask && a.texture_live == b.texture_live &&
         a.texture_derivatives == b.texture_derivatives && a.texture_offset == b.texture_offset &&
         a.quad_operation == b.quad_operation && a.quad_lane == b.quad_lane && a.section.first == b.section.first &&
         a.section.count == b.section.count;
}

}  // namespace gt200::isa::tesla
