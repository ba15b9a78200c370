#include "toolchain/emulator/code_image.h"

#include <algorithm>

#include "toolchain/arch_state/operand_access.h"
#include "toolchain/arch_state/simt_stack.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::emulator {
namespace {

using isa::opcode;
using isa::operand_kind;

memory_access access_of(const isa::instruction& i) {
  const auto direct = [&i](access_kind kind, memory_space space) {
    return memory_access{kind, space, 0, i.source[0].type};
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
  for (std::uint8_t slot = 0; slot < i.source.size(); ++slot)
    if (i.source[slot].kind == operand_kind::shared)
      return {access_kind::operand, memory_space::shared, slot, i.source[slot].type};
  return {};
}

code_entry make_entry(const isa::instruction& i) {
  code_entry e;
  e.instruction = i;
  e.access = access_of(i);
  e.on_stack = simt_stack::concerns(i);
  e.uses_address = takes_address_register(i);
  for (const isa::operand& o : i.source) e.reads_constant |= o.kind == operand_kind::constant;
  return e;
}

}  // namespace

// Data between functions or padding may shift the start of instructions, so every word position that decodes gets
// an entry. Long instructions start at multiples of 8.
code_image::code_image(const cubin::kernel& kernel)
    : words_(kernel.code), index_(kernel.code.size(), 0), lines_(kernel.lines) {
  for (std::size_t word = 0; word < words_.size(); ++word) {
    const bool is_long = isa::length_of(words_[word]) == 8;
    if (is_long && (word % 2 != 0 || word + 1 == words_.size())) continue;
    isa::decode_error error;
    const auto decoded = isa::decode(words_[word], is_long ? words_[word + 1] : 0, error);
    if (!decoded) continue;
    entries_.push_back(make_entry(*decoded));
    index_[word] = static_cast<std::uint32_t>(entries_.size());
  }
  std::sort(lines_.begin(), lines_.end(),
            [](const cubin::source_line& a, const cubin::source_line& b) { return a.offset < b.offset; });
}

code_image::decode_failure code_image::error(isa::code_address pc) const {
  if (pc / 4 >= words_.size()) return {true, "the code has " + std::to_string(bytes()) + " bytes"};
  if (pc % 4 != 0) return {true, "not a multiple of 4"};
  const std::uint32_t first = words_[pc / 4];
  const bool is_long = isa::length_of(first) == 8;
  if (is_long && pc % 8 != 0) return {false, "an 8-byte instruction does not start at a multiple of 8"};
  if (is_long && pc / 4 + 1 == words_.size()) return {false, "the second word of the instruction is missing"};
  isa::decode_error reason;
  isa::decode(first, is_long ? words_[pc / 4 + 1] : 0, reason);
  return {false, reason.reason};
}

std::uint32_t code_image::line(isa::code_address pc) const {
  const auto next =
      std::upper_bound(lines_.begin(), lines_.end(), pc,
                       [](isa::code_address value, const cubin::source_line& l) { return value < l.offset; });
  return next == lines_.begin() ? 0 : std::prev(next)->line;
}

}  // namespace gt200::emulator
