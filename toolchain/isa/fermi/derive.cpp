#include "toolchain/isa/fermi/derive.h"

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
  if (i.op != opcode::tld) return t;
  t.unit = i.texture_unit;
  t.arguments = i.source[0].words;
  t.write_mask = i.texture_write_mask;
  t.texel_numbers = true;
  return t;
}

barrier_action barrier_of(const instruction& i) {
  barrier_action b;
  if (i.op != opcode::bar) return b;
  if (i.source[0].kind == operand_kind::immediate) b.id = static_cast<std::uint8_t>(i.source[0].value);
  b.arrives = true;
  b.waits = i.barrier_operation != barrier_mode::arrive;
  return b;
}

}  // namespace

void derive(instruction& i, const row& r) {
  i.unit = r.unit;
  i.control = r.control;
  i.flow = flow_of(r.control);
  i.length = instruction_bytes;
  i.reads_condition_code |= i.carry_in || i.condition != 15;
  i.crosses_lanes = i.op == opcode::vote;
  i.access = access_of(i);
  i.reads_shared = i.access.space == memory_space::shared && i.access.loads();
  i.texture = texture_of(i);
  i.barrier = barrier_of(i);
  collect_constants(i);
  collect_ranges(i);
  i.execute = semantics_of(i);
  i.text = text_of_fermi;
}

}  // namespace gt200::isa::fermi
