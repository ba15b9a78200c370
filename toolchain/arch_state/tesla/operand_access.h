// Collects the operands of a Tesla instruction into a lane_bundle and writes its results back. Emulator and cycle
// model share these rules for the operand fields. $a0 reads as zeros.
//
// Memory operands are not read here: memory_addresses() computes the addresses, memory_access.h reads.
#pragma once

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/arch_state/register_rows.h"
#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/condition.h"
#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/register_use.h"

namespace gt200::arch_state::tesla {

// The lanes of `active` that execute the instruction. A vote takes the predicate field as its input, so it executes
// in all of them. `flags` is the row of $c<condition_source>.
inline isa::lane_mask executed_lanes(const isa::tesla::instruction& i, const std::uint8_t* flags,
                                     isa::lane_mask active) {
  if (i.predicated && i.op != isa::tesla::opcode::vote_any && i.op != isa::tesla::opcode::vote_all)
    active = isa::tesla::condition_mask(i.condition, flags, active);
  // One bit per lane of a quad.
  if (i.lane_write_mask != 0xf) active &= i.lane_write_mask * 0x11111111u;
  return active;
}

// Reads register sources and immediates. The caller reads s[], c[] and special registers.
inline void gather_source(const register_rows& registers, const isa::tesla::operand& o, isa::lane_words* out) {
  if (o.kind == isa::tesla::operand_kind::gpr) {
    const int words = isa::words_of(o.type);
    for (int k = 0; k < words; ++k) copy_row(out[k].lane, registers.gpr(o.index + static_cast<unsigned>(k)));
    if (o.part != isa::tesla::half::whole)
      narrow_to_half(out[0].lane, o.part == isa::tesla::half::high, o.type == isa::data_type::s16);
  } else if (o.kind == isa::tesla::operand_kind::immediate) {
    fill_row(out[0].lane, static_cast<std::uint32_t>(o.value));
  }
}

inline void gather_registers(const register_rows& registers, const isa::tesla::instruction& i,
                             isa::lane_bundle& b) {
  for (std::size_t k = 0; k < i.source.size(); ++k) gather_source(registers, i.source[k], b.source[k]);
  if (isa::tesla::is_texture(i))
    for (unsigned k = 0; k < i.texture_arguments; ++k)
      copy_row(b.source[0][k].lane, registers.gpr(i.destination.index + k));
}

inline void gather_flags(const register_rows& registers, const isa::tesla::instruction& i, isa::lane_bundle& b) {
  std::memcpy(b.flags_in, registers.condition(i.condition_source), sizeof b.flags_in);
}

inline void gather_address_register(const register_rows& registers, const isa::tesla::instruction& i,
                                    isa::lane_bundle& b) {
  std::memcpy(b.address_in, registers.address(isa::tesla::address_register_of(i)), sizeof b.address_in);
}

// Byte addresses of an s[], l[] or c[] operand. They have 16 bits, so negative values of $a work. `address_in` must
// be set if the operand has an address register.
inline void indexed_addresses(const isa::tesla::operand& o, const isa::lane_bundle& b, std::uint32_t* out) {
  if (o.address_register == 0) {
    fill_row(out, static_cast<std::uint32_t>(o.value) & 0xffffu);
  } else {
    const std::uint32_t offset = o.post_increment ? 0 : static_cast<std::uint32_t>(o.value);
    for (int lane = 0; lane < isa::warp_size; ++lane) out[lane] = (b.address_in[lane] + offset) & 0xffffu;
  }
}

// Byte addresses of a memory operand.
inline void memory_addresses(const register_rows& registers, const isa::tesla::operand& o,
                             const isa::lane_bundle& b, std::uint32_t* out) {
  if (o.kind == isa::tesla::operand_kind::global)
    copy_row(out, registers.gpr(o.base));
  else
    indexed_addresses(o, b, out);
}

// Computes $aX after the access. `address_in` must be set.
inline void post_increment(const isa::tesla::operand& o, isa::lane_bundle& b) {
  for (int lane = 0; lane < isa::warp_size; ++lane)
    b.address_incremented[lane] = static_cast<std::uint16_t>(b.address_in[lane] + o.value);
}

// The same, and writes it.
inline void write_post_increment(register_rows& registers, const isa::tesla::operand& o, isa::lane_bundle& b,
                                 isa::lane_mask executed) {
  post_increment(o, b);
  write_row(registers.address_for_write(o.address_register), b.address_incremented, executed);
}

// Writes destination words, flags and $a result of the lanes that executed; not the post-increment.
inline void write_results(register_rows& registers, const isa::tesla::instruction& i, const isa::lane_bundle& b,
                          isa::lane_mask executed) {
  if (i.destination.kind == isa::tesla::operand_kind::gpr) {
    const int words = isa::tesla::destination_words(i);
    for (int k = 0; k < words; ++k) {
      std::uint32_t* row = registers.gpr_for_write(i.destination.index + static_cast<unsigned>(k));
      if (row == nullptr) continue;
      if (i.destination.part == isa::tesla::half::whole)
        write_row(row, b.destination[k].lane, executed);
      else
        write_row_half(row, b.destination[k].lane, i.destination.part == isa::tesla::half::high, executed);
    }
  } else if (i.destination.kind == isa::tesla::operand_kind::address) {
    write_row(registers.address_for_write(i.destination.index), b.address_out, executed);
  }
  if (i.writes_condition) write_row(registers.condition_for_write(i.condition_destination), b.flags_out, executed);
}

}  // namespace gt200::arch_state::tesla
