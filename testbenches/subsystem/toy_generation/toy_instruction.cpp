#include "testbenches/subsystem/toy_generation/toy_instruction.h"

#include <cstddef>
#include <string>

#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::toy {
namespace {

void add(const isa::instruction& any, isa::lane_bundle& v, isa::lane_mask) {
  const auto number = static_cast<std::uint32_t>(as_toy(any).number);
  for (int lane = 0; lane < isa::warp_size; ++lane)
    v.destination[0].lane[lane] = v.source[0][0].lane[lane] + v.source[1][0].lane[lane] + number;
}

void less(const isa::instruction& any, isa::lane_bundle& v, isa::lane_mask) {
  const auto number = static_cast<std::uint32_t>(as_toy(any).number);
  for (int lane = 0; lane < isa::warp_size; ++lane)
    v.flags_out[lane] = v.source[0][0].lane[lane] < v.source[1][0].lane[lane] + number ? 1 : 0;
}

std::string text_of(const isa::instruction& any) {
  static constexpr const char* names[] = {"add", "load", "store", "less", "bra", "meet", "bar", "exit"};
  const instruction& i = as_toy(any);
  return std::string(names[static_cast<unsigned>(i.op)]) + " " + std::to_string(i.d) + " " + std::to_string(i.a) +
         " " + std::to_string(i.b) + " " + std::to_string(i.number);
}

void fetch(instruction& i, isa::register_file_kind file, unsigned index, std::size_t place) {
  i.operands[i.operand_count++] = {file, static_cast<std::uint8_t>(index), 1, isa::register_part::whole,
                                   static_cast<std::uint16_t>(place)};
}

// Source `slot` is a general register.
void reads(instruction& i, unsigned index, std::size_t slot) {
  i.reads[i.read_count++] = {isa::register_file_kind::gpr, static_cast<std::uint8_t>(index), 1};
  i.sources |= static_cast<std::uint8_t>(1u << slot);
  if (index != zero_register)
    fetch(i, isa::register_file_kind::gpr, index,
          offsetof(isa::lane_bundle, source) + slot * sizeof(isa::lane_bundle::source[0]));
}

void writes(instruction& i, isa::register_file_kind file, std::size_t place) {
  i.writes[i.write_count++] = {file, i.d, 1};
  i.results[i.result_count++] = {file, i.d, 1, isa::register_part::whole, static_cast<std::uint16_t>(place)};
}

void access_global(instruction& i, isa::access_kind kind) {
  i.unit = isa::unit_class::memory;
  i.access.kind = kind;
  i.access.space = isa::memory_space::global;
}

}  // namespace

instruction decode(std::uint32_t word) {
  instruction i;
  i.op = static_cast<opcode>(word >> 29);
  i.d = word >> 23 & 0x3f;
  i.a = word >> 17 & 0x3f;
  i.b = word >> 11 & 0x3f;
  i.number = static_cast<std::int32_t>(word << 21) >> 26;
  i.length = 4;
  i.words[0] = word;
  i.text = text_of;
  i.codes.wait_mask = word & 7;
  if (const unsigned barrier = word >> 3 & 3; barrier != 0)
    i.codes.write_barrier = static_cast<std::uint8_t>(barrier - 1);
  switch (i.op) {
    case opcode::add:
    case opcode::less:
      i.unit = isa::unit_class::sp;
      i.execute = i.op == opcode::add ? add : less;
      reads(i, i.a, 0);
      reads(i, i.b, 1);
      if (i.op == opcode::add)
        writes(i, isa::register_file_kind::gpr, offsetof(isa::lane_bundle, destination));
      else
        writes(i, isa::register_file_kind::condition, offsetof(isa::lane_bundle, flags_out));
      break;
    case opcode::load:
      access_global(i, isa::access_kind::load);
      reads(i, i.a, 0);
      writes(i, isa::register_file_kind::gpr, offsetof(isa::lane_bundle, destination));
      break;
    case opcode::store:
      access_global(i, isa::access_kind::store);
      reads(i, i.a, 0);
      reads(i, i.b, 1);
      break;
    case opcode::bra:
      i.unit = isa::unit_class::control;
      i.flow = isa::flow_kind::branch;
      i.reads[i.read_count++] = {isa::register_file_kind::condition, i.a, 1};
      fetch(i, isa::register_file_kind::condition, i.a, offsetof(isa::lane_bundle, flags_in));
      break;
    case opcode::meet:
      i.unit = isa::unit_class::control;
      i.flow = isa::flow_kind::redirects;
      break;
    case opcode::bar:
      i.unit = isa::unit_class::barrier;
      i.barrier = {0, true, true};
      break;
    case opcode::exit:
      i.unit = isa::unit_class::control;
      i.flow = isa::flow_kind::redirects;
      i.exit = true;
      break;
  }
  note_registers(i);
  return i;
}

}  // namespace gt200::toy
