// Forms of PTX instructions as a grammar, expanded to single forms and their operands: registers, numbers of every
// kind, constant expressions, elements of vectors, special registers, negated predicates, guards, results that are
// sources.
#pragma once

#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/second_reading/reading.h"

namespace gt200::second_reading {

// Where the values of a source come from. `upper`: few values, in the upper word alone.
enum class value_class { integer, count, divisor, f32, f64, half, upper };
inline constexpr unsigned value_classes = 7;

struct slot {
  bool is_result = false;
  number_type type;  // of the register; numbers of 8 bits are in registers of 32
  value_class values = value_class::integer;
};

struct form {
  unsigned least = 13;              // the first target that has it
  std::vector<std::string> pieces;  // text before, between and behind the slots
  std::vector<slot> slots;
  std::string name;  // the opcode with its modifiers
};

// All forms, from the table in forms.cpp, or from the file that GT200_FORMS names (scripts/validate nvptx_forms).
std::vector<form> all_forms();

// One way to write a form.
struct variant {
  std::string text;   // of the instruction; slot k is register %s<k> or %d<k>
  int copied = -1;    // a source slot: the result register holds its value before
  std::string shown;  // for messages
};
std::vector<variant> variants_of(const form& f, std::size_t index);

std::string register_of(const form& f, std::size_t slot);
// A source may also be the second element of a vector register.
bool has_element(const form& f, std::size_t slot);
std::string element_of(std::size_t slot);

}  // namespace gt200::second_reading
