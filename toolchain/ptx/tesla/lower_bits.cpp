// Counting, reversing, extracting and inserting bits, with the functions of the library.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

bool lowering::lower_bits(const statement& s) {
  static const std::map<std::string, std::size_t> operands = {{"popc", 2}, {"clz", 2}, {"brev", 2},
                                                              {"bfe", 4},  {"bfi", 5}, {"prmt", 4}};
  const auto known = operands.find(s.name);
  if (known == operands.end()) return false;
  operand_count(known->second, known->second);
  const scalar t = type();
  if (is_float(t) || bytes_of(t) < 4 || t == scalar::pred) unsupported("the type must have 32 or 64 bits");
  const std::string bits = bytes_of(t) == 8 ? "64" : "32";
  if (s.name != "prmt") {
    call_library(s.name + (s.name != "bfe" ? "_b" : is_signed(t) ? "_s" : "_u") + bits);
    return true;
  }
  if (s.modifiers.size() != 1 || bits != "32") unsupported("the modes need sm_20");
  if (at(3).kind != operand_kind::integer) {
    call_library("prmt_b32");
    return true;
  }
  // A constant selector: a shift and a mask per byte.
  value result = imm(0);
  for (std::uint32_t k = 0; k < 4; ++k) {
    const auto select = static_cast<std::uint32_t>(at(3).value >> (4 * k)) & 15;
    value byte = out_.shift_right(source(at((select & 4) != 0 ? 2 : 1), t), imm(8 * (select & 3)), false);
    if ((select & 8) != 0) byte = out_.shift_right(out_.shift_left(byte, imm(24)), imm(31), true);
    byte = out_.logic(isa::tesla::logic_op::and_, byte, imm(0xff));
    byte = out_.shift_left(byte, imm(8 * k));
    result = k == 0 ? byte : out_.logic(isa::tesla::logic_op::or_, result, byte);
  }
  assign(at(0), result);
  return true;
}

}  // namespace gt200::ptx::tesla
