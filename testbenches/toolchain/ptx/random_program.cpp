#include "testbenches/toolchain/ptx/random_program.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace gt200::ptx {
namespace {

constexpr unsigned words = 7;       // %r
constexpr unsigned halves = 3;      // %h, 16 bits
constexpr unsigned doubles = 3;     // %d, 64-bit integers
constexpr unsigned floats = 4;      // %f
constexpr unsigned reals = 2;       // %e, .f64
constexpr unsigned predicates = 4;  // %p
constexpr unsigned deepest = 3;
constexpr unsigned max_carried = 16;  // registers whose value a loop takes from the round before
constexpr unsigned local_words = 4;

class maker {
 public:
  maker(std::uint64_t seed, unsigned capability) : random_(seed), is_fermi_(capability >= 20) {}

  random_program run() {
    random_program result;
    result.threads = 32 * (1 + pick(2)) - pick(2) * pick(9);
    result.blocks = 1 + pick(2);
    threads_ = result.threads;
    blocks_ = result.blocks;
    std::string head =
        is_fermi_ ? ".version 3.1\n.target sm_20\n.address_size 64\n" : ".version 1.4\n.target sm_13\n";
    head += fmt::format(".const .b32 table[8] = {{{}, {}, {}, {}, {}, {}, {}, {}}};\n", number(), number(),
                        number(), number(), number(), number(), number(), number());
    head += ".shared .b32 exchange[64];\n.shared .b32 own[256];\n";
    functions();
    std::string made = std::move(text_);
    text_.clear();
    start();
    const unsigned phases = 1 + pick(3);
    for (unsigned k = 0; k < phases; ++k) {
      may_leave_ = k + 1 == phases;
      body(0, 4 + pick(10));
      if (!may_leave_) meet();
    }
    finish();
    result.text = head + made + text_ + "}\n";
    return result;
  }

