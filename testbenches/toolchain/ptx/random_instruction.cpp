#include "testbenches/toolchain/ptx/random_instruction.h"

#include "testbenches/toolchain/ptx/random_program.h"

namespace gt200::ptx {

void random_instruction::instruction() {
  if (is_fermi_ && chance(20)) return fermi_instruction();
  switch (pick(12)) {
    case 0:
    case 1: return integer32();
    case 2: return integer16();
    case 3: return integer64();
    case 4: return float32();
    case 5: return float64();
    case 6: return comparison();
    case 7: return selection();
    case 8: return conversion();
    case 9:
    case 10: return memory();
    default: return bits();
  }
}

// What sm_20 has and sm_13 has not.
void random_instruction::fermi_instruction() {
  const std::string ftz = one_of("", "", ".ftz");
  const std::string round = one_of("rn", "rz", "rm", "rp");
  switch (pick(16)) {
    case 0: return line("{}.{}{}.f32 {}, {}, {}", one_of("add", "sub", "mul"), round, ftz, flt(), flt(), flt());
    case 1: return line("fma.{}{}.f32 {}, {}, {}, {}", round, ftz, flt(), flt(), float_or_number(), flt());
    case 2: return line("{}.rn{}.f32 {}, {}", one_of("sqrt", "rcp"), ftz, flt(), flt());
    case 3: return line("div.rn{}.f32 {}, {}, {}", ftz, flt(), flt(), float_or_number());
    case 4: return line("{}{}.f32 {}, {}, {}", one_of("min", "max"), ftz, flt(), flt(), flt());
    case 5: return line("setp.{}{}.f32 {}, {}, {}", one_of("lt", "geu", "eq", "num"), ftz, flag(), flt(), flt());
    case 6: return line("cvt.{}{}.{}.f32 {}, {}", one_of("rni", "rzi", "rmi"), ftz, sign(32), word(), flt());
    case 7: return line("fma.{}.f64 {}, {}, {}, {}", round, real(), real(), real(), real());
    case 8: return line("div.rn.f64 {}, {}, {}", real(), real(), real());
    case 9: {
      const unsigned bits = chance(50) ? 32 : 64;
      return line("bfind{}.{} {}, {}", one_of("", ".shiftamt"), sign(bits), word(), bits == 32 ? word() : wide());
    }
    case 10: {
      // A difference too small for a normal number.
      const std::string d = flt();
      line("mul.rn.f32 {}, {}, 0f00800001", d, flt());
      return line("mul.rn.f32 {}, {}, 0f3E99999A", d, d);
    }
    case 11: return generic_access();
    case 12: {
      if (!guard_.empty()) return line("neg.s32 {}, {}", word(), word());
      const std::string op = one_of("add", "sub");
      line("{}.cc.u32 {}, {}, {}", op, word(), word(), word_or_number());
      if (chance(40)) instruction();
      return line("{}c{}.u32 {}, {}, {}", op, one_of("", ".cc"), word(), word(), word_or_number());
    }
    case 13:
      if (chance(50)) return line("atom.shared.add.u64 {}, [%t4+{}], {}", wide(), 8 * pick(2), wide());
      if (chance(50)) return line("atom.shared.exch.b64 {}, [%t4+{}], {}", wide(), 8 * pick(2), wide());
      return line("atom.shared.cas.b64 {}, [%t4+{}], {}, {}", wide(), 8 * pick(2), wide(), wide());
    case 14: return line("atom.shared.add.f32 {}, [%t4+{}], {}", flt(), 4 * pick(4), flt());
    default: return line("{}.ftz.f32 {}, {}, {}", one_of("add", "mul"), flt(), flt(), flt());
  }
}

// Own words of shared memory by their generic addresses.
void random_instruction::generic_access() {
  line("cvt.u64.u32 %a2, %t4");
  line("cvta.shared.u64 %a2, %a2");
  switch (pick(5)) {
    case 0: return line("ld.u32 {}, [%a2+{}]", word(), 4 * pick(4));
    case 1: return line("st.u32 [%a2+{}], {}", 4 * pick(4), word());
    case 2: return line("atom.{}.u32 {}, [%a2+{}], {}", one_of("add", "max", "exch"), word(), 4 * pick(4), word());
    case 3: return line("ld.u32 {}, [%in+{}]", word(), 4 * pick(8));
    default: line("cvta.to.shared.u64 %a2, %a2"); return line("ld.shared.u32 {}, [%a2+{}]", word(), 4 * pick(4));
  }
}

void random_instruction::integer32() {
  const std::string d = word();
  const std::string t = sign(32);
  switch (pick(13)) {
    case 10: return line("bfe.{} {}, {}, {}, {}", t, d, word(), word_or_number(), word_or_number());
    case 11: return line("bfi.b32 {}, {}, {}, {}, {}", d, word(), word(), word_or_number(), word_or_number());
    case 12:
      return line("prmt.b32 {}, {}, {}, {}", d, word(), word(), chance(50) ? word() : std::to_string(pick(65536)));
    case 0: return line("{}.{} {}, {}, {}", one_of("add", "sub", "min", "max"), t, d, word(), word_or_number());
    case 1: return line("mul.{}.{} {}, {}, {}", one_of("lo", "lo", "hi"), t, d, word(), word_or_number());
    case 2: return line("mad.lo.{} {}, {}, {}, {}", t, d, word(), word_or_number(), word_or_number());
    case 3: return line("mul24.{}.{} {}, {}, {}", one_of("lo", "hi"), t, d, word(), word());
    case 4: return line("mad24.lo.{} {}, {}, {}, {}", t, d, word(), word(), word());
    case 5:
      line("or.b32 %t8, {}, {}", word(), 1 + pick(3) * 1000);
      return line("{}.{} {}, {}, %t8", one_of("div", "rem"), t, d, word());
    case 6: return line("sad.{} {}, {}, {}, {}", t, d, word(), word(), word());
    case 7: return line("{}.s32 {}, {}", one_of("abs", "neg"), d, word());
    case 8: return line("{}.sat.s32 {}, {}, {}", one_of("add", "sub"), d, word(), word());
    default: return line("mul.wide.{} {}, {}, {}", sign(16), d, half(), half());
  }
}

void random_instruction::integer16() {
  const std::string d = half();
  const std::string t = sign(16);
  switch (pick(6)) {
    case 0: return line("{}.{} {}, {}, {}", one_of("add", "sub", "min", "max"), t, d, half(), half());
    case 1: return line("mul.{}.{} {}, {}, {}", one_of("lo", "hi"), t, d, half(), half());
    case 2: return line("mad.lo.{} {}, {}, {}, {}", t, d, half(), half(), half());
    case 3: return line("{}.b16 {}, {}, {}", one_of("and", "or", "xor"), d, half(), half());
    case 4: return line("{} {}, {}, {}", one_of("shl.b16", "shr." + t), d, half(), pick(20));
    default:
      line("or.b16 %h3, {}, 5", half());
      return line("{}.{} {}, {}, %h3", one_of("div", "rem"), t, d, half());
  }
}

void random_instruction::integer64() {
  const std::string d = wide();
  const std::string t = sign(64);
  switch (pick(15)) {
    case 13:
    case 14: return difference64();
    case 9:
      line("or.b64 %a1, {}, {}", wide(), 1 + pick(3) * 1000);
      return line("{}.{} {}, {}, %a1", one_of("div", "rem"), t, d, wide());
    case 10: return line("mul.hi.{} {}, {}, {}", t, d, wide(), wide());
    case 11: return line("bfe.{} {}, {}, {}, {}", t, d, wide(), word(), word());
    case 12: return line("bfi.b64 {}, {}, {}, {}, {}", d, wide(), wide(), word(), word());
    case 0: return line("{}.{} {}, {}, {}", one_of("add", "sub", "min", "max"), t, d, wide(), wide());
    case 1: return line("mul.lo.{} {}, {}, {}", t, d, wide(), wide());
    case 2: return line("mul.wide.{} {}, {}, {}", sign(32), d, word(), word_or_number());
    case 3: return line("mad.wide.{} {}, {}, {}, {}", sign(32), d, word(), word(), wide());
    case 4: return line("{}.b64 {}, {}, {}", one_of("and", "or", "xor"), d, wide(), wide());
    case 5: return line("shl.b64 {}, {}, {}", d, wide(), amount());
    case 6: return line("shr.{} {}, {}, {}", t, d, wide(), amount());
    case 7: return line("{} {}, {}", one_of("not.b64", "neg.s64", "abs.s64"), d, wide());
    default: return line("add.{} {}, {}, {}", t, d, wide(), static_cast<std::int32_t>(number()));
  }
}

// Of a number whose lower word is a known 0, from which nothing is borrowed. It is in a register of its own: passes
// know the words of pairs that are written once.
void random_instruction::difference64() {
  const std::string t = sign(64);
  const std::string known = fmt::format("%k{}", known_++ % known_pairs);
  const unsigned shift = 32 + pick(32);
  const std::uint64_t upper = std::uint64_t{number()} << 32;
  switch (pick(guard_.empty() ? 6 : 4)) {
    case 0:
      line("shl.b64 {}, {}, {}", known, wide(), shift);
      return line("sub.{} {}, {}, {}", t, wide(), wide(), known);
    case 1: line("shl.b64 {}, {}, {}", known, wide(), shift); return line("neg.s64 {}, {}", wide(), known);
    case 2: line("mov.u64 {}, {}", known, upper); return line("sub.{} {}, {}, {}", t, wide(), wide(), known);
    case 3: return line("sub.{} {}, {}, {}", t, wide(), wide(), upper);
    default:
      line("mov.u32 %t8, 0");
      line("sub.cc.u32 {}, {}, {}", word(), word(), one_of("0", "%t8"));
      return line("subc.u32 {}, {}, {}", word(), word(), word_or_number());
  }
}

std::string random_instruction::amount() {
  if (chance(60)) return fmt::format("{}", pick(70));
  line("and.b32 %t8, {}, 127", word());
  return "%t8";
}

void random_instruction::float32() {
  const std::string d = flt();
  switch (pick(8)) {
    case 5: return line("div.rn.f32 {}, {}, {}", d, flt(), float_or_number());
    case 6: return line("{}.rn.f32 {}, {}", one_of("sqrt", "rcp"), d, flt());
    case 7: return line("fma.rn.f32 {}, {}, {}, {}", d, flt(), float_or_number(), flt());
    case 0: return line("{}.rn.f32 {}, {}, {}", one_of("add", "sub", "mul"), d, flt(), float_or_number());
    case 1: return line("{}.rz.f32 {}, {}, {}", one_of("add", "sub", "mul"), d, flt(), float_or_number());
    case 2: return line("{}.f32 {}, {}, {}", one_of("min", "max"), d, flt(), float_or_number());
    case 3:
      return line("mad{}.f32 {}, {}, {}, {}", is_fermi_ ? ".rn" : "", d, flt(), float_or_number(),
                  float_or_number());
    default: return line("{}.f32 {}, {}", one_of("neg", "abs"), d, flt());
  }
}

void random_instruction::float64() {
  const std::string d = real();
  switch (pick(5)) {
    case 4:
      line("abs.f64 {}, {}", d, real());
      line("add.rn.f64 {}, {}, 0d3FF0000000000000", d, d);
      return line("{}.rn.f64 {}, {}", one_of("sqrt", "rcp"), d, d);
    case 0:
      return line("{}.{}.f64 {}, {}, {}", one_of("add", "sub", "mul"), one_of("rn", "rz", "rm", "rp"), d, real(),
                  real());
    case 1: return line("fma.{}.f64 {}, {}, {}, {}", one_of("rn", "rz"), d, real(), real(), real());
    case 2: return line("cvt.rn.f64.s32 {}, {}", d, word());
    default: return line("{}.f64 {}, {}", one_of("neg", "abs"), d, real());
  }
}

void random_instruction::comparison() {
  const std::string joined = chance(30) ? one_of(".and", ".or", ".xor") : "";
  const std::string with = joined.empty() ? "" : fmt::format(", {}{}", one_of("", "!"), flag());
  const std::string to = chance(20) ? "%p0|%p1" : flag();
  const std::string how = one_of("eq", "ne", "lt", "le", "gt", "ge");
  switch (pick(7)) {
    case 0: return line("setp.{}{}.{} {}, {}, {}{}", how, joined, sign(32), to, word(), word_or_number(), with);
    case 1: return line("setp.{}{}.{} {}, {}, {}{}", how, joined, sign(16), to, half(), half(), with);
    case 2: return line("setp.{}{}.{} {}, {}, {}{}", how, joined, sign(64), to, wide(), wide(), with);
    case 3:
      return line("setp.{}{}{}.f32 {}, {}, {}{}", how, one_of("", "u"), joined, to, flt(), float_or_number(), with);
    case 4: return line("setp.{}{}.f64 {}, {}, {}{}", how, joined, to, real(), real(), with);
    case 5: return line("{}.pred {}, {}, {}", one_of("and", "or", "xor"), flag(), flag(), flag());
    default: return line("not.pred {}, {}", flag(), flag());
  }
}

void random_instruction::selection() {
  switch (pick(6)) {
    case 0: return line("selp.{} {}, {}, {}, {}", sign(32), word(), word_or_number(), word_or_number(), flag());
    case 1: return line("selp.b64 {}, {}, {}, {}", wide(), wide(), wide(), flag());
    case 2: return line("selp.f32 {}, {}, {}, {}", flt(), flt(), float_or_number(), flag());
    case 3: return line("slct.u32.s32 {}, {}, {}, {}", word(), word(), word_or_number(), word());
    case 4: return line("slct.f32.f32 {}, {}, {}, {}", flt(), flt(), flt(), flt());
    default:
      return line("set.{}.{}.{} {}, {}, {}", one_of("lt", "eq", "ge"), one_of("u32", "s32"), sign(32), word(),
                  word(), word());
  }
}

void random_instruction::conversion() {
  switch (pick(12)) {
    case 0: return line("cvt.{}.{} {}, {}", sign(32), sign(8), word(), word());
    case 1: return line("cvt.{}.{} {}, {}", sign(32), sign(16), word(), half());
    case 2: return line("cvt.{}.{} {}, {}", sign(16), sign(32), half(), word());
    case 3: return line("cvt.{}.{} {}, {}", sign(64), sign(32), wide(), word());
    case 4: return line("cvt.{}.{} {}, {}", sign(32), sign(64), word(), wide());
    case 5: return line("cvt.{}.f32.{} {}, {}", one_of("rn", "rz", "rm", "rp"), sign(32), flt(), word());
    case 6: return line("cvt.{}.{}.f32 {}, {}", one_of("rni", "rzi", "rmi", "rpi"), sign(32), word(), flt());
    case 7: return line("cvt.{}.f32.f64 {}, {}", one_of("rn", "rz"), flt(), real());
    case 8: return line("cvt.f64.f32 {}, {}", real(), flt());
    case 9: return line("cvt.{}.{}.f64 {}, {}", one_of("rni", "rzi"), sign(32), word(), real());
    case 10: return line("cvt.{}.f32.f32 {}, {}", one_of("rni", "rzi", "rmi", "rpi"), flt(), flt());
    default: return line("cvt.rn.f32.{} {}, {}", sign(16), flt(), half());
  }
}

void random_instruction::memory() {
  switch (pick(18)) {
    case 15: {
      // One word per operation, so that the order does not matter.
      const unsigned k = pick(counter_words);
      const std::vector<std::string> operations = {"add.u32", "min.s32", "max.u32", "xor.b32"};
      return line("red.global.{} [%count+{}], {}", operations[k], 4 * k, word());
    }
    case 16:
      return line("atom.shared.{}.{} {}, [%t4+{}], {}", one_of("add", "min", "max", "exch"), sign(32), word(),
                  4 * pick(4), word());
    case 17:
      return line("atom.shared.{}.b32 {}, [%t4+{}], {}", one_of("and", "or", "xor"), word(), 4 * pick(4), word());
    case 0: return line("ld.global.{} {}, [%in+{}]", sign(32), word(), 4 * pick(8));
    case 1: return line("ld.global.{} {}, [%in+{}]", sign(8), word(), pick(32));
    case 2: return line("ld.global.{} {}, [%in+{}]", sign(16), half(), 2 * pick(16));
    case 3: return line("ld.const.{} {}, [table+{}]", one_of("u32", "s8", "u8", "s32"), word(), 4 * pick(8));
    case 4:
      line("and.b32 %t8, {}, 28", word());
      line("mov.u32 %t9, table");
      line("add.u32 %t9, %t9, %t8");
      return line("ld.const.u32 {}, [%t9]", word());
    case 5: return line("st.shared.u32 [%t4+{}], {}", 4 * pick(4), word());
    case 6: return line("ld.shared.u32 {}, [%t4+{}]", word(), 4 * pick(4));
    case 7: return line("st.shared.u8 [%t4+{}], {}", pick(16), word());
    case 8: return line("ld.shared.{} {}, [%t4+{}]", sign(8), word(), pick(16));
    case 9: return line("{}.shared.{} {}", "st", "u16", fmt::format("[%t4+{}], {}", 2 * pick(8), half()));
    case 10: return line("ld.shared.{} {}, [%t4+{}]", sign(16), half(), 2 * pick(8));
    case 11: return line("st.local.u32 [stack+{}], {}", 4 * pick(local_words), word());
    case 12:
      line("and.b32 %t8, {}, 12", word());
      line("mov.u32 %t9, stack");
      line("add.u32 %t9, %t9, %t8");
      return line("ld.local.u32 {}, [%t9]", word());
    case 13: return line("ld.shared.v2.u32 {{{}, %t10}}, [%t4+8]", word());
    case 14: return line("st.local.v2.u32 [stack+8], {{{}, {}}}", word(), word());
    default: return line("ld.local.{} {}, [stack+{}]", sign(8), word(), pick(4 * local_words));
  }
}

void random_instruction::bits() {
  switch (pick(8)) {
    case 7:
      if (chance(30)) return line("{}.b64 {}, {}", one_of("popc", "clz"), word(), wide());
      return line("{}.b32 {}, {}", one_of("popc", "clz", "brev"), word(), word());
    case 0:
    case 1: return line("{}.b32 {}, {}, {}", one_of("and", "or", "xor"), word(), word(), word_or_number());
    case 2: return line("shl.b32 {}, {}, {}", word(), word(), amount());
    case 3: return line("shr.{} {}, {}, {}", sign(32), word(), word(), amount());
    case 4: return line("{}.b32 {}, {}", one_of("not", "cnot"), word(), word());
    case 5: return line("mov.b32 {}, {{{}, {}}}", word(), half(), half());
    default: return line("mov.b64 {{{}, %t10}}, {}", word(), wide());
  }
}

}  // namespace gt200::ptx
