#include "testbenches/system/checked/structured_program.h"

#include <cstdio>
#include <random>
#include <utility>

#include "testbenches/system/checked/checked_device.h"

namespace gt200::support {
namespace {

// $r5-$r12 data, $r13 a condition, $r14 zero, $r16 and up counters of loops by depth.
class structured_writer {
 public:
  structured_writer(std::uint64_t seed, bool marks_ends, bool barriers)
      : random_(seed), marks_ends_(marks_ends), barriers_(barriers) {}

  structured_program write() {
    structured_program p;
    p.threads = 33 + pick(96);
    p.blocks = 1 + pick(2);
    emit("ld b32 $r5 g14[$r3]");
    emit("mov b32 $r6 $r1");
    for (unsigned n = 7; n <= 12; ++n) emit("add b32 " + r(n) + " " + r(n - 1) + " " + hex(random_() & 0xffff));
    emit("mov b32 $r14 0x0");
    branch();
    for (unsigned n = 2 + pick(3); n != 0; --n) {
      statement();
      if (barriers_) exchange();
    }
    for (unsigned n = 6; n <= 12; ++n) emit("xor b32 $r5 $r5 " + r(n));
    emit("st b32 g14[$r4] $r5");
    emit("exit nop");
    p.text = checked_program(text_ + functions_, barriers_ ? ".shared cells 1024\n" : "");
    return p;
  }

 private:
  // Both conventions draw the same numbers.
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  static std::string r(unsigned n) { return "$r" + std::to_string(n); }
  static std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
  }
  std::string data() { return r(5 + pick(8)); }
  std::string label() { return "L" + std::to_string(labels_++); }
  void emit(const std::string& line) { text_ += "  " + line + "\n"; }
  void place(const std::string& name) { text_ += name + ":\n"; }

  std::string addition() {
    const std::string to = data();
    return " b32 " + to + " " + to + " " + data();
  }
  // $c0 is `lg` for the lanes that the condition selects: of data, of the number of the warp, or all alike.
  void condition() {
    switch (pick(4)) {
      case 0: emit("and b32 $r13 $r1 " + hex(32u << pick(2))); break;
      case 1: emit("mov b32 $r13 " + hex(pick(2))); break;
      default: emit("and b32 $r13 " + data() + " " + hex(1 + pick(15)));
    }
    emit("set $c0 # lg u32 $r13 $r14");
  }
  void block() {
    ++depth_;
    for (unsigned n = 1 + pick(2); n != 0; --n) statement();
    --depth_;
  }
  void statement() {
    switch (depth_ < deepest ? pick(10) : 0) {
      case 0: emit("add" + addition()); return;
      case 1:
      case 2:
      case 3: return branch();
      case 4: return skip();
      case 5: return loop_by_branch();
      case 6: return loop_by_break();
      case 7: return leave_loop();
      case 8: return call();
      default: return end_lanes();
    }
  }

  // A region: its announcement; the end of a path before the last one; the end of the last path.
  struct region {
    std::string meet;
    std::string last;  // the operation at the join, or at the end of each path
  };
  region open(bool plain) {
    region made{label(), plain || pick(2) != 0 ? "nop" : "add" + addition()};
    emit("joinat " + made.meet);
    return made;
  }
  void mark(const region& of) {
    const std::size_t name = of.last.find(' ') == std::string::npos ? of.last.size() : of.last.find(' ');
    emit(of.last.substr(0, name) + ".S" + of.last.substr(name));
  }
  void end_path(const region& of) {
    if (marks_ends_)
      mark(of);
    else
      emit("bra " + of.meet);
  }
  void close(const region& of) {
    if (marks_ends_) mark(of);
    place(of.meet);
    if (!marks_ends_) emit("join " + of.last);
  }

  void branch() {
    const std::string other = label();
    condition();
    const region of = open(false);
    emit("(lg $c0) bra " + other);
    block();
    end_path(of);
    place(other);
    block();
    close(of);
  }
  // Some lanes skip a block.
  void skip() {
    const bool guarded = pick(2) != 0;
    condition();
    const region of = open(guarded);
    const std::string other = label();
    if (guarded && marks_ends_)
      emit("(lg $c0) nop.S");
    else
      emit("(lg $c0) bra " + (marks_ends_ ? other : of.meet));
    block();
    if (marks_ends_ && !guarded) {
      end_path(of);
      place(other);
    }
    close(of);
  }
  // Each lane has its own number of rounds.
  std::string counter() {
    const std::string count = r(16 + depth_);
    emit("and b32 " + count + " " + data() + " 0x3");
    return count;
  }
  void count_down(const std::string& count, const char* compare) {
    emit("sub b32 " + count + " " + count + " 0x1");
    emit(std::string("set $c0 # ") + compare + " s32 " + count + " $r14");
  }
  void loop_by_branch() {
    const bool guarded = pick(2) != 0;
    const std::string count = counter();
    const region of = open(true);
    const std::string again = label();
    place(again);
    block();
    count_down(count, "ge");
    if (guarded && marks_ends_) {
      emit("(e $c0) nop.S");
      emit("bra " + again);
      place(of.meet);
      return;
    }
    emit("(lg $c0) bra " + again);
    close(of);
  }
  void loop_by_break() {
    const std::string count = counter(), again = label(), behind = label();
    emit("breakaddr " + behind);
    place(again);
    ++loops_;
    block();
    --loops_;
    count_down(count, "l");
    emit("(lg $c0) break");
    emit("bra " + again);
    place(behind);
  }
  void leave_loop() {
    if (loops_ == 0) return branch();
    condition();
    emit("(lg $c0) break");
  }
  void call() {
    const std::string name = label();
    emit("call " + name);
    const std::string caller = std::move(text_);
    const unsigned loops = std::exchange(loops_, 0);
    text_.clear();
    place(name);
    block();
    if (pick(2) != 0) {
      condition();
      emit("(lg $c0) ret");
      emit("add" + addition());
    }
    emit("ret");
    functions_ += text_;
    text_ = caller;
    loops_ = loops;
  }
  // Cells of threads that have ended keep what was there, which is the same in every run.
  void exchange() {
    emit("shl $a1 $r1 0x2");
    emit("st b32 s[$a1+cells] $r5");
    emit("bar inc wait 0x0 0xfff");
    emit("xor b32 $r13 $r1 0x27");
    emit("shl $a1 $r13 0x2");
    emit("ld $r13 b32 s[$a1+cells]");
    emit("bar inc wait 0x0 0xfff");
    emit("xor b32 $r5 $r5 $r13");
  }
  // Few lanes store what they have and exit.
  void end_lanes() {
    emit("and b32 $r13 " + data() + " 0x1f");
    emit("set $c0 # lg u32 $r13 $r14");
    const region of = open(true);
    const std::string other = label();
    emit("(lg $c0) bra " + (marks_ends_ ? other : of.meet));
    emit("st b32 g14[$r4] " + data());
    emit("exit nop");
    place(other);
    close(of);
  }

  static constexpr unsigned deepest = 4;

  std::mt19937_64 random_;
  bool marks_ends_;
  bool barriers_;
  std::string text_;
  std::string functions_;
  unsigned depth_ = 0;
  unsigned loops_ = 0;  // with break, around the next statement in its function
  unsigned labels_ = 0;
};

}  // namespace

structured_program make_structured_program(std::uint64_t seed, arch_state::tesla::divergence_semantics convention,
                                           bool barriers) {
  return structured_writer(seed, convention == arch_state::tesla::divergence_semantics::ssy_sync, barriers).write();
}

}  // namespace gt200::support
