#include "toolchain/isa/volta/derive.h"

#include <cstddef>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/common/operand_slot.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/latency.h"
#include "toolchain/isa/volta/semantics/semantics.h"
#include "toolchain/isa/volta/texture.h"

namespace gt200::isa::volta {
namespace {

std::string text_of_volta(const isa::instruction& i) { return disassemble(as_volta(i)); }

bool is_register(const operand& o) {
  return (o.kind == operand_kind::gpr || o.kind == operand_kind::memory || o.kind == operand_kind::constant) &&
         o.index != zero_register;
}

// The registers as ranges, and as values that move with their places in the bundle. Zero registers and true
// predicates do not move: the collection fills them in.
class register_collector {
 public:
  explicit register_collector(instruction& i) : i_(i) {}

  void read(register_file_kind file, unsigned first, unsigned count, std::size_t place,
            std::uint8_t latency_class) {
    i_.operands[i_.operand_count++] = transfer(file, first, count, place, latency_class);
    for (std::uint8_t k = 0; k < i_.read_count; ++k)
      if (i_.reads[k].file == file && i_.reads[k].first == first && i_.reads[k].count == count) return;
    i_.reads[i_.read_count++] = range(file, first, count);
  }
  void read_predicate(unsigned index, std::size_t place, std::uint8_t latency_class) {
    if (index != true_predicate) read(register_file_kind::condition, index, 1, place, latency_class);
  }
  void write(register_file_kind file, unsigned first, unsigned count, std::size_t place,
             result_class latency_class) {
    i_.results[i_.result_count++] = transfer(file, first, count, place, static_cast<std::uint8_t>(latency_class));
    i_.writes[i_.write_count++] = range(file, first, count);
  }

