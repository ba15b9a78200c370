#include "testbenches/toolchain/ptx/second_reading/forms.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gt200::second_reading {
namespace {

// A line: the first target, then instructions. <a|b> stands for either. "=u32" is a result, "u32" a source, "$1"
// and "$2" are the last type of the opcode and the one before it. Behind "~" stands where the values come from.
constexpr const char* grammar = R"(
13 <add|sub|min|max>.<u16|u32|u64|s16|s32|s64> =$1, $1, $1
13 <add|sub>.sat.s32 =s32, s32, s32
13 mul.<lo|hi>.<u16|u32|u64|s16|s32|s64> =$1, $1, $1
13 mad.<lo|hi>.<u16|u32|u64|s16|s32|s64> =$1, $1, $1, $1
13 mad.hi.sat.s32 =s32, s32, s32, s32
13 mul.wide.u16 =u32, u16, u16
13 mul.wide.s16 =s32, s16, s16
13 mul.wide.u32 =u64, u32, u32
13 mul.wide.s32 =s64, s32, s32
13 mad.wide.u16 =u32, u16, u16, u32
13 mad.wide.s16 =s32, s16, s16, s32
13 mad.wide.u32 =u64, u32, u32, u64
13 mad.wide.s32 =s64, s32, s32, s64
13 mul24.<lo|hi>.<u32|s32> =$1, $1, $1
13 mad24.<lo|hi>.<u32|s32> =$1, $1, $1, $1
13 mad24.hi.sat.s32 =s32, s32, s32, s32
13 sad.<u16|u32|u64|s16|s32|s64> =$1, $1, $1, $1
13 <div|rem>.<u16|u32|u64|s16|s32|s64> =$1, $1, $1~divisor
13 <abs|neg>.<s16|s32|s64> =$1, $1
13 add.cc.u32 =u32, u32, u32; addc.u32 =u32, u32, u32
13 sub.cc.u32 =u32, u32, u32; subc.u32 =u32, u32, u32
20 add.cc.u32 =u32, u32, u32; addc.cc.u32 =u32, u32, u32; addc.u32 =u32, u32, u32
20 mad.lo.cc.u32 =u32, u32, u32, u32; madc.hi.u32 =u32, u32, u32, u32
20 mad.hi.cc.s32 =s32, s32, s32, s32; madc.lo.s32 =s32, s32, s32, s32
13 add.cc.<u64|s64> =$1, $1, $1; addc.<u64|s64> =$1, $1, $1
13 sub.cc.u64 =u64, u64, u64; subc.s64 =s64, s64, s64
20 add.cc.u64 =u64, u64, u64; addc.cc.u64 =u64, u64, u64; addc.u64 =u64, u64, u64; addc.u32 =u32, u32, u32
20 sub.cc.u32 =u32, u32, u32; subc.cc.u64 =u64, u64, u64; subc.u64 =u64, u64, u64
20 mad.<lo|hi>.cc.u64 =u64, u64, u64, u64; madc.hi.u64 =u64, u64, u64, u64
20 mad.<lo|hi>.cc.s64 =s64, s64, s64, s64; madc.lo.cc.s64 =s64, s64, s64, s64; addc.u32 =u32, u32, u32
13 <popc|clz>.<b32|b64> =u32, $1
13 brev.<b32|b64> =$1, $1
20 bfind<|.shiftamt>.<u32|s32|u64|s64> =u32, $1
13 bfe.<u32|s32|u64|s64> =$1, $1, u32~count, u32~count
13 bfi.<b32|b64> =$1, $1, $1, u32~count, u32~count
13 prmt.b32 =b32, b32, b32, b32
20 prmt.b32.<f4e|b4e|rc8|ecl|ecr|rc16> =b32, b32, b32, b32
13 <and|or|xor>.<b16|b32|b64|pred> =$1, $1, $1
13 not.<b16|b32|b64|pred> =$1, $1
13 cnot.<b16|b32|b64> =$1, $1
13 shl.<b16|b32|b64> =$1, $1, u32~count
13 shr.<b16|b32|b64|u16|u32|u64|s16|s32|s64> =$1, $1, u32~count
70 shf.<l|r>.<clamp|wrap>.b32 =b32, b32, b32, u32~count
70 lop3.b32 =b32, b32, b32, b32, <0x00|0x96|0xe8|0xca|27|128|0xfe|255>
70 lop3.<and|or>.b32 =b32|=pred, b32, b32, b32, <0x96|0x80|0xfe>, pred
70 lop3.and.b32 _|=pred, b32, b32, b32, 0x80, pred
70 fns.b32 =b32, b32, b32~count, s32~count
70 bmsk.<clamp|wrap>.b32 =b32, b32~count, b32~count
70 szext.<clamp|wrap>.<u32|s32> =$1, $1, u32~count
70 dp4a.u32.u32 =u32, u32, u32, u32
70 dp4a.<u32.s32|s32.u32|s32.s32> =s32, b32, b32, s32
70 dp2a.<lo|hi>.u32.u32 =u32, u32, u32, u32
70 dp2a.<lo|hi>.<u32.s32|s32.u32|s32.s32> =s32, b32, b32, s32
13 mov.<b16|b32|b64|u16|u32|u64|s16|s32|s64> =$1, $1
13 mov.f32 =f32, f32
13 mov.f64 =f64, f64
13 mov.pred =pred, pred
13 mov.b32 =b32, {u16, u16}
13 mov.b64 =b64, {u32, u32}
13 mov.b64 =b64, {u16, u16, u16, u16}
13 mov.b32 {=u16, =u16}, b32
13 mov.b64 {=u32, =u32}, b64
13 mov.b64 {=u16, =u16, =u16, =u16}, b64
13 selp.<b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64> =$1, $1, $1, pred
13 slct.<b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64>.<s32|f32> =$2, $2, $2, $1
13 setp.<eq|ne|lt|le|gt|ge>.<u16|u32|u64|s16|s32|s64> =pred, $1, $1
13 setp.<eq|ne>.<b16|b32|b64> =pred, $1, $1
13 setp.<lo|ls|hi|hs>.<u16|u32|u64> =pred, $1, $1
13 setp.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan>.<f32|f64> =pred, $1, $1
20 setp.<lt|geu>.ftz.f32 =pred, f32, f32
13 setp.<lt|ne>.<and|or|xor>.<s16|u32|s64|f32|f64> =pred, $1, $1, pred
13 setp.<gt|eq>.<s32|u64|f32|f64> =pred|=pred, $1, $1
13 setp.le.<and|or|xor>.<s32|u64|f32|f64> =pred|=pred, $1, $1, pred
13 set.<lt|ge>.<u32|s32|f32>.<s16|u32|s32|u64|s64|f32|f64> =$2, $1, $1
13 set.ne.<and|or|xor>.<u32|f32>.<s32|f32|f64> =$2, $1, $1, pred
13 cvt.<u8|u16|u32|u64|s8|s16|s32|s64>.<u8|u16|u32|u64|s8|s16|s32|s64> =$2, $1
13 cvt.sat.<u8|u16|u32|u64|s8|s16|s32|s64>.<u8|u16|u32|u64|s8|s16|s32|s64> =$2, $1
13 cvt.<rni|rzi|rmi|rpi>.<u8|u16|u32|u64|s8|s16|s32|s64>.<f32|f64> =$2, $1
13 cvt.<rn|rz|rm|rp><|.sat>.f32.<u8|u16|u32|u64|s8|s16|s32|s64> =f32, $1
13 cvt.<rn|rz><|.sat>.f16.<u8|u16|u32|u64|s8|s16|s32|s64> =b16, $1
13 cvt<|.sat>.f64.<u8|u16|u32|s8|s16|s32> =f64, $1
13 cvt.<rn|rz|rm|rp><|.sat>.f64.<u64|s64> =f64, $1
13 cvt<|.ftz><|.sat>.f64.f32 =f64, f32
13 cvt.<rn|rz|rm|rp><|.ftz><|.sat>.f32.f64 =f32, f64
13 cvt.<rni|rzi|rmi|rpi>.ftz.<u32|s32|u64|s64>.f32 =$2, $1
13 cvt.<rni|rzi|rmi|rpi>.<f32.f32|f64.f64> =$1, $1
13 cvt.sat.<f32.f32|f64.f64> =$1, $1
13 cvt.<rn|rz>.f16.<f32|f64> =b16, $1
20 cvt.<rn|rz>.sat.f16.<f32|f64> =b16, $1
13 cvt.<f32|f64>.f16 =$2, b16~half
13 <add|sub|mul>.<f32|f64> =$1, $1, $1
13 <add|sub|mul>.<rn|rz>.<f32|f64> =$1, $1, $1
13 <add|sub|mul>.<rm|rp>.f64 =f64, f64, f64
20 <add|sub|mul>.<rn|rz|rm|rp><|.ftz><|.sat>.f32 =f32, f32, f32
13 <mad|fma>.<rn|rz|rm|rp>.f64 =f64, f64, f64, f64
20 <mad|fma>.<rn|rz|rm|rp><|.ftz><|.sat>.f32 =f32, f32, f32, f32
13 <min|max>.<f32|f64> =$1, $1, $1
20 <min|max>.ftz.f32 =f32, f32, f32
13 <neg|abs>.<f32|f64> =$1, $1
13 <neg|abs>.ftz.f32 =f32, f32
20 copysign.<f32|f64> =$1, $1, $1
20 testp.<finite|infinite|number|notanumber|normal|subnormal>.<f32|f64> =pred, $1
13 div.rn.<f32|f64> =$1, $1, $1
13 <rcp|sqrt>.rn.<f32|f64> =$1, $1
20 div.<rn|rz|rm|rp><|.ftz>.f32 =f32, f32, f32
20 <rcp|sqrt>.<rn|rz|rm|rp><|.ftz>.f32 =f32, f32
20 div.<rz|rm|rp>.f64 =f64, f64, f64
20 <rcp|sqrt>.<rz|rm|rp>.f64 =f64, f64
70 <add|sub|mul><|.rn><|.ftz><|.sat>.f16 =b16~half, b16~half, b16~half
70 <add|sub|mul><|.ftz><|.sat>.f16x2 =b32~half, b32~half, b32~half
70 set.<lt|geu|num>.<u16|s32|f32>.f16 =$2, b16~half, b16~half
70 set.ne.<and|or|xor>.u32.f16 =u32, b16~half, b16~half, pred
70 set.<lt|geu|num>.ftz.u32.f16 =u32, b16~half, b16~half
70 setp.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan><|.ftz>.f16 =pred, b16~half, b16~half
70 setp.<eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan><|.ftz>.f16x2 =pred|=pred, b32~half, b32~half
70 fma.rn<|.ftz><|.sat>.f16 =b16~half, b16~half, b16~half, b16~half
70 fma.rn<|.ftz><|.sat>.f16x2 =b32~half, b32~half, b32~half, b32~half
70 <neg|abs>.f16 =b16~half, b16~half
70 <neg|abs>.f16x2 =b32~half, b32~half
13 vote.<all|any|uni>.pred =pred, pred
20 vote.ballot.b32 =b32, pred
70 vote.sync.<all|any|uni>.pred =pred, pred, 0xffffffff
70 vote.sync.ballot.b32 =b32, pred, 0xffffffff
70 shfl.sync.<up|down|bfly|idx>.b32 =b32, b32, u32~count, <0|31|0x1c1f>, 0xffffffff
70 shfl.sync.<up|down|bfly|idx>.b32 =b32|=pred, b32, u32~count, <0|0x181f>, -1
70 match.any.sync.<b32|b64> =b32, $1~count, 0xffffffff
70 match.all.sync.<b32|b64> =b32|=pred, $1~count, 0xffffffff
70 match.any.sync.b64 =b32, b64~upper, 0xffffffff
70 match.all.sync.b64 =b32|=pred, b64~upper, 0xffffffff
70 activemask.b32 =b32
20 <vadd|vsub|vabsdiff|vmin|vmax>.<u32|s32>.<u32|s32>.<u32|s32><|.sat> =b32, b32, b32
20 <vadd|vsub|vabsdiff|vmin|vmax>.<u32|s32>.<u32|s32>.s32<|.sat>.<add|min|max> =b32, b32, b32, b32
20 <vadd|vsub|vabsdiff|vmin|vmax>.<u32|s32>.s32.u32<|.sat> =b32, b32.b2, b32.h1
20 <vadd|vabsdiff|vmax>.<u32|s32>.s32.u32<|.sat> =b32.<b0|b2|h0|h1>, b32.b3, b32.h0, b32
20 vset.<u32|s32>.<u32|s32>.<eq|ne|lt|le|gt|ge> =b32, b32.b1, b32
20 vset.s32.u32.<lt|ge>.<add|min|max> =b32, b32, b32.h0, b32
20 <vshl|vshr>.<u32|s32>.<u32|s32>.u32<|.sat>.<clamp|wrap> =b32, b32, b32~count
20 <vshl|vshr>.s32.u32.u32.clamp.add =b32, b32.h1, b32.b0, b32
20 vmad.<u32.u32.u32|s32.s32.s32|s32.u32.s32><|.sat><|.shr7|.shr15> =b32, b32, b32, b32
20 vmad.s32.s32.s32<|.sat>.shr15 =b32, <-|>b32.h1, b32.h0, b32
20 vmad.s32.s32.s32<|.sat>.shr7 =b32, b32.h1, b32.b0, -b32
20 vmad.u32.u32.u32.po =b32, b32.b0, b32.b3, b32
20 vmad.s32.u32.u32<|.shr7|.shr15> =b32, -b32, b32, b32
20 vmad.s32.u32.u32.shr7 =b32, b32, -b32, b32
70 <vadd|vsub|vavrg|vabsdiff|vmin|vmax><2|4>.<u32|s32>.<u32|s32>.<u32|s32><|.sat> =b32, b32, b32, b32
70 <vadd|vsub|vavrg|vabsdiff|vmin|vmax><2|4>.<u32|s32>.s32.u32.add =b32, b32, b32, b32
70 <vadd|vavrg|vmin>4.s32.u32.s32<|.sat> =b32.<b0|b31|b3210>, b32.b0123, b32.b7742, b32
70 <vsub|vabsdiff>2.u32.s32.s32<|.sat> =b32.<h0|h1|h10>, b32.h03, b32.h20, b32
70 vset<2|4>.<u32|s32>.<u32|s32>.<eq|ne|lt|le|gt|ge><|.add> =b32, b32, b32, b32
70 vset4.s32.s32.<lt|ge><|.add> =b32.b210, b32.b4321, b32, b32
70 vset2.u32.s32.<eq|le><|.add> =b32.h1, b32, b32.h02, b32
)";

