// Counting, reversing, extracting, inserting and permuting bits.
#include <map>

#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

// As bfe and bfi of the hardware want it: position in bits 0 to 7, length in bits 8 to 15.
value lowering::packed_field(value position, value length) {
  if (position.is_immediate() && length.is_immediate())
    return imm((position.immediate() & 0xff) | (length.immediate() & 0xff) << 8);
  const word_ref d = out_.word();
  constexpr std::uint32_t low_bytes = 0x0040;  // byte 0 of the first, byte 0 of the second
  out_.emit(opcode::prmt, d, {out_.in_register(position), imm(low_bytes), out_.in_register(length)});
  return reg(d);
}

value lowering::count_bits(value a) {
  const word_ref d = out_.word();
  out_.emit(opcode::popc, d, {out_.in_register(a), imm(0xffffffff)});
  return reg(d);
}

value lowering::count_leading_zeros(value a) {
  const word_ref d = out_.word();
  const word_ref position = out_.word();
  out_.emit(opcode::flo, position, {{}, out_.in_register(a)}).code.shift_amount = true;
  out_.emit(opcode::imnmx, d, {reg(position), imm(32)}).code.is_signed = false;  // nothing found: 0xffffffff
  return reg(d);
}

value lowering::leading_bit(value a, bool is_signed, bool shift_amount) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::flo, d, {{}, out_.in_register(a)});
  o.code.is_signed = is_signed;
  o.code.shift_amount = shift_amount;
  return reg(d);
}

value lowering::reversed(value a) {
  const word_ref d = out_.word();
  out_.emit(opcode::bfe, d, {out_.in_register(a), imm(32u << 8)}).code.reverse = true;
  return reg(d);
}

value lowering::extracted(value a, value position, value length, bool is_signed) {
  const word_ref d = out_.word();
  a = out_.in_register(a);
  const value field = packed_field(position, length);
  out_.emit(opcode::bfe, d, {a, field}).code.is_signed = is_signed;
  return reg(d);
}

value lowering::inserted(value a, value b, value position, value length) {
  const word_ref d = out_.word();
  a = out_.in_register(a);
  b = out_.in_register(b);
  const value field = packed_field(position, length);
  out_.emit(opcode::bfi, d, {a, field, b});
  return reg(d);
}

value lowering::permuted(value a, value b, value selector, const std::string& mode) {
  using isa::fermi::permute_mode;
  static const std::map<std::string, permute_mode> modes = {{"", permute_mode::index},   {"f4e", permute_mode::f4e},
                                                            {"b4e", permute_mode::b4e},  {"rc8", permute_mode::rc8},
                                                            {"ecl", permute_mode::ecl},  {"ecr", permute_mode::ecr},
                                                            {"rc16", permute_mode::rc16}};
  const word_ref d = out_.word();
  a = out_.in_register(a);
  b = out_.in_register(b);
  out_.emit(opcode::prmt, d, {a, selector, b}).code.permute = modes.at(mode);
  return reg(d);
}

}  // namespace gt200::ptx::fermi
