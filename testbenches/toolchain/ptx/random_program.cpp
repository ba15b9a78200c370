#include "testbenches/toolchain/ptx/random_program.h"

#include <fmt/format.h>

#include <vector>

#include "testbenches/toolchain/ptx/random_instruction.h"

namespace gt200::ptx {
namespace {

constexpr unsigned deepest = 3;
constexpr unsigned max_carried = 16;  // registers whose value a loop takes from the round before
constexpr unsigned max_moving = 16;   // addresses that a loop moves
// Of each thread; a loop of at most 8 rounds begins in the middle and moves its address by a word or two a round.
constexpr unsigned moving_bytes = 128;

class maker : random_instruction {
 public:
  maker(std::uint64_t seed, unsigned capability) : random_instruction(seed, capability) {}

  random_program run() {
    random_program result;
    result.threads = 32 * (1 + pick(2)) - pick(2) * pick(9);
    result.blocks = 1 + pick(2);
    threads_ = result.threads;
    blocks_ = result.blocks;
    std::string head =
        is_fermi() ? ".version 3.1\n.target sm_20\n.address_size 64\n" : ".version 1.4\n.target sm_13\n";
    head += fmt::format(".const .b32 table[8] = {{{}, {}, {}, {}, {}, {}, {}, {}}};\n", number(), number(),
                        number(), number(), number(), number(), number(), number());
    head += ".shared .b32 exchange[64];\n.shared .b32 own[256];\n";
    head += fmt::format(".shared .align 4 .b8 moving[{}];\n", moving_bytes * threads_);
    functions();
    std::string made = std::move(text_);
    text_.clear();
    start();
    const unsigned phases = 1 + pick(3);
    leaves_early_ = chance(50);
    for (unsigned k = 0; k < phases; ++k) {
      const bool is_last = k + 1 == phases;
      may_leave_ = is_last || leaves_early_;
      body(0, 4 + pick(10));
      if (!is_last) meet();
    }
    finish();
    result.text = head + made + text_ + "}\n";
    return result;
  }

 private:
  void start() {
    text_ +=
        ".entry random (.param .u64 in, .param .u64 out, .param .u32 scale, .param .s16 small, .param .f32 "
        "factor)\n{\n"
        ".reg .b32 %r<8>; .reg .b16 %h<4>; .reg .b64 %d<4>; .reg .f32 %f<5>; .reg .f64 %e<3>; .reg .pred %p<5>;\n"
        ".reg .u32 %t<16>; .reg .u32 %c<16>; .reg .pred %q<16>; .reg .u64 %in; .reg .u64 %out; .reg .u64 %a<4>; "
        ".reg .u64 %count;\n";
    text_ += fmt::format(".reg .b64 %k<{}>;\n", known_pairs);
    text_ += fmt::format(".reg .u32 %v<{0}>; .reg .u32 %w<{0}>; .reg .pred %z<{0}>;\n", max_carried);
    text_ += fmt::format(".reg .u32 %m<{0}>; .reg .u32 %x<{1}>; .reg .u32 %y<{1}>;\n", max_moving, 2 * max_moving);
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
    line("mov.u32 %t14, moving");
    line("mad.lo.u32 %t14, %t2, {}, %t14", moving_bytes);
    line("st.local.v4.u32 [stack], {{%r0, %r1, %r2, %r3}}");
    for (unsigned k = 0; k < 4; ++k) line("st.shared.u32 [%t4+{}], %r{}", 4 * k, k + 1);
    // What the others find in place of the word of a thread that has ended.
    line("mov.u32 %t5, exchange");
    line("add.u32 %t5, %t5, %t3");
    line("st.shared.u32 [%t5], %r0");
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

  // A barrier, a neighbour's word, a vote: all threads that have not ended are here.
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
    if (!is_fermi()) return;
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
    if (leaves_early_ && chance(15)) {
      leave();
      label(other);
      if (chance(20)) leave();
    } else if (chance(60)) {
      text_ += "bra" + one_of("", ".uni") + " " + end + ";\n";
      label(other);
      body(depth + 1, 1 + pick(4));
    } else {
      label(other);
    }
    label(end);
  }

  // The threads that are here end, after a store that shows what they did.
  void leave() {
    if (chance(50)) line("st.global.u32 [%out+{}], {}", 4 * pick(4), word());
    text_ += one_of("exit", "ret") + ";\n";
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
    if (leaves_early_ && chance(40))
      leave();
    else
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
    const int moving = moving_ < max_moving && chance(50) ? static_cast<int>(moving_++) : -1;
    const moving_form form = one_of_forms();
    if (moving >= 0) {
      const unsigned middle = form == moving_form::words ? moving_bytes / 8 : moving_bytes / 2;
      line("{} %m{}, {}{}", form == moving_form::pointer ? "add.u32" : "mov.u32", moving,
           form == moving_form::pointer ? "%t14, " : "", middle);
    }
    label(head);
    if (test_first) {
      line("setp.eq.u32 {}, {}, 0", go, counter);
      text_ += "@" + go + " bra " + end + ";\n";
    }
    if (carried >= 0) carry(carried);
    if (moving >= 0) move(moving, form);
    ways_out_.push_back(end);
    ways_out_.push_back(next);
    body(depth + 1, 1 + pick(4));
    if (moving >= 0 && form != moving_form::pointer && chance(30)) line("add.u32 {0}, {0}, %m{1}", word(), moving);
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

  // How an address is made from the word that a loop changes.
  enum class moving_form { pointer, bytes, words };
  moving_form one_of_forms() { return static_cast<moving_form>(pick(3)); }

  // Stores a word where an address points that moves from round to round, and loads it again, before or after the
  // address has moved on.
  void move(unsigned number, moving_form form) {
    const std::string counter = fmt::format("%m{}", number);
    const int step = (chance(50) ? 1 : -1) * (form == moving_form::words ? 1 : 4);
    const unsigned words_away = pick(2);
    const bool is_pointer = form == moving_form::pointer;
    // Written once, as compilers do.
    const auto address_of = [&](unsigned k) {
      if (is_pointer) return counter;
      line("shl.b32 %x{}, {}, {}", 2 * number + k, counter, form == moving_form::words ? 2 : 0);
      line("add.u32 %y{0}, %x{0}, %t14", 2 * number + k);
      return fmt::format("%y{}", 2 * number + k);
    };
    const std::string address = address_of(0);
    line("st.shared.u32 [{}+{}], {}", address, 4 * words_away, word());
    const unsigned kind = pick(4);
    if (kind == 0) line("ld.shared.u32 {}, [{}+{}]", word(), address, 4 * words_away);
    if (kind == 1 && !is_pointer) {  // the address of before
      line("add.u32 {0}, {0}, {1}", counter, step);
      line("ld.shared.u32 {}, [{}+{}]", word(), address, 4 * words_away);
      return;
    }
    line("{0}add.u32 {1}, {1}, {2}", chance(20) ? fmt::format("@{} ", flag()) : "", counter, step);
    if (kind == 2) {
      const std::string next = address_of(1);
      line("st.shared.u32 [{}], {}", next, word());
      line("ld.shared.u32 {}, [{}]", word(), next);
    }
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

  std::vector<std::string> ways_out_;
  unsigned carried_ = 0;
  unsigned moving_ = 0;
  unsigned threads_ = 32;
  unsigned blocks_ = 1;
  bool leaves_early_ = false;  // threads end while others still come to barriers and votes
  bool may_leave_ = false;
};

}  // namespace

random_program make_random_program(std::uint64_t seed, unsigned capability) {
  return maker(seed, capability).run();
}

}  // namespace gt200::ptx
