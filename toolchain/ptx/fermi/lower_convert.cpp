// cvt between all integer and floating-point types.
#include <algorithm>

#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::number_type;
using isa::fermi::opcode;

number_type number_of(scalar t) {
  switch (t) {
    case scalar::f16: return number_type::f16;
    case scalar::f32: return number_type::f32;
    case scalar::f64: return number_type::f64;
    default: break;
  }
  if (bytes_of(t) == 8) return is_signed(t) ? number_type::s64 : number_type::u64;
  return is_signed(t) ? number_type::s32 : number_type::u32;
}

}  // namespace

// Clamps an integer of type `from` to the range of `to`.
lowering::wide lowering::clamped(wide v, scalar from, scalar to) {
  const bool sign = is_signed(from);
  const unsigned bits_from = 8 * bytes_of(from);
  const unsigned bits_to = 8 * bytes_of(to);
  const std::uint64_t largest =
      is_signed(to) ? (std::uint64_t{1} << (bits_to - 1)) - 1 : (std::uint64_t{2} << (bits_to - 1)) - 1;
  const auto bound = [&](unsigned condition, std::uint64_t limit) {
    const wide other = {imm(static_cast<std::uint32_t>(limit)), imm(static_cast<std::uint32_t>(limit >> 32))};
    if (bits_from < 64) {
      v.low = out_.extreme(condition == less, v.low, other.low, sign);
      return;
    }
    const predicate beyond = out_.new_predicate();
    compare_wide(condition, v, other, sign, beyond);
    v = choose_wide(beyond, other, v);
  };
  if (sign && !is_signed(to)) bound(less, 0);
  if (sign && is_signed(to) && bits_to < bits_from) bound(less, ~largest);
  if (bits_to - (is_signed(to) ? 1 : 0) < bits_from - (sign ? 1 : 0)) bound(greater, largest);
  return v;
}

void lowering::convert_integers(scalar to, scalar from, bool saturate) {
  const auto widened = [&](value v) {
    return wide{v, is_signed(from) ? out_.shift_right(v, imm(31), true) : imm(0)};
  };
  if (saturate) {
    const wide v =
        clamped(bytes_of(from) == 8 ? source_wide(at(1), from) : wide{extended(at(1), from), imm(0)}, from, to);
    if (bytes_of(to) < 8) return assign_number(at(0), v.low, to);
    return assign_wide(at(0), bytes_of(from) < 8 ? widened(v.low) : v);
  }
  if (bytes_of(to) == 8)
    return assign_wide(at(0), bytes_of(from) == 8 ? source_wide(at(1), from) : widened(extended(at(1), from)));
  value v = bytes_of(from) <= bytes_of(to) ? extended(at(1), from) : extend(source(at(1), from), to);
  // A register longer than `to` gets the number of type `to`, which can differ from the number of type `from`.
  const bool another = is_signed(from) != is_signed(to) && (is_signed(from) || bytes_of(from) == bytes_of(to));
  if (another && at(0).name != "_" && bytes_of(register_named(at(0)).type) > bytes_of(to)) v = extend(v, to);
  assign_number(at(0), v, to);
}

bool lowering::lower_convert(const statement& s) {
  if (s.name != "cvt") return false;
  operand_count(2, 2);
  const scalar from = type();
  const scalar to = type(1);
  const bool sat = has("sat");
  if (!is_float(from) && !is_float(to)) {
    convert_integers(to, from, sat);
    return true;
  }
  isa::fermi::rounding round = isa::fermi::rounding::nearest;
  bool integral = false;
  for (const std::string& m : s.modifiers) {
    if (m == "rz" || m == "rzi") round = isa::fermi::rounding::zero;
    if (m == "rm" || m == "rmi") round = isa::fermi::rounding::minus;
    if (m == "rp" || m == "rpi") round = isa::fermi::rounding::plus;
    if (m.size() == 3 && m[0] == 'r' && m[2] == 'i') integral = true;
  }
  if (from == scalar::f64 && to == scalar::f16) {
    if (round == isa::fermi::rounding::minus || round == isa::fermi::rounding::plus)
      unsupported("only .rn and .rz are supported");
    call_library(round == isa::fermi::rounding::zero ? "cvt_rz_f16_f64" : "cvt_rn_f16_f64");
    return true;
  }
  if (from == scalar::f16 && to == scalar::f64) {
    const word_ref single = out_.word();
    operation& o = out_.emit(opcode::f2f, single, {{}, out_.in_register(source(at(1), from))});
    o.code.source_type = number_type::f16;
    o.code.destination_type = number_type::f32;
    const word_ref d = out_.tuple(2);
    operation& p = out_.emit(opcode::f2f, d, {{}, reg(single)}, 2);
    p.code.source_type = number_type::f32;
    p.code.destination_type = number_type::f64;
    p.code.saturate = sat;
    assign_pair(at(0), d);
    return true;
  }
  const bool wide_from = bytes_of(from) == 8;
  const bool wide_to = bytes_of(to) == 8;
  const opcode op = !is_float(from) ? opcode::i2f : is_float(to) ? opcode::f2f : opcode::f2i;
  value v = wide_from ? pair_source(at(1), from) : is_float(from) ? source(at(1), from) : extended(at(1), from);
  if (wide_from || from == scalar::f16) {
    v = v.is_register() ? v : v.code.words == 2 ? in_pair(v) : out_.in_register(v);
  }
  const word_ref d = out_.tuple(wide_to ? 2 : 1);
  operation& o = out_.emit(op, d, {{}, v}, wide_to ? 2 : 1);
  o.code.source_type = number_of(from);
  o.code.destination_type = number_of(to);
  o.code.ftz = op != opcode::i2f && (from == scalar::f32 || to == scalar::f32) && flushes();
  // Between equal formats only an integral rounding changes anything; to a wider one nothing is rounded.
  o.code.integral_round = integral && op == opcode::f2f && from == to;
  const bool rounds = op != opcode::f2f || (from == to ? integral : bytes_of(to) < bytes_of(from));
  o.code.round = rounds ? round : isa::fermi::rounding::nearest;
  o.code.saturate = sat && op == opcode::f2f;
  if (op == opcode::f2i && bytes_of(to) < 4) {
    const scalar whole = is_signed(to) ? scalar::s32 : scalar::u32;
    assign_number(at(0), clamped({reg(d), imm(0)}, whole, to).low, to);
  } else if (op == opcode::i2f && sat) {
    const word_ref limited = out_.tuple(wide_to ? 2 : 1);
    operation& l = out_.emit(opcode::f2f, limited, {{}, reg(d, wide_to ? 2 : 1)}, wide_to ? 2 : 1);
    l.code.source_type = l.code.destination_type = number_of(to);
    l.code.saturate = true;
    assign_pair_or_word(at(0), limited, wide_to);
  } else {
    assign_pair_or_word(at(0), d, wide_to);
  }
  return true;
}

}  // namespace gt200::ptx::fermi
