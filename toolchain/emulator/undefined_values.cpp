#include "toolchain/emulator/undefined_values.h"

namespace gt200::emulator {

void undefined_values::acquired(const isa::section_request& section) {
  exists_ = true;
  for (unsigned n = section.first; n < unsigned{section.first} + section.count && n < registers; ++n)
    general_[n] = ~isa::lane_mask{0};
}

// Null for what is always defined: address registers, since an instruction that writes one shows its sources.
isa::lane_mask* undefined_values::find(const isa::register_range& range, unsigned n) {
  const unsigned index = range.first + n;
  switch (range.file) {
    case isa::register_file_kind::gpr: return index < registers ? &general_[index] : nullptr;
    case isa::register_file_kind::condition: return index < conditions ? &condition_[index] : nullptr;
    case isa::register_file_kind::address: break;
  }
  return nullptr;
}

isa::lane_mask undefined_values::follow(const isa::tesla::instruction& i, isa::lane_mask lanes) {
  if (i.section.action != isa::section_action::none) return 0;  // it waits for registers, and reads none
  isa::lane_mask read = 0;                                      // undefined in a register
  isa::lane_mask shown = 0;                                     // undefined in a condition
  for (unsigned k = 0; k < i.read_count; ++k)
    for (unsigned n = 0; n < i.reads[k].count; ++n)
      if (const isa::lane_mask* value = find(i.reads[k], n))
        (i.reads[k].file == isa::register_file_kind::condition ? shown : read) |= *value & lanes;
  const bool computes = i.access.kind == isa::access_kind::none || i.access.kind == isa::access_kind::operand;
  bool keeps = computes && i.write_count != 0 && i.unit != isa::unit_class::texture && !i.concerns_divergence();
  for (unsigned k = 0; k < i.write_count; ++k)
    keeps = keeps && i.writes[k].file != isa::register_file_kind::address;
  if (!keeps) shown |= read;
  for (unsigned k = 0; k < i.write_count; ++k)
    for (unsigned n = 0; n < i.writes[k].count; ++n)
      if (isa::lane_mask* value = find(i.writes[k], n)) *value = (*value & ~lanes) | (keeps ? read : 0);
  return shown;
}

}  // namespace gt200::emulator
