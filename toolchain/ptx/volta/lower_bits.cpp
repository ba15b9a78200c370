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

}  // namespace gt200::ptx::volta
