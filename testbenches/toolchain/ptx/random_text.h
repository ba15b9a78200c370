// The text of a random PTX program: choices, registers, lines. For random_program.cpp and random_instruction.h.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gt200::ptx {

class random_text {
 protected:
  // Registers of each kind.
  static constexpr unsigned words = 7;         // %r
  static constexpr unsigned halves = 3;        // %h, 16 bits
  static constexpr unsigned doubles = 3;       // %d, 64-bit integers
  static constexpr unsigned floats = 4;        // %f
  static constexpr unsigned reals = 2;         // %e, .f64
  static constexpr unsigned predicates = 4;    // %p
  static constexpr unsigned known_pairs = 64;  // %k, 64-bit integers written once
  static constexpr unsigned local_words = 4;

  explicit random_text(std::uint64_t seed) : random_(seed) {}

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

  std::mt19937_64 random_;
  std::string text_;
  std::string guard_;  // "@p " in front of the instructions being written

 private:
  unsigned labels_ = 0;
};

}  // namespace gt200::ptx
