// A second reading of PTX: its own parser of single instructions, which shares nothing with toolchain/ptx. A part
// of an instruction that the compiler's parser or lowering loses is seen by comparison with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::second_reading {

struct argument {
  enum class kind { reg, integer, real32, real64, group };
  kind what = kind::integer;
  std::string name;             // reg, or a special register
  std::uint64_t bits = 0;       // of a number
  bool inverted = false;        // "!"
  bool minus = false;           // "-" before a register
  std::string part;             // "b0" to "b3", "h0", "h1": of a register
  std::string other;            // behind "|"
  std::vector<argument> parts;  // of a group
};

struct instruction {
  std::string guard;  // empty: always
  bool guard_inverted = false;
  std::vector<std::string> words;  // opcode and modifiers
  std::vector<argument> arguments;

  bool has(std::string_view word) const;
};

struct number_type {
  char kind = 'b';  // b, u, s, f, p (predicate)
  unsigned bits = 0;
};
// "s32", "f16x2", "pred"; bits = 0 when the word is no type.
number_type type_named(std::string_view word);

// Instructions separated by semicolons. Throws std::runtime_error.
std::vector<instruction> read(std::string_view text);

}  // namespace gt200::second_reading
