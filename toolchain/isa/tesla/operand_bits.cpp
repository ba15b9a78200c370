#include "toolchain/isa/tesla/operand_bits.h"

namespace gt200::isa::tesla {
namespace {

// Field positions, first word 0..31, second word 32..63.
constexpr unsigned bucket_bit = 35;       // 1: destination is an output register; 127 = bit bucket
constexpr unsigned long_shared_bit = 53;  // source 1 is s[]
constexpr unsigned short_shared_bit = 24;
constexpr unsigned second_constant_bit = 23;  // source 2 is c[]
constexpr unsigned third_constant_bit = 24;   // source 3 is c[], long form
constexpr unsigned post_increment_bit = 25;
constexpr bit_field short_address_field = {26, 2};
constexpr bit_field long_address_field = {26, 2, 34, 1};
constexpr bit_field long_constant_space = {54, 4};
constexpr bit_field short_constant_space = {21, 1};

operand& slot_of(const element& e, instruction& i) {
  return e.slot == destination_slot ? i.destination : i.source[e.slot];
}

width width_of(data_type t) {
  return t == data_type::b128 ? width::quad : t == data_type::b64 ? width::pair : width::word;
}

void transfer_gpr(operand& o, bit_field f, width size, bit_stream& s) {
  if (s.reading()) o.kind = operand_kind::gpr;
  if (o.kind != operand_kind::gpr) return s.fail("a register is needed here");
  if (size == width::half) {
    if (!s.reading() && o.part == half::whole) return s.fail("a register half is needed here");
    std::uint32_t raw = o.index * 2u + (o.part == half::high ? 1u : 0u);
    s.transfer(raw, f, "register half");
    if (s.reading()) {
      o.index = static_cast<std::uint8_t>(raw >> 1);
      o.part = (raw & 1) != 0 ? half::high : half::low;
      o.type = data_type::u16;
    }
    return;
  }
  const data_type type = size == width::quad   ? data_type::b128
                         : size == width::pair ? data_type::b64
                                               : data_type::b32;
  if (!s.reading() && o.part != half::whole) return s.fail("a whole register is needed here");
  if (!s.reading() && words_of(o.type) != words_of(type)) {
    return s.fail("a register of " + std::to_string(8 * bytes_of(type)) + " bits is needed here");
  }
  s.transfer(o.index, f, "register number");
  o.type = type;
  if (o.index % words_of(type) != 0)
    s.fail("a register pair must start at an even number, a quad at a multiple of 4");
}

void transfer_address(operand& o, bool is_long, bit_stream& s) {
  s.transfer(o.address_register, is_long ? long_address_field : short_address_field, "address register");
  s.transfer(o.post_increment, post_increment_bit, "post-increment");
  if (o.address_register > 4)
    s.fail("address register $a" + std::to_string(o.address_register) + " does not exist");
  if (o.post_increment && o.address_register == 0) s.fail("post-increment needs an address register");
}

void no_address(const operand& o, bit_stream& s) {
  if (o.address_register != 0 || o.post_increment)
    s.fail("$a can apply to one memory operand only, to s[] before c[]");
}

unsigned shift_of(data_type t) { return t == data_type::b32 ? 2 : bytes_of(t) - 1u; }

// s[] in place of source 1: two mode bits above a 4- or 5-bit offset.
void transfer_shared_source(operand& o, const element& e, bit_stream& s) {
  constexpr std::array<data_type, 4> modes = {data_type::u8, data_type::u16, data_type::s16, data_type::b32};
  if (s.reading()) o.kind = operand_kind::shared;
  const bit_field offset = e.is_long ? bit_field{9, 5} : bit_field{9, 4};
  std::uint32_t mode = 0;
  while (mode < 4 && modes[mode] != o.type) ++mode;
  if (mode == 4) return s.fail("s[] has no access of this width");
  s.transfer(mode, e.is_long ? bit_field{14, 2} : bit_field{13, 2}, "s[] mode");
  o.type = modes[mode];
  if (e.size == width::half && o.type == data_type::b32) {
    return s.fail("a 16-bit source cannot be a 32-bit s[] access");
  }
  transfer_address(o, e.is_long, s);
  s.transfer_offset(o.value, offset, shift_of(o.type), o.post_increment, "s[] offset");
}

// c[] in place of source 2 or 3. $a belongs to s[] if source 1 is s[].
void transfer_constant_source(operand& o, const element& e, bool shared_present, bit_stream& s) {
  if (s.reading()) o.kind = operand_kind::constant;
  o.type = e.size == width::half ? data_type::u16 : data_type::b32;
  bit_field offset = {46, 7};
  if (e.kind == element_kind::second_source) offset = e.is_long ? bit_field{16, 7} : bit_field{16, 5};
  s.transfer(o.index, e.is_long ? long_constant_space : short_constant_space, "constant space");
  if (shared_present) {
    if (!e.is_long) return s.fail("the short form cannot read s[] and c[] at once");
    no_address(o, s);
  } else {
    transfer_address(o, e.is_long, s);
  }
  s.transfer_offset(o.value, offset, e.size == width::half ? 1 : 2, o.post_increment, "c[] offset");
}

void transfer_source(const element& e, instruction& i, bit_stream& s) {
  operand& o = slot_of(e, i);
  switch (e.kind) {
    case element_kind::first_source: {
      bool shared = o.kind == operand_kind::shared;
      s.transfer(shared, e.is_long ? long_shared_bit : short_shared_bit, "s[] operand");
      if (shared) {
        transfer_shared_source(o, e, s);
      } else {
        transfer_gpr(o, e.is_long ? bit_field{9, 7} : bit_field{9, 6}, e.size, s);
      }
      break;
    }
    case element_kind::second_source: {
      bool constant = o.kind == operand_kind::constant;
      s.transfer(constant, second_constant_bit, "c[] operand");
      if (constant) {
        transfer_constant_source(o, e, i.source[0].kind == operand_kind::shared, s);
      } else {
        transfer_gpr(o, e.is_long ? bit_field{16, 7} : bit_field{16, 6}, e.size, s);
      }
      break;
    }
    default: {
      bool constant = o.kind == operand_kind::constant;
      s.transfer(constant, third_constant_bit, "c[] operand");
      if (constant && i.source[1].kind == operand_kind::constant && e.slot == 2) {
        return s.fail("only one source can be c[]");
      }
      if (constant) {
        transfer_constant_source(o, e, i.source[0].kind == operand_kind::shared, s);
      } else {
        transfer_gpr(o, bit_field{46, 7}, e.size, s);
      }
      break;
    }
  }
}

// Dedicated loads and stores: 16-bit byte range, scaled by the access size except in l[].
void transfer_direct_memory(const element& e, instruction& i, operand_kind kind, bit_stream& s) {
  operand& o = slot_of(e, i);
  if (s.reading()) o.kind = kind;
  if (o.kind != kind) return s.fail("wrong memory space");
  if (kind == operand_kind::constant) s.transfer(o.index, long_constant_space, "constant space");
  transfer_address(o, true, s);
  const unsigned shift = kind == operand_kind::local ? 0 : shift_of(o.type);
  s.transfer_offset(o.value, {9, static_cast<std::uint8_t>(16 - shift)}, shift, false, "memory offset");
}

void transfer_global(const element& e, instruction& i, bit_stream& s) {
  operand& o = slot_of(e, i);
  if (s.reading()) o.kind = operand_kind::global;
  if (o.kind != operand_kind::global) return s.fail("a g[] operand is needed here");
  s.transfer(o.index, e.bits, "global space");
  s.transfer(o.base, {9, 7}, "register number");
}

void transfer_destination(const element& e, instruction& i, bit_stream& s) {
  operand& o = i.destination;
  if (e.is_long) {
    bool bucket = o.kind == operand_kind::discard;
    s.transfer(bucket, bucket_bit, "bit bucket");
    if (bucket) {
      std::uint32_t raw = 127;
      s.transfer(raw, {2, 7}, "output register");
      if (raw != 127) return s.fail("output registers do not exist in compute programs");
      o.kind = operand_kind::discard;
      return;
    }
  }
  transfer_gpr(o, e.bits, e.size, s);
}

void transfer_texture(const element& e, instruction& i, bit_stream& s) {
  if (s.reading()) i.destination.kind = operand_kind::gpr;
  s.transfer(i.destination.index, e.bits, "register number");
  if (e.kind == element_kind::texture_source) {
    std::uint32_t extra = i.texture_arguments - 1u;
    s.transfer(extra, {22, 2}, "number of coordinates");
    i.texture_arguments = static_cast<std::uint8_t>(extra + 1);
    if (i.destination.index + i.texture_arguments > max_gpr) s.fail("the coordinates run past the last register");
    return;
  }
  if (e.is_long) {
    s.transfer(i.texture_write_mask, {25, 2, 46, 2}, "component mask");
  } else if (s.reading()) {
    i.texture_write_mask = 0xf;
  } else if (i.texture_write_mask != 0xf) {
    s.fail("the short form writes all four components");
  }
  int written = 0;
  for (int c = 0; c < 4; ++c) written += (i.texture_write_mask >> c) & 1;
  if (i.destination.index + written > max_gpr) s.fail("the result runs past the last register");
}

}  // namespace

void transfer_operand_bits(const element& e, instruction& i, bit_stream& s) {
  switch (e.kind) {
    case element_kind::destination:
    case element_kind::register_source: {
      element sized = e;
      operand& o = slot_of(e, i);
      if (e.size == width::by_memory) sized.size = width_of(i.source[0].type);
      if (e.size == width::half_or_word) {
        bool whole = o.part == half::whole;
        s.transfer(whole, e.select_bit, "operand width");
        sized.size = whole ? width::word : width::half;
      }
      if (e.kind == element_kind::destination) return transfer_destination(sized, i, s);
      return transfer_gpr(o, e.bits, sized.size, s);
    }
    case element_kind::first_source:
    case element_kind::second_source:
    case element_kind::third_source: return transfer_source(e, i, s);
    case element_kind::immediate: {
      operand& o = slot_of(e, i);
      if (s.reading()) o.kind = operand_kind::immediate;
      if (o.kind != operand_kind::immediate) return s.fail("an immediate is needed here");
      std::uint32_t raw = static_cast<std::uint32_t>(o.value);
      s.transfer(raw, e.bits, "immediate");
      o.value = static_cast<std::int32_t>(raw);
      return;
    }
    case element_kind::address_destination:
    case element_kind::address_source: {
      operand& o = slot_of(e, i);
      if (s.reading()) o.kind = operand_kind::address;
      if (o.kind != operand_kind::address) return s.fail("an address register is needed here");
      o.type = data_type::u16;
      const bool is_destination = e.kind == element_kind::address_destination;
      s.transfer(o.index, is_destination ? bit_field{2, 3} : long_address_field, "address register");
      if (o.index > 4) s.fail("address register $a" + std::to_string(o.index) + " does not exist");
      return;
    }
    case element_kind::special_source: {
      operand& o = slot_of(e, i);
      if (s.reading()) o.kind = operand_kind::special;
      if (o.kind != operand_kind::special) return s.fail("a special register is needed here");
      s.transfer(o.index, {46, 4}, "special register");
      if (o.index > 7) s.fail("special register $sr" + std::to_string(o.index) + " does not exist");
      return;
    }
    case element_kind::shared_memory: return transfer_direct_memory(e, i, operand_kind::shared, s);
    case element_kind::constant_memory: return transfer_direct_memory(e, i, operand_kind::constant, s);
    case element_kind::local_memory: return transfer_direct_memory(e, i, operand_kind::local, s);
    case element_kind::global_memory: return transfer_global(e, i, s);
    case element_kind::texture_destination:
    case element_kind::texture_source: return transfer_texture(e, i, s);
    default: return s.fail("not an operand");
  }
}

}  // namespace gt200::isa::tesla