// All texts of a line: the last < > first, so that those before it stay in place.
void expand(const std::string& text, std::vector<std::string>& into) {
  const std::size_t open = text.find('<');
  if (open == std::string::npos) {
    into.push_back(text);
    return;
  }
  const std::size_t close = text.find('>', open);
  std::stringstream choices(text.substr(open + 1, close - open - 1) + "|");
  std::string choice;
  while (std::getline(choices, choice, '|')) expand(text.substr(0, open) + choice + text.substr(close + 1), into);
}

value_class class_of(const std::string& given, number_type t) {
  if (given == "count") return value_class::count;
  if (given == "divisor") return value_class::divisor;
  if (given == "half") return value_class::half;
  if (given == "upper") return value_class::upper;
  if (t.kind != 'f') return value_class::integer;
  return t.bits == 64 ? value_class::f64 : value_class::f32;
}

form made(unsigned least, const std::string& text) {
  form f;
  f.least = least;
  f.pieces.emplace_back();
  std::string last;
  std::string before;
  std::size_t at = 0;
  bool in_opcode = true;
  while (at < text.size()) {
    const std::size_t start = at;
    while (at < text.size() && std::string(" ,{}|;").find(text[at]) == std::string::npos) ++at;
    std::string word = text.substr(start, at - start);
    if (in_opcode && !word.empty()) {
      std::stringstream parts(word);
      std::string part;
      last.clear();
      while (std::getline(parts, part, '.'))
        if (part != word.substr(0, part.size()) && (type_named(part).bits != 0 || part == "f16"))
          before = last, last = part;
      if (f.name.empty()) f.name = word;
      f.pieces.back() += word;
      in_opcode = false;
    } else if (!word.empty()) {
      slot s;
      s.is_result = word[0] == '=';
      if (s.is_result) word = word.substr(1);
      const std::size_t sign = word[0] == '-' ? 1 : 0;
      if (sign == 1 && word.size() > 1 && (word[1] < '0' || word[1] > '9')) {
        f.pieces.back() += '-';
        word = word.substr(1);
      }
      const std::size_t mark = word.find('~');
      const std::string given = mark == std::string::npos ? "" : word.substr(mark + 1);
      word = word.substr(0, mark);
      const std::size_t dot = word.find('.');
      const std::string part = dot == std::string::npos ? "" : word.substr(dot);
      word = word.substr(0, dot);
      s.type = type_named(word == "$1" ? last : word == "$2" ? before : word);
      if (s.type.bits == 0) {
        f.pieces.back() += word + part;
      } else {
        if (s.type.bits == 8) s.type.bits = 32;
        s.values = class_of(given, s.type);
        f.slots.push_back(s);
        f.pieces.push_back(part);
      }
    }
    if (at == text.size()) break;
    if (text[at] == ';') in_opcode = true;
    f.pieces.back() += text[at++];
  }
  f.pieces.back() += ";";
  return f;
}

