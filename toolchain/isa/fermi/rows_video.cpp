// Video instructions: arithmetic on bytes, halves or words of the sources. PTX describes what they compute.
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto sp = unit_class::sp;

element merge() {
  return choice<&instruction::merge>({55, 3}, {{0, 0, "h1"},
                                               {1, 1, "h0"},
                                               {2, 2, "b0"},
                                               {3, 3, "b2"},
                                               {4, 4, "add"},
                                               {5, 5, "min"},
                                               {6, 6, "max"},
                                               {7, 7, ""}});
}
element_list sources() { return {video_part(), source_sign<0>(6), first(), video_second()}; }

element_list operator+(element_list left, const element_list& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// merge, sign of the result, destination, sources, third source
element_list merged(element_list start, bool with_sign, element_list middle = {}) {
  start.push_back(merge());
  if (with_sign) start.push_back(sign(42));
  return std::move(start) + element_list{to(), carry_to(48)} + middle + sources() + element_list{gpr(2, 49)};
}

}  // namespace

void append_video_rows(std::vector<row>& rows) {
  const element saturate = flag<&instruction::saturate>(9, "sat");
  const element wrap = flag<&instruction::wrap>(7, "wrap", "clamp");
  const element compare = choice<&instruction::compare>({7, 3}, {{0, 0, "false"},
                                                                 {1, 1, "lt"},
                                                                 {2, 2, "eq"},
                                                                 {3, 3, "le"},
                                                                 {4, 4, "gt"},
                                                                 {5, 5, "ne"},
                                                                 {6, 6, "ge"},
                                                                 {7, 7, "true"}});
  rows.push_back(unnamed("vadd", opcode::vadd, operation_bits(0xc0, 4), mask_5, sp,
                         merged({choice<&instruction::addend>(
                                     {7, 2}, {{0, 0, "vadd"}, {1, 1, "vsub"}, {2, 2, "vsubr"}, {3, 3, "vaddpo"}}),
                                 saturate},
                                true)));
  rows.push_back(unnamed("vmin", opcode::vmnmx, operation_bits(0xc8, 4), mask_5, sp,
                         merged({flag<&instruction::maximum>(7, "vmax", "vmin"), saturate}, true)));
  rows.push_back(
      ordinary("vabsdiff", opcode::vabsdiff, operation_bits(0xd0, 4), mask_5, sp, merged({saturate}, true)));
  rows.push_back(ordinary("vset", opcode::vset, operation_bits(0xd8, 4), mask_5, sp, merged({}, false, {compare})));
  rows.push_back(
      ordinary("vshr", opcode::vshr, operation_bits(0xe0, 4), mask_5, sp, merged({wrap, saturate}, true)));
  rows.push_back(
      ordinary("vshl", opcode::vshl, operation_bits(0xe8, 4), mask_5, sp, merged({wrap, saturate}, true)));
  rows.push_back(
      ordinary("vmad", opcode::vmad, operation_bits(0xf0, 4), mask_5, sp,
               element_list{addend({7, 2}), saturate,
                            choice<&instruction::shift>({55, 2}, {{1, 1, "shr7"}, {2, 2, "shr15"}, {0, 0, ""}}),
                            to(), carry_to(48)} +
                   sources() + element_list{gpr(2, 49)}));
  rows.push_back(ordinary("vset", opcode::vsetp, operation_bits(0xf8, 4), mask_5, sp,
                          element_list{predicate_to(0, {17, 3}), predicate_to(1, {14, 3}), compare} + sources() +
                              element_list{combined()}));
}

}  // namespace gt200::isa::fermi
