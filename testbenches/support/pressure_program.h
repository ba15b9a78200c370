// Random programs whose threads need many registers in places and few elsewhere, for the sharing of registers.
//
// They nest ifs with one and two sides, loops whose number of rounds differs from lane to lane or is the same for
// all, lanes that exit early, and, outside of all that, barriers. Peaks of registers occur on any side and in any
// loop; some values are needed on one side of a branch alone, some are written and read under the same guard, and
// some are pairs. A thread leaves one word in `out`.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gt200::support {

struct pressure_program {
  std::string body;  // of a checked_program(): $r0 .. $r4 are set
  unsigned blocks = 1;
  unsigned threads = 32;
};

class pressure_writer {
 public:
  explicit pressure_writer(std::uint64_t seed) : random_(seed) {}

  // $r5 to $r7 live throughout, $r8 is scratch, $r9 zero; counters of loops from $r10 on, by depth; the rest are
  // peaks.
  pressure_program write() {
    pressure_program p;
    p.threads = 33 + pick(160);
    p.blocks = 1 + pick(4);
    emit("ld b32 $r5 g14[$r3]");
    emit("add b32 $r6 $r1 " + number());
    emit("xor b32 $r7 $r5 $r1");
    emit("mov b32 $r9 0x0");
    peak();
    for (unsigned n = 2 + pick(3); n != 0; --n) {
      statement();
      if (pick(3) == 0) emit("bar inc wait 0x0 0xfff");
    }
    emit("xor b32 $r5 $r5 $r6");
    emit("xor b32 $r5 $r5 $r7");
    emit("st b32 g14[$r4] $r5");
    emit("exit nop");
    p.body = text_;
    return p;
  }

 private:
  static constexpr unsigned first_peak = 14, registers = 30, deepest = 3;

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  static std::string r(unsigned n) { return "$r" + std::to_string(n); }
  std::string number() { return "0x" + std::to_string(1 + pick(9999)); }
  std::string kept() { return r(5 + pick(3)); }
  std::string label() { return "L" + std::to_string(labels_++); }
  void emit(const std::string& line) { text_ += "  " + line + "\n"; }
  void place(const std::string& name) { text_ += name + ":\n"; }

  // Many values at once, used up in any order.
  void peak() {
    const unsigned first = first_peak + pick(4);
    const unsigned count = 4 + pick(registers - first - 4);
    std::vector<unsigned> alive;
    for (unsigned n = first; n < first + count; ++n) {
      switch (pick(4)) {
        case 0: emit("ld b32 " + r(n) + " g14[$r3]"); break;
        default:
          emit("add b32 " + r(n) + " " + (alive.empty() ? kept() : r(alive[pick(alive.size())])) + " " + number());
      }
      alive.push_back(n);
    }
    while (!alive.empty()) {
      const unsigned k = pick(static_cast<unsigned>(alive.size()));
      const std::string to = kept();
      emit(std::string(pick(2) == 0 ? "add" : "xor") + " b32 " + to + " " + to + " " + r(alive[k]));
      alive.erase(alive.begin() + k);
    }
  }

  void pair() {
    emit("shr u32 $r8 $r3 0x3");
    emit("shl b32 $r8 $r8 0x3");
    emit("ld b64 $r20d g14[$r8]");
    emit("add b32 $r6 $r6 $r20");
    emit("xor b32 $r7 $r7 $r21");
  }

  void condition() {
    switch (pick(4)) {
      case 0: emit("and b32 $r8 $r1 " + std::string(pick(2) == 0 ? "0x20" : "0x40")); break;
      case 1: emit("mov b32 $r8 0x" + std::to_string(pick(2))); break;
      default: emit("and b32 $r8 " + kept() + " 0x" + std::to_string(1 + pick(7)));
    }
    emit("set $c0 # lg u32 $r8 $r9");
  }

  void guarded() {
    condition();
    const std::string n = r(first_peak + pick(registers - first_peak));
    emit("(lg $c0) add b32 " + n + " $r5 " + kept());
    emit("(lg $c0) xor b32 $r6 $r6 " + n);
  }

  void block() {
    ++depth_;
    for (unsigned n = 1 + pick(2); n != 0; --n) statement();
    --depth_;
  }

  void statement() {
    switch (depth_ < deepest ? pick(9) : pick(3)) {
      case 0: return peak();
      case 1: return guarded();
      case 2: return pair();
      case 3: return branch(true);
      case 4: return branch(false);
      case 5: return one_sided();
      case 6: return loop(true);
      case 7: return loop(false);
      default: return end_lanes();
    }
  }

  void branch(bool two_sides) {
    const std::string other = label(), meet = label();
    condition();
    emit("joinat " + meet);
    emit("(lg $c0) bra " + (two_sides ? other : meet));
    block();
    if (two_sides) {
      emit("bra " + meet);
      place(other);
      block();
    }
    place(meet);
    emit("join nop");
  }

  // Values from before the branch that one side alone needs.
  void one_sided() {
    const std::string other = label(), meet = label();
    const unsigned first = first_peak + pick(6), count = 3 + pick(8);
    for (unsigned n = first; n < first + count; ++n) emit("add b32 " + r(n) + " " + kept() + " " + number());
    condition();
    emit("joinat " + meet);
    emit("(lg $c0) bra " + other);
    for (unsigned n = first; n < first + count; ++n) emit("xor b32 $r7 $r7 " + r(n));
    emit("bra " + meet);
    place(other);
    if (pick(2) == 0) peak();
    place(meet);
    emit("join nop");
  }

  // The number of rounds is that of the lane, or the same for all.
  void loop(bool divergent) {
    const std::string counter = r(10 + depth_), again = label(), meet = label();
    if (divergent)
      emit("and b32 " + counter + " " + kept() + " 0x3");
    else
      emit("mov b32 " + counter + " 0x" + std::to_string(1 + pick(3)));
    if (divergent) emit("joinat " + meet);
    place(again);
    block();
    emit("sub b32 " + counter + " " + counter + " 0x1");
    emit("set $c0 # ge s32 " + counter + " $r9");
    emit("(lg $c0) bra " + again);
    if (!divergent) return;
    place(meet);
    emit("join nop");
  }

  // Few lanes store what they have and exit.
  void end_lanes() {
    if (depth_ != 0 || pick(2) == 0) return peak();
    const std::string meet = label();
    emit("and b32 $r8 " + kept() + " 0x3f");
    emit("set $c0 # lg u32 $r8 $r9");
    emit("joinat " + meet);
    emit("(lg $c0) bra " + meet);
    emit("st b32 g14[$r4] " + kept());
    emit("exit nop");
    place(meet);
    emit("join nop");
  }

  std::mt19937_64 random_;
  std::string text_;
  unsigned depth_ = 0;
  unsigned labels_ = 0;
};

inline pressure_program make_pressure_program(std::uint64_t seed) { return pressure_writer(seed).write(); }

}  // namespace gt200::support