std::string joined(const form& f, const std::vector<std::string>& operands) {
  std::string text = f.pieces[0];
  for (std::size_t k = 0; k < f.slots.size(); ++k) text += operands[k] + f.pieces[k + 1];
  return text;
}

std::string number_for(const slot& s, std::size_t turn) {
  static constexpr std::array<const char*, 13> integers = {
      "5",          "-3", "0x7fffffff", "017",      "0b1011",    "0xff80U",           "-2147483648",
      "(3 << 4)|1", "~7", "-(5+2)*3",   "100 %7-1", "WARP_SZ/2", "(2 > 1) ? 0x55 : 4"};
  static constexpr std::array<const char*, 5> counts = {"3", "0", "31", "33", "0x10"};
  static constexpr std::array<const char*, 4> divisors = {"7", "-3", "16", "0x7fff"};
  static constexpr std::array<const char*, 5> singles = {"0f40490FDB", "0fBF800000", "1.5", "-2.0/4.0",
                                                         "0d3FE0000000000000"};
  static constexpr std::array<const char*, 4> doubles = {"0d400921FB54442D18", "2.5", "-0.75e1", "0f3F800000"};
  static constexpr std::array<const char*, 3> halves = {"0x3C00", "0xB800", "0x0400"};
  if (s.type.kind == 'p') return turn % 3 == 0 ? "1" : turn % 3 == 1 ? "0" : "!0";
  switch (s.values) {
    case value_class::count: return counts[turn % counts.size()];
    case value_class::divisor: return divisors[turn % (s.type.kind == 's' ? 4 : 1)];
    case value_class::f32: return singles[turn % singles.size()];
    case value_class::f64: return doubles[turn % doubles.size()];
    case value_class::half: return halves[turn % halves.size()];
    default: return integers[turn % integers.size()];
  }
}

}  // namespace

