// Counting, reversing, extracting, inserting and permuting bits.
#include <map>

#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {

value lowering::count_bits(value a) {
  const word_ref d = out_.word();
  out_.emit(opcode::popc, d, {{}, a});
  return reg(d);
}

// 31 minus the position of the leading one, which is -1 if there is none.
value lowering::count_leading_zeros(value a) { return out_.subtract(imm(31), leading_bit(a, false, false)); }

value lowering::leading_bit(value a, bool is_signed, bool shift_amount) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::flo, d, {{}, a});
  o.code.is_signed = is_signed;
  o.code.shift_amount = shift_amount;
  return reg(d);
}

value lowering::reversed(value a) {
  const word_ref d = out_.word();
  out_.emit(opcode::brev, d, {{}, a});
  return reg(d);
}

// Positions and lengths have eight bits.
value lowering::extracted(value a, value position, value length, bool is_signed) {
  const auto byte = [&](value v) { return out_.logic_of(logic_op::and_, v, imm(255)); };
  const value moved = out_.shift_right(a, byte(position), is_signed);
  const word_ref d = out_.word();
  out_.emit(opcode::sgxt, d, {moved, byte(length)}).code.is_signed = is_signed;
  return reg(d);
}

value lowering::inserted(value a, value b, value position, value length) {
  if (position.is_immediate() && length.is_immediate()) {
    const std::uint32_t first = position.immediate() & 255;
    const std::uint32_t bits = length.immediate() & 255;
    // Upper halves and bytes are moved by a permutation.
    if (first + bits == 32 && first % 8 == 0 && first != 0 && bits != 0) {
      constexpr std::uint32_t selectors[] = {0, 0x2104, 0x1054, 0x0654};
      return permuted(a, b, imm(selectors[first / 8]), "");
    }
  }
  const auto byte = [&](value v) { return out_.logic_of(logic_op::and_, v, imm(255)); };
  const value first = byte(position);
  const value bits = byte(length);
  value mask;
  if (first.is_immediate() && bits.is_immediate()) {
    const std::uint32_t ones = bits.immediate() > 31 ? ~0u : (1u << bits.immediate()) - 1;
    mask = imm(first.immediate() > 31 ? 0 : ones << first.immediate());
  } else {
    const word_ref m = out_.word();
    out_.emit(opcode::bmsk, m, {first, bits});
    mask = reg(m);
  }
  const value moved = out_.shift_left(a, first);
  constexpr auto choose = static_cast<std::uint8_t>((table_of_a & table_of_b) | (table_of_c & ~table_of_b & 0xff));
  return out_.logic3(choose, moved, mask, b);
}

value lowering::permuted(value a, value b, value selector, const std::string& mode) {
  using isa::volta::permute_mode;
  static const std::map<std::string, permute_mode> modes = {{"", permute_mode::index},   {"f4e", permute_mode::f4e},
                                                            {"b4e", permute_mode::b4e},  {"rc8", permute_mode::rc8},
                                                            {"ecl", permute_mode::ecl},  {"ecr", permute_mode::ecr},
                                                            {"rc16", permute_mode::rc16}};
  const word_ref d = out_.word();
  out_.emit(opcode::prmt, d, {a, selector, b}).code.permute = modes.at(mode);
  return reg(d);
}

// The words b:a, shifted.
bool lowering::lower_funnel(const statement& s) {
  if (s.name != "shf") return false;
  operand_count(4, 4);
  const bool right = has("r");
  if (type() != scalar::b32 || (!right && !has("l"))) unsupported("expected .l or .r, and .b32");
  const value low = out_.in_register(source(at(1), scalar::b32));
  const value high = out_.in_register(source(at(2), scalar::b32));
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::shf, d, {low, source(at(3), scalar::u32), high});
  o.code.source_type = isa::volta::number_type::u32;
  o.code.right = right;
  o.code.high = !right;
  o.code.wrap = has("wrap");
  assign(at(0), reg(d));
  return true;
}

bool lowering::lower_masks(const statement& s) {
  const std::string& n = s.name;
  if (n == "fns") {
    operand_count(4, 4);
    call_library("fns_b32");
    return true;
  }
  if (n == "bmsk" || n == "szext") {
    operand_count(3, 3);
    if (!has("wrap") && !has("clamp")) unsupported("expected .clamp or .wrap");
    const value a = out_.in_register(source(at(1), scalar::b32));
    const value b = out_.in_register(source(at(2), scalar::u32));
    const word_ref d = out_.word();
    operation& o = out_.emit(n == "bmsk" ? opcode::bmsk : opcode::sgxt, d, {a, b});
    o.code.wrap = has("wrap");
    o.code.is_signed = n == "szext" && is_signed(type());
    assign(at(0), reg(d));
    return true;
  }
  if (n != "lop3") return false;
  operand_count(5, 5);
  if (type() != scalar::b32 || s.modifiers.size() != 1) unsupported("of lop3 there is .b32");
  if (at(4).kind != operand_kind::integer || at(4).value > 255) unsupported("the table is a number from 0 to 255");
  const value a = out_.in_register(source(at(1), scalar::b32));
  const value b = out_.in_register(source(at(2), scalar::b32));
  assign(at(0),
         out_.logic3(static_cast<std::uint8_t>(at(4).value), a, b, out_.in_register(source(at(3), scalar::b32))));
  return true;
}

// Products of bytes with bytes, or of halves with the lower two bytes: IDP.
bool lowering::lower_products(const statement& s) {
  if (s.name != "dp4a" && s.name != "dp2a") return false;
  operand_count(4, 4);
  const bool is_pair = s.name == "dp2a";
  const std::size_t types_at = is_pair ? 1 : 0;
  if (s.modifiers.size() != types_at + 2 || (is_pair && !has("lo") && !has("hi")))
    unsupported("expected the types of both factors");
  const auto has_sign = [&](std::size_t k) {
    const scalar t = scalar_named(s.modifiers[types_at + k]);
    if (t != scalar::u32 && t != scalar::s32) unsupported("the types are .u32 and .s32");
    return t == scalar::s32;
  };
  const value a = out_.in_register(source(at(1), scalar::b32));
  value b = source(at(2), scalar::b32);
  if (has("hi")) b = out_.shift_right(b, imm(16), false);
  b = out_.in_register(b);
  const value c = out_.in_register(source(at(3), scalar::b32));
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::idp, d, {a, b, c});
  o.code.pair = is_pair;
  o.code.is_signed = has_sign(0);
  o.code.second_signed = has_sign(1);
  assign(at(0), reg(d));
  return true;
}

}  // namespace gt200::ptx::volta
