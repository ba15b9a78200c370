#include "toolchain/emulator/code_image.h"

#include <algorithm>

#include "toolchain/arch_state/tesla/operand_access.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/launch/shared_section.h"

namespace gt200::emulator {

namespace {

code_entry make_entry(const isa::tesla::instruction& i, const isa::section_request& section) {
  const isa::register_range shared = {isa::register_file_kind::gpr, section.first, section.count};
  bool uses = false;
  if (section.count != 0 && i.section.action == isa::section_action::none) {
    for (unsigned k = 0; k < i.read_count; ++k) uses |= isa::overlap(i.reads[k], shared);
    for (unsigned k = 0; k < i.write_count; ++k) uses |= isa::overlap(i.writes[k], shared);
  }
  return {i, isa::tesla::takes_address_register(i), uses};
}

}  // namespace

// Data between functions or padding may shift the start of instructions, so every word position that decodes gets
// an entry. Long instructions start at multiples of 8.
code_image::code_image(const cubin::kernel& kernel)
    : words_(kernel.code),
      index_(kernel.code.size(), 0),
      lines_(kernel.lines),
      section_(launch::shared_section(kernel)) {
  for (std::size_t word = 0; word < words_.size(); ++word) {
    const bool is_long = isa::tesla::length_of(words_[word]) == 8;
    if (is_long && (word % 2 != 0 || word + 1 == words_.size())) continue;
    isa::tesla::decode_error error;
    const auto decoded = isa::tesla::decode(words_[word], is_long ? words_[word + 1] : 0, error);
    if (!decoded) continue;
    entries_.push_back(make_entry(*decoded, section_));
    index_[word] = static_cast<std::uint32_t>(entries_.size());
  }
  std::stable_sort(lines_.begin(), lines_.end(),
                   [](const cubin::source_line& a, const cubin::source_line& b) { return a.offset < b.offset; });
}

code_image::decode_failure code_image::error(isa::code_address pc) const {
  if (pc / 4 >= words_.size()) return {true, "the code has " + std::to_string(bytes()) + " bytes"};
  if (pc % 4 != 0) return {true, "not a multiple of 4"};
  const std::uint32_t first = words_[pc / 4];
  const bool is_long = isa::tesla::length_of(first) == 8;
  if (is_long && pc % 8 != 0) return {false, "an 8-byte instruction does not start at a multiple of 8"};
  if (is_long && pc / 4 + 1 == words_.size()) return {true, "the second word of the instruction is missing"};
  isa::tesla::decode_error reason;
  isa::tesla::decode(first, is_long ? words_[pc / 4 + 1] : 0, reason);
  return {false, reason.reason};
}

std::uint32_t code_image::line(isa::code_address pc) const {
  const auto next =
      std::upper_bound(lines_.begin(), lines_.end(), pc,
                       [](isa::code_address value, const cubin::source_line& l) { return value < l.offset; });
  return next == lines_.begin() ? 0 : std::prev(next)->line;
}

}  // namespace gt200::emulator