 private:
  unsigned pick(unsigned n) { return n == 0 ? 0 : static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  template <class... T>
  std::string one_of(T... options) {
    const std::vector<std::string> list = {options...};
    return list[pick(static_cast<unsigned>(list.size()))];
  }
  template <class... T>
  void line(fmt::format_string<T...> form, T&&... arguments) {
    text_ += guard_ + fmt::format(form, std::forward<T>(arguments)...) + ";\n";
  }
  void label(const std::string& name) { text_ += name + ":\n"; }
  std::string new_label() { return fmt::format("L{}", labels_++); }

  std::uint32_t number() {
    switch (pick(6)) {
      case 0: return pick(16);
      case 1: return 0u - pick(16);
      case 2: return 1u << pick(32);
      case 3: return 0x7fffffffu + pick(3);
      case 4: return pick(65536);
      default: return static_cast<std::uint32_t>(random_());
    }
  }
  std::string word() { return fmt::format("%r{}", pick(words)); }
  std::string half() { return fmt::format("%h{}", pick(halves)); }
  std::string wide() { return fmt::format("%d{}", pick(doubles)); }
  std::string flt() { return fmt::format("%f{}", pick(floats)); }
  std::string real() { return fmt::format("%e{}", pick(reals)); }
  std::string flag() { return fmt::format("%p{}", pick(predicates)); }
  std::string word_or_number() {
    return chance(30) ? fmt::format("{}", static_cast<std::int32_t>(number())) : word();
  }
  std::string float_or_number() {
    return chance(20) ? one_of("0f3F800000", "0f40490FDB", "0fBF000000", "0f00000000", "0f501502F9", "0f7F800000")
                      : flt();
  }
  std::string sign(unsigned bits) { return fmt::format("{}{}", chance(50) ? "u" : "s", bits); }

  void start() {
    text_ +=
        ".entry random (.param .u64 in, .param .u64 out, .param .u32 scale, .param .s16 small, .param .f32 "
        "factor)\n{\n"
        ".reg .b32 %r<8>; .reg .b16 %h<4>; .reg .b64 %d<4>; .reg .f32 %f<5>; .reg .f64 %e<3>; .reg .pred %p<5>;\n"
        ".reg .u32 %t<16>; .reg .u32 %c<16>; .reg .pred %q<16>; .reg .u64 %in; .reg .u64 %out; .reg .u64 %a<4>; "
        ".reg .u64 %count;\n";
    text_ += fmt::format(".reg .u32 %v<{0}>; .reg .u32 %w<{0}>; .reg .pred %z<{0}>;\n", max_carried);
    text_ += fmt::format(".local .align 16 .b32 stack[{}];\n", local_words);
    line("mov.u32 %t0, %ctaid.x");
    line("mov.u32 %t1, %ntid.x");
    line("mov.u32 %t2, %tid.x");
    line("mad.lo.u32 %t0, %t0, %t1, %t2");
    line("ld.param.u64 %in, [in]");
    line("ld.param.u64 %out, [out]");
    line("add.u64 %count, %out, {}", 4 * output_words_per_thread * threads_ * blocks_);
    line("mul.wide.u32 %a0, %t0, {}", 4 * input_words_per_thread);
    line("add.u64 %in, %in, %a0");
    line("mul.lo.u32 %t1, %t0, {}", 4 * output_words_per_thread);
    line("cvt.u64.u32 %a0, %t1");
    line("add.u64 %out, %out, %a0");
    line("ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%in]");
    line("ld.global.v2.u32 {{%r4, %r5}}, [%in+16]");
    line("ld.global.u64 %d0, [%in+24]");
    line("ld.param.u32 %r6, [scale]");
    line("ld.param.s16 %h0, [small]");
    line("ld.global.u16 %h1, [%in+2]");
    line("cvt.u16.u32 %h2, %r4");
    line("xor.b64 %d1, %d0, 0x123456789");
    line("cvt.s64.s32 %d2, %r1");
    line("ld.param.f32 %f0, [factor]");
    line("cvt.rn.f32.s32 %f1, %r0");
    line("cvt.rn.f32.u32 %f2, %r6");
    line("mov.f32 %f3, 0f3FC00000");
    line("cvt.rn.f64.s32 %e0, %r2");
    line("cvt.f64.f32 %e1, %f0");
    line("setp.lt.s32 %p0, %r0, 0");
    line("setp.ne.u32 %p1, %r1, %r2");
    line("setp.gt.u32 %p2, %t2, 7");
    line("setp.lt.f32 %p3, %f0, %f1");
    line("mul.lo.u32 %t3, %t2, 4");
    line("mov.u32 %t4, own");
    line("mad.lo.u32 %t4, %t2, 16, %t4");
    line("st.local.v4.u32 [stack], {{%r0, %r1, %r2, %r3}}");
    for (unsigned k = 0; k < 4; ++k) line("st.shared.u32 [%t4+{}], %r{}", 4 * k, k + 1);
  }

  void finish() {
    unsigned at = 0;
    for (unsigned k = 0; k < words; ++k, at += 4) line("st.global.u32 [%out+{}], %r{}", at, k);
    for (unsigned k = 0; k < halves; ++k, at += 2) line("st.global.u16 [%out+{}], %h{}", at, k);
    at += 2;
    for (unsigned k = 0; k < floats; ++k, at += 4) line("st.global.f32 [%out+{}], %f{}", at, k);
    at = (at + 7) / 8 * 8;
    for (unsigned k = 0; k < doubles; ++k, at += 8) line("st.global.u64 [%out+{}], %d{}", at, k);
    for (unsigned k = 0; k < reals; ++k, at += 8) line("st.global.f64 [%out+{}], %e{}", at, k);
    for (unsigned k = 0; k < predicates; ++k, at += 4) {
      line("selp.u32 %t5, 1, 0, %p{}", k);
      line("st.global.u32 [%out+{}], %t5", at);
    }
    line("exit");
  }

  // A barrier, a neighbour's word, a vote: all threads are here.
  void meet() {
    line("mov.u32 %t5, exchange");
    line("add.u32 %t5, %t5, %t3");
    line("st.shared.u32 [%t5], {}", word());
    line("bar.sync 0");
    line("add.u32 %t6, %t2, {}", 1 + pick(7));
    line("rem.u32 %t6, %t6, {}", threads_);
    line("shl.b32 %t6, %t6, 2");
    line("mov.u32 %t5, exchange");
    line("add.u32 %t5, %t5, %t6");
    line("ld.shared.u32 {}, [%t5]", word());
    line("bar.sync 0");
    if (chance(50)) line("vote.{}.pred {}, {}{}", one_of("any", "all"), flag(), one_of("", "!"), flag());
    if (!is_fermi_) return;
    if (chance(40)) line("vote.ballot.b32 {}, {}{}", word(), one_of("", "!"), flag());
    if (chance(30)) line("bar.red.popc.u32 {}, 0, {}{}", word(), one_of("", "!"), flag());
    if (chance(30)) line("bar.red.{}.pred {}, 0, {}{}", one_of("and", "or"), flag(), one_of("", "!"), flag());
  }

  void functions() {
    text_ += ".func (.reg .u32 result) twist (.reg .u32 x, .reg .u32 y)\n{\n.reg .pred p;\n";
    line("setp.lt.u32 p, x, y");
    text_ += "@p bra SWAP;\n";
    line("{}.b32 result, x, y", one_of("and", "or", "xor"));
    text_ += chance(50) ? "ret;\n" : "bra.uni OUT;\n";
    text_ += "SWAP:\n";
    line("sub.u32 result, y, x");
    text_ += "OUT:\nret;\n}\n";
    text_ += ".func (.param .b32 value) blend (.param .b32 a, .param .b32 b)\n{\n.reg .b32 %x<4>;\n";
    line("ld.param.u32 %x1, [a+0]");
    line("ld.param.u32 %x2, [b+0]");
    line("{}.u32 %x3, %x1, %x2", one_of("add", "sub", "min", "max"));
    line("st.param.b32 [value+0], %x3");
    text_ += "ret;\n}\n";
  }

  void body(unsigned depth, unsigned statements) {
    for (unsigned k = 0; k < statements; ++k) {
      const unsigned what = pick(100);
      if (what < 12 && depth < deepest) {
        branch(depth);
      } else if (what < 19 && depth < deepest) {
        loop(depth);
      } else if (what < 24 && depth < deepest) {
        skip(depth);
      } else if (what < 26 && depth < deepest) {
        choice(depth);
      } else if (what < 30 && !ways_out_.empty()) {
        text_ += fmt::format("@{}{} bra {};\n", one_of("", "!"), flag(),
                             ways_out_[pick(static_cast<unsigned>(ways_out_.size()))]);
      } else if (what < 31 && may_leave_ && depth > 0) {
        text_ += fmt::format("@{} {};\n", flag(), one_of("exit", "ret"));
      } else if (what < 33) {
        call();
      } else {
        if (chance(15)) guard_ = fmt::format("@{}{} ", one_of("", "!"), flag());
        instruction();
        guard_.clear();
      }
    }
  }

  void branch(unsigned depth) {
    const std::string other = new_label();
    const std::string end = new_label();
    text_ += fmt::format("@{}{} bra {};\n", one_of("", "!"), flag(), other);
    body(depth + 1, 1 + pick(4));
    if (chance(60)) {
      text_ += "bra" + one_of("", ".uni") + " " + end + ";\n";
      label(other);
      body(depth + 1, 1 + pick(4));
    } else {
      label(other);
    }
    label(end);
  }

  // Jumps out of any region to the end.
  void skip(unsigned depth) {
    const std::string end = new_label();
    ways_out_.push_back(end);
    body(depth + 1, 2 + pick(5));
    ways_out_.pop_back();
    label(end);
  }

  void choice(unsigned depth) {
    const std::string end = new_label();
    std::vector<std::string> cases;
    line("and.b32 %t7, {}, 3", word());
    for (unsigned k = 0; k < 3; ++k) {
      cases.push_back(new_label());
      line("setp.eq.u32 %q15, %t7, {}", k);
      text_ += "@%q15 bra " + cases.back() + ";\n";
    }
    body(depth + 1, 1);
    text_ += "bra " + end + ";\n";
    for (const std::string& c : cases) {
      label(c);
      body(depth + 1, 1 + pick(2));
      if (chance(70)) text_ += "bra " + end + ";\n";
    }
    label(end);
  }

  void loop(unsigned depth) {
    const std::string head = new_label();
    const std::string next = new_label();
    const std::string end = new_label();
    const std::string counter = fmt::format("%c{}", depth);
    const std::string go = fmt::format("%q{}", depth);
    if (chance(70))
      line("and.b32 {}, {}, {}", counter, word(), 1 + pick(6));
    else
      line("mov.u32 {}, {}", counter, 1 + pick(5));
    const bool test_first = chance(50);
    const int carried = carried_ < max_carried && chance(40) ? static_cast<int>(carried_++) : -1;
    if (carried >= 0) line("setp.ne.u32 %z{}, %t0, %t0", carried);
    label(head);
    if (test_first) {
      line("setp.eq.u32 {}, {}, 0", go, counter);
      text_ += "@" + go + " bra " + end + ";\n";
    }
    if (carried >= 0) carry(carried);
    ways_out_.push_back(end);
    ways_out_.push_back(next);
    body(depth + 1, 1 + pick(4));
    ways_out_.pop_back();
    ways_out_.pop_back();
    label(next);
    if (test_first) {
      line("sub.u32 {}, {}, 1", counter, counter);
      text_ += "bra " + head + ";\n";
    } else {
      line("setp.gt.u32 {}, {}, 0", go, counter);
      line("sub.u32 {}, {}, 1", counter, counter);
      text_ += "@" + go + " bra " + head + ";\n";
    }
    label(end);
  }

  // A register that each round reads before the only write to it: the value of the round before, unused in the
  // first.
  void carry(int number) {
    const std::string operation = one_of("add", "xor", "sub");
    const std::string type = operation == "xor" ? "b32" : "u32";
    line("add.u32 %w{0}, %v{0}, 100", number);
    line("@%z{0} {1}.{2} {3}, {3}, %{4}{0}", number, operation, type, word(), one_of("v", "w"));
    if (chance(50)) {
      line("mov.u32 %v{}, {}", number, word());
    } else {
      line("mad.lo.u32 %v{}, {}, 3, {}", number, word(), word());
    }
    if (chance(50)) line("add.u32 {1}, %v{0}, 100", number, word());
    line("setp.eq.u32 %z{}, %t0, %t0", number);
  }

  void call() {
    if (chance(50)) {
      line("call ({}), twist, ({}, {})", word(), word(), word());
      return;
    }
    text_ += "{\n.param .b32 p0;\n.param .b32 p1;\n.param .b32 back;\n";
    line("st.param.b32 [p0+0], {}", word());
    line("st.param.b32 [p1+0], {}", word());
    line("call.uni (back), blend, (p0, p1)");
    line("ld.param.b32 {}, [back+0]", word());
    text_ += "}\n";
  }

  void instruction() {
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
  void fermi_instruction() {
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
      case 9: return line("bfind{}.{} {}, {}", one_of("", ".shiftamt"), sign(32), word(), word());
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
  void generic_access() {
    line("cvt.u64.u32 %a2, %t4");
    line("cvta.shared.u64 %a2, %a2");
    switch (pick(5)) {
      case 0: return line("ld.u32 {}, [%a2+{}]", word(), 4 * pick(4));
      case 1: return line("st.u32 [%a2+{}], {}", 4 * pick(4), word());
      case 2:
        return line("atom.{}.u32 {}, [%a2+{}], {}", one_of("add", "max", "exch"), word(), 4 * pick(4), word());
      case 3: return line("ld.u32 {}, [%in+{}]", word(), 4 * pick(8));
      default: line("cvta.to.shared.u64 %a2, %a2"); return line("ld.shared.u32 {}, [%a2+{}]", word(), 4 * pick(4));
    }
  }

  void integer32() {
    const std::string d = word();
    const std::string t = sign(32);
    switch (pick(13)) {
      case 10: return line("bfe.{} {}, {}, {}, {}", t, d, word(), word_or_number(), word_or_number());
      case 11: return line("bfi.b32 {}, {}, {}, {}, {}", d, word(), word(), word_or_number(), word_or_number());
      case 12:
        return line("prmt.b32 {}, {}, {}, {}", d, word(), word(),
                    chance(50) ? word() : std::to_string(pick(65536)));
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

  void integer16() {
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

  void integer64() {
    const std::string d = wide();
    const std::string t = sign(64);
    switch (pick(13)) {
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

  std::string amount() {
    if (chance(60)) return fmt::format("{}", pick(70));
    line("and.b32 %t8, {}, 127", word());
    return "%t8";
  }

  void float32() {
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

  void float64() {
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

  void comparison() {
    const std::string joined = chance(30) ? one_of(".and", ".or", ".xor") : "";
    const std::string with = joined.empty() ? "" : fmt::format(", {}{}", one_of("", "!"), flag());
    const std::string to = chance(20) ? "%p0|%p1" : flag();
    const std::string how = one_of("eq", "ne", "lt", "le", "gt", "ge");
    switch (pick(7)) {
      case 0: return line("setp.{}{}.{} {}, {}, {}{}", how, joined, sign(32), to, word(), word_or_number(), with);
      case 1: return line("setp.{}{}.{} {}, {}, {}{}", how, joined, sign(16), to, half(), half(), with);
      case 2: return line("setp.{}{}.{} {}, {}, {}{}", how, joined, sign(64), to, wide(), wide(), with);
      case 3:
        return line("setp.{}{}{}.f32 {}, {}, {}{}", how, one_of("", "u"), joined, to, flt(), float_or_number(),
                    with);
      case 4: return line("setp.{}{}.f64 {}, {}, {}{}", how, joined, to, real(), real(), with);
      case 5: return line("{}.pred {}, {}, {}", one_of("and", "or", "xor"), flag(), flag(), flag());
      default: return line("not.pred {}, {}", flag(), flag());
    }
  }

  void selection() {
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

  void conversion() {
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

  void memory() {
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

  void bits() {
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

  std::mt19937_64 random_;
  std::string text_;
  std::string guard_;  // "@p " in front of the instructions being written
  std::vector<std::string> ways_out_;
  unsigned labels_ = 0;
  unsigned carried_ = 0;
  unsigned threads_ = 32;
  unsigned blocks_ = 1;
  bool may_leave_ = false;
  bool is_fermi_;
};

}  // namespace

random_program make_random_program(std::uint64_t seed, unsigned capability) {
  return maker(seed, capability).run();
}

}  // namespace gt200::ptx
