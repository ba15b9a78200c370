// cvt between all integer and floating-point types but .f16.
#include "toolchain/ptx/lowering.h"

namespace gt200::ptx {

using isa::cvt_kind;
using isa::data_type;
using isa::opcode;

lowering::wide lowering::convert_to_wide(value v, scalar from) {
  v = extend(v, from);
  return {v, is_signed(from) ? out_.shift_right(v, imm(31), true) : imm(0)};
}

bool lowering::lower_convert(const statement& s) {
  if (s.name != "cvt") return false;
  operand_count(2, 2);
  const scalar from = type();
  const scalar to = type(1);
  if (from == scalar::f16 || to == scalar::f16) unsupported(".f16 is not supported");
  isa::rounding round = isa::rounding::nearest;
  bool integral = false;
  for (const std::string& m : s.modifiers) {
    if (m == "rz" || m == "rzi") round = isa::rounding::zero;
    if (m == "rm" || m == "rmi") round = isa::rounding::minus;
    if (m == "rp" || m == "rpi") round = isa::rounding::plus;
    if (m.size() == 3 && m[0] == 'r' && m[2] == 'i') integral = true;
  }
  const bool sat = has("sat");
  // Between equal formats there is nothing to round unless to an integral value.
  if (from == to && !integral) round = isa::rounding::nearest;
  if (!is_float(from) && !is_float(to)) {
    if (sat) unsupported("saturating conversions of integers are not supported");
    if (bytes_of(to) == 8) {
      assign_wide(at(0),
                  bytes_of(from) == 8 ? source_wide(at(1), from) : convert_to_wide(source(at(1), from), from));
    } else {
      const value v = bytes_of(from) <= bytes_of(to) ? extended(at(1), from) : extend(source(at(1), from), to);
      assign(at(0), v);
    }
    return true;
  }
  const bool wide_from = bytes_of(from) == 8;
  const bool wide_to = bytes_of(to) == 8;
  value v = wide_from ? pair_of(double_pair(at(1))) : extended(at(1), from);
  if (v.is_immediate()) v = out_.copy(v);
  const word_ref d = out_.tuple(wide_to ? 2 : 1);
  operation& o = out_.emit_wide(opcode::cvt, d, wide_to ? data_type::b64 : data_type::b32, {v});
  o.code.cvt = is_float(from) ? (is_float(to) ? cvt_kind::f2f : cvt_kind::f2i) : cvt_kind::i2f;
  o.code.source_type = wide_from ? data_type::b64 : data_type::b32;
  o.code.destination_type = wide_to ? data_type::b64 : data_type::b32;
  o.code.round = round;
  o.code.source_signed[0] = is_signed(from);
  o.code.is_signed = is_signed(to);
  o.code.integral_round = integral && is_float(to);
  o.code.saturate = sat;
  if (wide_to)
    assign_wide(at(0), words_of(d));
  else
    assign(at(0), reg(d));
  return true;
}

}  // namespace gt200::ptx
