#include "toolchain/isa/fermi/derive.h"

#include <cstddef>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/common/operand_slot.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/fermi/semantics/semantics.h"

namespace gt200::isa::fermi {
namespace {

std::string text_of_fermi(const isa::instruction& i) { return disassemble(as_fermi(i)); }

class range_collector {
 public:
  explicit range_collector(instruction& i) : i_(i) {}

  void read(register_file_kind file, unsigned first, unsigned count = 1) {
    const register_range range = {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
    for (std::uint8_t k = 0; k < i_.read_count; ++k)
      if (i_.reads[k].file == file && i_.reads[k].first == first && i_.reads[k].count == count) return;
    i_.reads[i_.read_count++] = range;
  }
  void write(register_file_kind file, unsigned first, unsigned count = 1) {
    i_.writes[i_.write_count++] = {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
  }

  void read(const operand& o) {
    if (o.kind == operand_kind::none || o.kind == operand_kind::immediate || o.index == zero_register) return;
    read(register_file_kind::gpr, o.index, o.kind == operand_kind::constant ? 1u : o.words);
  }
  void read(const predicate_operand& p) {
    if (p.index != true_predicate) read(register_file_kind::condition, p.index);
  }

 private:
  instruction& i_;
};

void collect_ranges(instruction& i) {
  range_collector ranges(i);
  for (const operand& o : i.source) ranges.read(o);
  ranges.read(i.guard);
  if (i.op == opcode::p2r) {
    ranges.read(register_file_kind::condition, 0, predicate_count + 1);
  } else {
    for (const predicate_operand& p : i.predicate_source) ranges.read(p);
    if (i.reads_condition_code) ranges.read(register_file_kind::condition, condition_code_index);
  }

  if (i.destination.kind == operand_kind::gpr && i.destination.index != zero_register)
    ranges.write(register_file_kind::gpr, i.destination.index, i.destination.words);
  if (i.op == opcode::r2p) return ranges.write(register_file_kind::condition, 0, predicate_count + 1);
  for (const std::uint8_t p : i.predicate_destination)
    if (p != true_predicate) ranges.write(register_file_kind::condition, p);
  if (i.writes_condition_code) ranges.write(register_file_kind::condition, condition_code_index);
}

// The registers as values that move, with their places in the bundle. Zero registers and true predicates do not
// move: the collection fills them in.
class transfer_collector {
 public:
  explicit transfer_collector(instruction& i) : i_(i) {}

  void read(register_file_kind file, unsigned first, unsigned count, std::size_t place) {
    i_.operands[i_.operand_count++] = transfer(file, first, count, place);
  }
  void read_predicate(unsigned index, std::size_t place) {
    if (index != true_predicate) read(register_file_kind::condition, index, 1, place);
  }
  void write(register_file_kind file, unsigned first, unsigned count, std::size_t place) {
    i_.results[i_.result_count++] = transfer(file, first, count, place);
  }
  void write_predicate(unsigned index, std::size_t place) {
    if (index != true_predicate) write(register_file_kind::condition, index, 1, place);
  }

 private:
  static register_transfer transfer(register_file_kind file, unsigned first, unsigned count, std::size_t place) {
    return {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count), register_part::whole,
            static_cast<std::uint16_t>(place)};
  }
  instruction& i_;
};

void collect_transfers(instruction& i) {
  transfer_collector transfers(i);
  for (std::size_t slot = 0; slot < i.source.size(); ++slot) {
    const operand& o = i.source[slot];
    if (o.kind == operand_kind::none || o.kind == operand_kind::immediate || o.index == zero_register) continue;
    transfers.read(register_file_kind::gpr, o.index, o.kind == operand_kind::constant ? 1u : o.words,
                   o.kind == operand_kind::constant ? offsetof(lane_bundle, address)
                                                    : offsetof(lane_bundle, source) + slot * sizeof(lane_words[4]));
  }
  transfers.read_predicate(i.guard.index, offsetof(lane_bundle, guard));
  for (std::size_t k = 0; k < i.predicate_source.size(); ++k)
    if ((i.predicates_used >> k & 1) != 0)
      transfers.read_predicate(i.predicate_source[k].index, offsetof(lane_bundle, predicate_in) + k * warp_size);
  if (i.reads_condition_code)
    transfers.read(register_file_kind::condition, condition_code_index, 1, offsetof(lane_bundle, flags_in));

  if (i.destination.kind == operand_kind::gpr && i.destination.index != zero_register)
    transfers.write(register_file_kind::gpr, i.destination.index, i.destination.words,
                    offsetof(lane_bundle, destination));
  for (std::size_t k = 0; k < i.predicate_destination.size(); ++k)
    transfers.write_predicate(i.predicate_destination[k], offsetof(lane_bundle, predicate_out) + k * warp_size);
  if (i.writes_condition_code)
    transfers.write(register_file_kind::condition, condition_code_index, 1, offsetof(lane_bundle, flags_out));
}

std::uint8_t predicates_used(const instruction& i) {
  switch (i.op) {
    case opcode::fmnmx:
    case opcode::dmnmx:
    case opcode::imnmx:
    case opcode::sel:
    case opcode::bar:
    case opcode::fset:
    case opcode::fsetp:
    case opcode::dset:
    case opcode::dsetp:
    case opcode::iset:
    case opcode::isetp:
    case opcode::vsetp:
    case opcode::cset:
    case opcode::csetp: return 4;
    case opcode::pset:
    case opcode::psetp: return 7;
    case opcode::vote: return 1;
    default: return 0;
  }
}

std::uint8_t collected_sources(const instruction& i) {
  std::uint8_t sources = i.op == opcode::s2r ? source_bit(0) : std::uint8_t{0};
  for (std::size_t k = 0; k < i.source.size(); ++k) {
    const operand& o = i.source[k];
    if (o.kind == operand_kind::immediate || (o.kind == operand_kind::gpr && o.index == zero_register))
      sources |= source_bit(k);
  }
  return sources;
}

// Whole registers and constants need nothing more.
bool needs_collect(const instruction& i) {
  if (i.guard.index != true_predicate || i.guard.negate || i.condition != 15 || i.predicates_used != 0) return true;
  if (i.access.has_address() || i.access.kind == access_kind::texture || i.op == opcode::s2r) return true;
  for (unsigned k = 0; k < i.constant_count; ++k)
    if (i.constants[k].indexed) return true;
  for (const operand& o : i.source)
    if (o.kind == operand_kind::immediate || (o.kind == operand_kind::gpr && o.index == zero_register)) return true;
  return false;
}

// Meaning of the cache operators: PTX ISA 3.2, 8.7.6.1. Device memory is meant; of the host's memory, which this
// chip cannot address, cv and wt say more.
void add_cache_operator(memory_access& a, cache_operator cache) {
  const bool global = a.space == memory_space::global;
  if (a.kind == access_kind::load) {
    a.past_l1 = global && (cache == cache_operator::global || cache == cache_operator::last);
    a.evict_first = cache == cache_operator::streaming || (global && cache == cache_operator::last);
    a.last_use = cache == cache_operator::streaming;
  } else if (a.kind == access_kind::store) {
    a.evict_first = cache == cache_operator::streaming;
    a.evict_first_if_local = cache == cache_operator::global;
  }
}

// Kinds of cctl: data, uniform, constants, instructions. Only data caches are controlled.
memory_access cache_control_of(const instruction& i, memory_space space) {
  memory_access a;
  if (i.cache_control_kind > 1) return a;
  switch (i.cache_control) {
    case 1: a.line = line_action::prefetch_l1; break;
    case 3: a.line = line_action::prefetch_l2; break;
    case 4: a.line = line_action::write_back; break;
    case 5: a.line = line_action::invalidate; break;
    case 6: a.drops_lines = true; return a;
    default: return a;  // there is no data cache of level 1.5
  }
  a.space = space;
  a.type = data_type::u8;
  a.generic = space == memory_space::global;
  a.wide_address = i.source[0].words == 2;
  return a;
}

memory_access access_of(const instruction& i) {
  const auto access = [&](access_kind kind, memory_space space) {
    memory_access a;
    a.kind = kind;
    a.space = space;
    a.type = i.memory_type;
    a.atomic = i.atomic;
    a.atomic_signed = i.is_signed;
    a.atomic_float = i.atomic_float;
    a.wide_address = i.source[0].words == 2;
    a.generic = space == memory_space::global;
    if (space != memory_space::shared) add_cache_operator(a, i.cache);
    return a;
  };
  switch (i.op) {
    case opcode::ld:
    case opcode::ldu: return access(access_kind::load, memory_space::global);
    case opcode::st: return access(access_kind::store, memory_space::global);
    case opcode::red: return access(access_kind::reduction, memory_space::global);
    case opcode::atom: return access(access_kind::atomic, memory_space::global);
    case opcode::ldl: return access(access_kind::load, memory_space::local);
    case opcode::stl: return access(access_kind::store, memory_space::local);
    case opcode::lds: return access(access_kind::load, memory_space::shared);
    case opcode::sts: return access(access_kind::store, memory_space::shared);
    case opcode::ldslk: return access(access_kind::locked_load, memory_space::shared);
    case opcode::stsul: return access(access_kind::unlocking_store, memory_space::shared);
    case opcode::cctl: return cache_control_of(i, memory_space::global);
    case opcode::cctll: return cache_control_of(i, memory_space::local);
    case opcode::tex:
    case opcode::tld: {
      memory_access a;
      a.kind = access_kind::texture;
      a.space = memory_space::texture;
      return a;
    }
    default: return {};
  }
}

// ld has its constant in source 0 with a type of its own; elsewhere constants have the width of their operand.
void collect_constants(instruction& i) {
  for (std::uint8_t slot = 0; slot < i.source.size(); ++slot) {
    const operand& o = i.source[slot];
    if (o.kind != operand_kind::constant) continue;
    constant_operand& c = i.constants[i.constant_count++];
    c.slot = slot;
    c.bank = o.bank;
    c.type = i.op == opcode::ldc ? i.memory_type : o.words == 2 ? data_type::b64 : data_type::b32;
    c.indexed = o.index != zero_register;
    c.offset = static_cast<std::uint32_t>(o.value) & 0xffffu;
  }
  i.reads_constant = i.constant_count != 0;
}

texture_access texture_of(const instruction& i) {
  texture_access t;
  if (i.op != opcode::tex && i.op != opcode::tld) return t;
  t.unit = i.texture_unit;
  t.arguments = i.source[0].words;
  t.write_mask = i.texture_write_mask;
  t.texel_numbers = i.op == opcode::tld;
  return t;
}

barrier_action barrier_of(const instruction& i) {
  barrier_action b;
  if (i.unit != unit_class::barrier) return b;
  b.waits = true;
  if (i.op != opcode::bar) return b;  // a fence
  if (i.source[0].kind == operand_kind::immediate) b.id = static_cast<std::uint8_t>(i.source[0].value);
  b.arrives = true;
  b.waits = i.barrier_operation != barrier_mode::arrive;
  return b;
}

// 16 instead of 32 operations per clock and SM. Source: CUDA programming guide, throughput of arithmetic
// instructions, compute capability 2.0; what it does not name (prmt, votes, moves of predicates) is at full rate by
// assumption.
bool is_half_rate(opcode op) {
  switch (op) {
    case opcode::imul:
    case opcode::imad:
    case opcode::isad:
    case opcode::shl:
    case opcode::shr:
    case opcode::bfe:
    case opcode::bfi:
    case opcode::flo:
    case opcode::popc:
    case opcode::f2f:
    case opcode::f2i:
    case opcode::i2f:
    case opcode::i2i:
    case opcode::vadd:
    case opcode::vmnmx:
    case opcode::vabsdiff:
    case opcode::vset:
    case opcode::vsetp:
    case opcode::vshl:
    case opcode::vshr:
    case opcode::vmad: return true;
    default: return false;
  }
}

}  // namespace

void derive(instruction& i, const row& r) {
  i.unit = is_half_rate(i.op) ? unit_class::sp_half : r.unit;
  i.control = r.control;
  i.flow = flow_of(r.control);
  i.length = instruction_bytes;
  i.reads_condition_code |= i.carry_in || i.condition != 15;
  i.predicates_used = predicates_used(i);
  i.crosses_lanes = i.op == opcode::vote;
  i.access = access_of(i);
  i.reads_shared = i.access.space == memory_space::shared && i.access.loads();
  i.texture = texture_of(i);
  i.barrier = barrier_of(i);
  collect_constants(i);
  collect_ranges(i);
  if (i.op != opcode::p2r && i.op != opcode::r2p) collect_transfers(i);
  i.sources = sources_of(i, collected_sources(i));
  i.needs_collect = needs_collect(i);
  note_registers(i);
  i.execute = semantics_of(i);
  i.text = text_of_fermi;
}

}  // namespace gt200::isa::fermi