 private:
  static register_range range(register_file_kind file, unsigned first, unsigned count) {
    return {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
  }
  static register_transfer transfer(register_file_kind file, unsigned first, unsigned count, std::size_t place,
                                    std::uint8_t latency_class) {
    return {file,
            static_cast<std::uint8_t>(first),
            static_cast<std::uint8_t>(count),
            register_part::whole,
            static_cast<std::uint16_t>(place),
            latency_class};
  }
  instruction& i_;
};

// The words of a pair move one by one if they have latencies of their own.
void read_source(const instruction& i, register_collector& registers, unsigned slot) {
  const operand& o = i.source[slot];
  const auto class_of = [&](unsigned word) { return static_cast<std::uint8_t>(reader_class_of(i, slot, word)); };
  if (o.kind == operand_kind::constant)
    return registers.read(register_file_kind::gpr, o.index, 1, offsetof(lane_bundle, address), class_of(0));
  const std::size_t place = offsetof(lane_bundle, source) + slot * sizeof(lane_words[4]);
  if (o.words != 2 || class_of(0) == class_of(1))
    return registers.read(register_file_kind::gpr, o.index, o.words, place, class_of(0));
  for (unsigned word = 0; word < 2; ++word)
    registers.read(register_file_kind::gpr, o.index + word, 1, place + word * sizeof(lane_words), class_of(word));
}

// Registers that follow each other, in the instruction and in the bundle, move together.
void read_texture_arguments(const instruction& i, register_collector& registers) {
  const texture_arguments all = arguments_of(i);
  const auto follows = [&](unsigned k) {
    const texture_argument& before = all.of[k - 1];
    const texture_argument& here = all.of[k];
    return here.source == before.source && here.row_source == before.row_source && here.row == before.row + 1;
  };
  for (unsigned first = 0, last = 0; first < all.count; first = last) {
    last = first + 1;
    while (last < all.count && follows(last)) ++last;
    const texture_argument& argument = all.of[first];
    const operand& o = i.source[argument.source];
    if (o.index == zero_register) continue;
    const std::size_t place = offsetof(lane_bundle, source) + argument.row_source * sizeof(lane_words[4]) +
                              argument.row * sizeof(lane_words);
    registers.read(register_file_kind::gpr, o.index + argument.word, last - first, place,
                   static_cast<std::uint8_t>(reader_class_of(i, argument.source, argument.word)));
  }
}

void write_destination(const instruction& i, register_collector& registers) {
  const operand& o = i.destination;
  const std::size_t place = offsetof(lane_bundle, destination);
  if (o.words != 2 || result_class_of(i, 0) == result_class_of(i, 1))
    return registers.write(register_file_kind::gpr, o.index, o.words, place, result_class_of(i, 0));
  for (unsigned word = 0; word < 2; ++word)
    registers.write(register_file_kind::gpr, o.index + word, 1, place + word * sizeof(lane_words),
                    result_class_of(i, word));
}

void collect_registers(instruction& i) {
  register_collector registers(i);
  if (is_texture_fetch(i)) read_texture_arguments(i, registers);
  for (std::size_t slot = 0; slot < i.source.size() && !is_texture_fetch(i); ++slot) {
    const operand& o = i.source[slot];
    if (!is_register(o)) continue;
    read_source(i, registers, static_cast<unsigned>(slot));
  }
  registers.read_predicate(i.guard.index, offsetof(lane_bundle, guard), guard_class);
  const auto reader = static_cast<std::uint8_t>(reader_class_of(i, 0, 0));
  for (std::size_t k = 0; k < i.predicate_source.size(); ++k)
    if ((i.predicates_used >> k & 1) != 0)
      registers.read_predicate(i.predicate_source[k].index, offsetof(lane_bundle, predicate_in) + k * warp_size,
                               reader);

  if (i.destination.kind == operand_kind::gpr && i.destination.index != zero_register)
    write_destination(i, registers);
  if (const operand& o = i.second_destination; o.kind == operand_kind::gpr && o.index != zero_register)
    registers.write(register_file_kind::gpr, o.index, o.words, offsetof(lane_bundle, destination[2]),
                    result_class_of(i, 0));
  for (std::size_t k = 0; k < i.predicate_destination.size(); ++k)
    if (i.predicate_destination[k] != true_predicate)
      registers.write(register_file_kind::condition, i.predicate_destination[k], 1,
                      offsetof(lane_bundle, predicate_out) + k * warp_size, result_class_of(i, 0));
}

// The predicate file moves as a whole, beside the transfers: its bits are one source word or one result word.
void collect_predicate_file(instruction& i) {
  const register_range all = {register_file_kind::condition, 0, predicate_count};
  i.reads_predicate_file = i.op == opcode::p2r || i.op == opcode::r2p;
  i.writes_predicate_file = i.op == opcode::r2p;
  if (i.op == opcode::p2r) i.reads[i.read_count++] = all;
  if (i.op == opcode::r2p) i.writes[i.write_count++] = all;
}

std::uint8_t collected_sources(const instruction& i) {
  std::uint8_t sources = i.op == opcode::s2r || i.op == opcode::cs2r ? source_bit(0) : std::uint8_t{0};
  if (is_texture_fetch(i)) {
    const texture_arguments all = arguments_of(i);
    for (unsigned k = 0; k < all.count; ++k)
      if (i.source[all.of[k].source].index == zero_register) sources |= source_bit(all.of[k].row_source);
    return sources;
  }
  for (std::size_t k = 0; k < i.source.size(); ++k) {
    const operand& o = i.source[k];
    if (o.kind == operand_kind::immediate || (o.kind == operand_kind::gpr && o.index == zero_register))
      sources |= source_bit(k);
  }
  return sources;
}

bool needs_collect(const instruction& i) {
  if (i.guard.index != true_predicate || i.guard.negate || i.predicates_used != 0) return true;
  if (i.access.kind != access_kind::none || i.op == opcode::s2r || i.op == opcode::cs2r || i.op == opcode::lepc)
    return true;
  for (unsigned k = 0; k < i.constant_count; ++k)
    if (i.constants[k].indexed) return true;
  for (const operand& o : i.source)
    if (o.kind == operand_kind::immediate || (o.kind == operand_kind::gpr && o.index == zero_register)) return true;
  return false;
}

data_type type_of_size(std::uint8_t size) {
  constexpr data_type types[] = {data_type::u8,  data_type::s8,  data_type::u16,  data_type::s16,
                                 data_type::b32, data_type::b64, data_type::b128, data_type::b128};
  return types[size & 7];
}

memory_access access_of(const instruction& i) {
  const auto access = [&](access_kind kind, memory_space space) {
    memory_access a;
    a.kind = kind;
    a.space = space;
    a.type = type_of_size(i.memory_size);
    a.wide_address = i.source[0].words == 2;
    // An L1 is not coherent: what other SMs must see goes to the L2.
    a.past_l1 =
        kind == access_kind::load && space == memory_space::global &&
        (i.order == memory_order::mmio || (i.order == memory_order::strong && i.scope >= memory_scope::gpu));
    return a;
  };
  const auto generic = [&](access_kind kind) {
    memory_access a = access(kind, memory_space::global);
    a.generic = true;
    return a;
  };
  const auto atomic = [&](memory_access a) {
    constexpr atomic_op operations[] = {atomic_op::add, atomic_op::min,  atomic_op::max,
                                        atomic_op::inc, atomic_op::dec,  atomic_op::and_,
                                        atomic_op::or_, atomic_op::xor_, atomic_op::exch};
    a.atomic = i.compare_and_swap != 0 ? atomic_op::cas : operations[i.atomic_operation];
    a.atomic_signed = i.atomic_kind == atomic_type::s32 || i.atomic_kind == atomic_type::s64;
    a.atomic_float = i.atomic_kind == atomic_type::f32 || i.atomic_kind == atomic_type::f64 ||
                     i.atomic_kind == atomic_type::f16x2;
    return a;
  };
  switch (i.op) {
    case opcode::ldg: return access(access_kind::load, memory_space::global);
    case opcode::stg: return access(access_kind::store, memory_space::global);
    case opcode::ld: return generic(access_kind::load);
    case opcode::st: return generic(access_kind::store);
    case opcode::ldl: return access(access_kind::load, memory_space::local);
    case opcode::stl: return access(access_kind::store, memory_space::local);
    case opcode::lds: return access(access_kind::load, memory_space::shared);
    case opcode::sts: return access(access_kind::store, memory_space::shared);
    case opcode::atom: return atomic(generic(access_kind::atomic));
    case opcode::atomg: return atomic(access(access_kind::atomic, memory_space::global));
    case opcode::red: return atomic(access(access_kind::reduction, memory_space::global));
    case opcode::atoms: return atomic(access(access_kind::atomic, memory_space::shared));
    case opcode::cctl: {  // IVALL
      memory_access a;
      a.drops_lines = true;
      return a;
    }
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

texture_access texture_of(const instruction& i) {
  texture_access t;
  if (!is_texture_fetch(i)) return t;
  t.by_handle = true;
  t.arguments = arguments_of(i).coordinates;
  t.write_mask = i.texture_write_mask;
  t.texel_numbers = i.op == opcode::tld;
  return t;
}

void collect_constants(instruction& i) {
  for (std::uint8_t slot = 0; slot < i.source.size(); ++slot) {
    const operand& o = i.source[slot];
    if (o.kind != operand_kind::constant) continue;
    constant_operand& c = i.constants[i.constant_count++];
    c.slot = slot;
    c.bank = o.bank;
    c.type = i.op == opcode::ldc ? type_of_size(i.memory_size) : o.words == 2 ? data_type::b64 : data_type::b32;
    c.indexed = o.index != zero_register;
    c.offset = static_cast<std::uint32_t>(o.value) & 0xffffu;
  }
  i.reads_constant = i.constant_count != 0;
}

barrier_action barrier_of(const instruction& i) {
  barrier_action b;
  if (i.unit != unit_class::barrier || i.op == opcode::b2r) return b;
  b.waits = true;
  if (i.op != opcode::bar) return b;  // a fence
  if (i.source[0].kind == operand_kind::immediate) b.id = static_cast<std::uint8_t>(i.source[0].value);
  b.arrives = true;
  b.waits = i.barrier_operation != barrier_mode::arrive;
  b.combines = i.barrier_operation == barrier_mode::reduce;
  return b;
}

// A path that comes to bar may have to wait there while others go on. What else goes to the branch unit and leaves
// the path alone moves state of it, or waits.
flow_kind flow_of(const instruction& i) {
  switch (i.control) {
    case control_kind::none:
      if (i.op == opcode::bar) return flow_kind::redirects;
      return i.unit == unit_class::control ? flow_kind::continues : flow_kind::none;
    case control_kind::bra:
    case control_kind::brx: return flow_kind::branch;
    case control_kind::bssy:
    case control_kind::break_: return flow_kind::continues;
    default: return flow_kind::redirects;
  }
}

}  // namespace

void derive(instruction& i, const row& r) {
  i.unit = r.unit;
  i.control = r.control;
  i.flow = flow_of(i);
  i.exit = r.control == control_kind::exit;
  i.length = instruction_bytes;
  i.crosses_lanes = i.op == opcode::vote || i.op == opcode::shfl || i.op == opcode::match;
  i.access = access_of(i);
  i.reads_shared = i.access.space == memory_space::shared && i.access.loads();
  i.texture = texture_of(i);
  i.variable_latency = has_variable_latency(i);
  i.moves_divergence_state = i.op == opcode::bmov;
  i.indirect =
      r.control == control_kind::warpsync ||
      ((r.control == control_kind::brx || r.control == control_kind::ret || r.control == control_kind::call) &&
       i.source[0].kind == operand_kind::gpr);
  if (i.op == opcode::depbar) i.dependency = {true, i.dependency_barrier, i.dependency_count, i.dependency_list};
  i.barrier = barrier_of(i);
  collect_constants(i);
  collect_registers(i);
  collect_predicate_file(i);
  i.sources = sources_of(i, collected_sources(i));
  i.needs_collect = needs_collect(i);
  note_registers(i);
  i.execute = semantics_of(i);
  i.text = text_of_volta;
}

}  // namespace gt200::isa::volta
