// Counting, reversing, extracting, inserting and permuting bits.
#include <map>

#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::fermi::opcode;

// As bfe and bfi of the hardware want it: position in bits 0 to 7, length in bits 8 to 15.
value lowering::packed_field(const operand& position, const operand& length) {
  const value p = source(position, scalar::u32);
  const value n = source(length, scalar::u32);
  if (p.is_immediate() && n.is_immediate()) return imm((p.immediate() & 0xff) | (n.immediate() & 0xff) << 8);
  const word_ref d = out_.word();
  constexpr std::uint32_t low_bytes = 0x0040;  // byte 0 of the first, byte 0 of the second
  out_.emit(opcode::prmt, d, {out_.in_register(p), imm(low_bytes), out_.in_register(n)});
  return reg(d);
}

bool lowering::lower_bits(const statement& s) {
  static const std::map<std::string, std::size_t> operands = {{"popc", 2}, {"clz", 2},  {"brev", 2}, {"bfe", 4},
                                                              {"bfi", 5},  {"prmt", 4}, {"bfind", 2}};
  const auto known = operands.find(s.name);
  if (known == operands.end()) return false;
  operand_count(known->second, known->second);
  const scalar t = type();
  if (is_float(t) || bytes_of(t) < 4 || t == scalar::pred) unsupported("the type must have 32 or 64 bits");
  if (bytes_of(t) == 8) {
    if (s.name == "bfind") unsupported("the type must have 32 bits");
    call_library(s.name + (s.name != "bfe" ? "_b64" : is_signed(t) ? "_s64" : "_u64"));
    return true;
  }
  const word_ref d = out_.word();
  const value a = out_.in_register(source(at(1), t));
  if (s.name == "popc") {
    out_.emit(opcode::popc, d, {a, imm(0xffffffff)});
  } else if (s.name == "clz") {
    const word_ref position = out_.word();
    out_.emit(opcode::flo, position, {{}, a}).code.shift_amount = true;
    operation& o = out_.emit(opcode::imnmx, d, {reg(position), imm(32)});  // nothing found: 0xffffffff
    o.code.is_signed = false;
  } else if (s.name == "bfind") {
    operation& o = out_.emit(opcode::flo, d, {{}, a});
    o.code.is_signed = is_signed(t);
    o.code.shift_amount = has("shiftamt");
  } else if (s.name == "brev") {
    out_.emit(opcode::bfe, d, {a, imm(32u << 8)}).code.reverse = true;
  } else if (s.name == "bfe") {
    const value f = packed_field(at(2), at(3));
    out_.emit(opcode::bfe, d, {a, f}).code.is_signed = is_signed(t);
  } else if (s.name == "bfi") {
    const value b = out_.in_register(source(at(2), t));
    const value f = packed_field(at(3), at(4));
    out_.emit(opcode::bfi, d, {a, f, b});
  } else {
    static const std::map<std::string, isa::fermi::permute_mode> modes = {
        {"f4e", isa::fermi::permute_mode::f4e}, {"b4e", isa::fermi::permute_mode::b4e},
        {"rc8", isa::fermi::permute_mode::rc8}, {"ecl", isa::fermi::permute_mode::ecl},
        {"ecr", isa::fermi::permute_mode::ecr}, {"rc16", isa::fermi::permute_mode::rc16}};
    const value b = out_.in_register(source(at(2), t));
    operation& o = out_.emit(opcode::prmt, d, {a, source(at(3), t), b});
    for (const auto& [name, mode] : modes)
      if (has(name.c_str())) o.code.permute = mode;
  }
  assign(at(0), reg(d));
  return true;
}

}  // namespace gt200::ptx::fermi
