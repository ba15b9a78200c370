// Video instructions: what their modifiers say.
#pragma once

#include "toolchain/ptx/machine/lowering/predicate.h"

namespace gt200::ptx {

// Also checks the number of operands and where parts may stand.
template <class machine>
auto word_lowering<machine>::types_of_video() const -> video_types {
  const statement& s = *statement_;
  const bool compares = s.name == "vset";
  const bool shifts = s.name == "vshl" || s.name == "vshr";
  video_types t;
  std::vector<bool> signs;
  bool combines = false;
  for (const std::string& m : s.modifiers) {
    const scalar named = scalar_named(m);
    if (named == scalar::u32 || named == scalar::s32)
      signs.push_back(named == scalar::s32);
    else if (named != scalar::none)
      unsupported("the types are .u32 and .s32");
    else if (compares && comparison_named(m) >= 0)
      t.comparison = m;
    else if (m == "add" || m == "min" || m == "max")
      combines = true;
  }
  if (compares && t.comparison.empty()) unsupported("the comparison is missing");
  if (signs.size() != (compares ? 2u : 3u)) unsupported("expected the types of the result and of both sources");
  t.result = !compares && signs[0];
  t.first = signs[compares ? 0 : 1];
  t.second = signs[compares ? 1 : 2];
  if (shifts && t.second) unsupported("the count is a .u32");
  if (shifts && !has("clamp") && !has("wrap")) unsupported("expected .clamp or .wrap");
  const bool merges = !s.operands.empty() && !s.operands[0].part.empty();
  if (merges && (combines || s.name == "vmad"))
    unsupported("a part of the result and a second operation exclude each other");
  const std::size_t count = merges || combines || s.name == "vmad" ? 4 : 3;
  operand_count(count, count);
  if (has("po") && (at(1).minus || at(2).minus || at(3).minus)) unsupported(".po stands without minus signs");
  for (std::size_t k = 0; k < count; ++k) {
    const std::string& part = at(k).part;
    if (!part.empty() && (part.size() != 2 || part[1] > (part[0] == 'b' ? '3' : '1')))
      file_.fail(at(k).where, "'." + part + "' is no byte or half of a word");
    if (at(k).minus && (s.name != "vmad" || k == 0)) unsupported("only sources of vmad have minus signs");
    if (k == 3 && !at(k).part.empty()) unsupported("the third source has no parts");
  }
  if (count == 4 && at(3).minus && at(1).minus != at(2).minus)
    unsupported("one minus sign at most: of the product, or of the sum");
  return t;
}

}  // namespace gt200::ptx