std::vector<form> all_forms() {
  std::vector<form> forms;
  std::stringstream lines(grammar);
  if (const char* file = std::getenv("GT200_FORMS")) {
    lines.str("");
    lines << std::ifstream(file).rdbuf();
  }
  std::string line;
  while (std::getline(lines, line)) {
    if (line.empty()) continue;
    std::vector<std::string> texts;
    expand(line.substr(3), texts);
    for (const std::string& text : texts)
      forms.push_back(made(static_cast<unsigned>(std::stoul(line.substr(0, 2))), text));
  }
  return forms;
}

std::string register_of(const form& f, std::size_t k) {
  return (f.slots[k].is_result ? "%d" : "%s") + std::to_string(k);
}

bool has_element(const form& f, std::size_t k) { return !f.slots[k].is_result && f.slots[k].type.kind != 'p'; }
std::string element_of(std::size_t k) { return "%v" + std::to_string(k) + ".y"; }

std::vector<variant> variants_of(const form& f, std::size_t index) {
  std::vector<std::string> plain;
  std::size_t first_result = f.slots.size();
  for (std::size_t k = 0; k < f.slots.size(); ++k) {
    plain.push_back(register_of(f, k));
    if (f.slots[k].is_result && first_result == f.slots.size()) first_result = k;
  }
  std::vector<variant> all;
  const auto add = [&](const std::vector<std::string>& operands, const std::string& guard = "", int copied = -1) {
    const std::string text = joined(f, operands);
    std::string guarded;
    std::stringstream parts(text);
    std::string part;
    while (std::getline(parts, part, ';')) {
      const std::size_t start = part.find_first_not_of(' ');
      guarded += guard + part.substr(start) + "; ";
    }
    all.push_back({guarded, copied, guarded});
  };
  add(plain);
  const bool has_carry = f.name.find(".cc") != std::string::npos;
  // All threads that the mask names execute a .sync form.
  if ((!has_carry || f.least >= 20) && f.name.find(".sync") == std::string::npos) {
    add(plain, "@%guard ");
    add(plain, "@!%guard ");
  }
  std::vector<std::string> elements = plain;
  for (std::size_t k = 0; k < f.slots.size(); ++k)
    if (has_element(f, k)) elements[k] = element_of(k);
  if (elements != plain) add(elements);
  std::vector<std::string> numbers = plain;
  bool special_done = false;
  for (std::size_t k = 0; k < f.slots.size(); ++k) {
    const slot& s = f.slots[k];
    if (s.is_result) continue;
    const std::string behind = f.pieces[k + 1];
    const bool is_part = !behind.empty() && behind[0] == '.';
    const bool has_sign = !f.pieces[k].empty() && f.pieces[k].back() == '-';
    std::vector<std::string> operands = plain;
    if (s.type.kind == 'p') {
      operands[k] = "!" + plain[k];
      add(operands);
    }
    if (!is_part && !has_sign) {
      operands[k] = numbers[k] = number_for(s, index + k);
      add(operands);
    }
    if (!special_done && s.type.kind != 'f' && s.type.bits == 32 && s.values == value_class::integer && !is_part &&
        !has_sign) {
      static constexpr std::array<const char*, 6> special = {"%laneid", "%tid.x",   "%ntid.x",
                                                             "WARP_SZ", "%ctaid.x", "%tid.y"};
      operands = plain;
      operands[k] = special[index % special.size()];
      add(operands);
      special_done = true;
    }
    // The result is this source, too.
    if (first_result < f.slots.size() && f.slots[first_result].type.bits == s.type.bits &&
        f.slots[first_result].type.kind == s.type.kind && !has_carry) {
      operands = plain;
      operands[k] = plain[first_result];
      add(operands, "", static_cast<int>(k));
    }
  }
  if (numbers != plain && f.name.compare(0, 4, "shfl") != 0) add(numbers);
  return all;
}

}  // namespace gt200::second_reading
