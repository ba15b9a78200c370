// Counting, reversing, extracting, inserting and permuting bits.
#pragma once

#include <map>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
bool word_lowering<machine>::lower_bits(const statement& s) {
  static const std::map<std::string, std::size_t> operands = {{"popc", 2}, {"clz", 2},  {"brev", 2}, {"bfe", 4},
                                                              {"bfi", 5},  {"prmt", 4}, {"bfind", 2}};
  const auto known = operands.find(s.name);
  if (known == operands.end()) return false;
  operand_count(known->second, known->second);
  const scalar t = type();
  if (is_float(t) || bytes_of(t) < 4 || t == scalar::pred) unsupported("the type must have 32 or 64 bits");
  if (bytes_of(t) == 8) {
    const bool has_sign = s.name == "bfe" || s.name == "bfind";
    call_library(s.name + (has("shiftamt") ? "_shiftamt" : "") +
                 (!has_sign      ? "_b64"
                  : is_signed(t) ? "_s64"
                                 : "_u64"));
    return true;
  }
  const value a = source(at(1), t);
  value result;
  if (s.name == "popc") {
    result = count_bits(a);
  } else if (s.name == "clz") {
    result = count_leading_zeros(a);
  } else if (s.name == "bfind") {
    result = leading_bit(a, is_signed(t), has("shiftamt"));
  } else if (s.name == "brev") {
    result = reversed(a);
  } else if (s.name == "bfe") {
    result = extracted(a, source(at(2), scalar::u32), source(at(3), scalar::u32), is_signed(t));
  } else if (s.name == "bfi") {
    result = inserted(a, source(at(2), t), source(at(3), scalar::u32), source(at(4), scalar::u32));
  } else {
    std::string mode;
    for (const char* known_mode : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"})
      if (has(known_mode)) mode = known_mode;
    result = permuted(a, source(at(2), t), source(at(3), t), mode);
  }
  assign(at(0), result);
  return true;
}

}  // namespace gt200::ptx
