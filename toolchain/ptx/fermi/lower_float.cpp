// Special functions and conversions.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::number_type;

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

value lowering::function_of(mufu_function which, value v) {
  const word_ref d = out_.word();
  out_.emit(opcode::mufu, d, {out_.in_register(v)}).code.function = which;
  return reg(d);
}

value lowering::special_function(mufu_function which, value v, bool saturate) {
  if (which == mufu_function::sin || which == mufu_function::cos || which == mufu_function::ex2) {
    const word_ref reduced = out_.word();
    out_.emit(opcode::rro, reduced, {{}, v}).code.range_of_ex2 = which == mufu_function::ex2;
    v = reg(reduced);
  }
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::mufu, d, {out_.in_register(v)});
  o.code.function = which;
  o.code.saturate = saturate;
  return reg(d);
}

word_ref lowering::extreme_double(bool maximum, value a, value b) {
  const word_ref d = out_.tuple(2);
  out_.emit(opcode::dmnmx, d, {a, b}, 2).code.predicate_source[predicate_slot].negate = maximum;
  return d;
}

word_ref lowering::convert(value v, scalar to, scalar from, rounding round, bool integral, bool saturate) {
  const auto words = static_cast<std::uint8_t>(bytes_of(to) == 8 ? 2 : 1);
  const opcode op = !is_float(from) ? opcode::i2f : is_float(to) ? opcode::f2f : opcode::f2i;
  const word_ref d = out_.tuple(words);
  operation& o = out_.emit(op, d, {{}, v}, words);
  o.code.source_type = number_of(from);
  o.code.destination_type = number_of(to);
  o.code.ftz = op != opcode::i2f && (from == scalar::f32 || to == scalar::f32) && flushes();
  // Between equal formats only an integral rounding changes anything; to a wider one nothing is rounded.
  o.code.integral_round = integral && op == opcode::f2f && from == to;
  const bool rounds = op != opcode::f2f || (from == to ? integral : bytes_of(to) < bytes_of(from));
  o.code.round = rounds ? round : rounding::nearest;
  o.code.saturate = saturate && op == opcode::f2f;
  if (op != opcode::i2f || !saturate) return d;
  const word_ref limited = out_.tuple(words);
  operation& l = out_.emit(opcode::f2f, limited, {{}, reg(d, words)}, words);
  l.code.source_type = l.code.destination_type = number_of(to);
  l.code.saturate = true;
  return limited;
}

}  // namespace gt200::ptx::fermi
