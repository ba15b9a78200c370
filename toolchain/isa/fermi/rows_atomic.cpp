// Reductions and atomics on generic addresses.
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto unit = unit_class::memory;
constexpr std::uint64_t operation_mask = 0x3e0;
constexpr std::uint64_t kind_mask = 0x300;
constexpr std::uint64_t wide_kind = 0x200;

constexpr auto code_of(atomic_op op) { return static_cast<std::uint8_t>(op); }

std::vector<choice_entry> unsigned_operations() {
  return {{0, code_of(atomic_op::add), "add"}, {1, code_of(atomic_op::min), "min"},
          {2, code_of(atomic_op::max), "max"}, {3, code_of(atomic_op::inc), "inc"},
          {4, code_of(atomic_op::dec), "dec"}, {5, code_of(atomic_op::and_), "and"},
          {6, code_of(atomic_op::or_), "or"},  {7, code_of(atomic_op::xor_), "xor"}};
}
std::vector<choice_entry> signed_operations() {
  return {{0, code_of(atomic_op::add), "add"},
          {1, code_of(atomic_op::min), "min"},
          {2, code_of(atomic_op::max), "max"}};
}
element operation(std::vector<choice_entry> entries) {
  return choice<&instruction::atomic>({5, 3}, std::move(entries));
}
element type(data_type memory_type, const char* text) {
  return fixed<&instruction::memory_type>(memory_type, text);
}
element fixed_operation(atomic_op op, const char* text) { return fixed<&instruction::atomic>(op, text); }
element s32() { return fixed<&instruction::is_signed>(true, "s32"); }
element f32() { return fixed<&instruction::atomic_float>(true, "f32"); }

void append_reductions(std::vector<row>& rows) {
  const element place = global_operand({26, 32});
  const element value = data(1);
  const auto add = [&rows](std::uint64_t bits, std::uint64_t mask, element_list elements) {
    rows.push_back(ordinary("red", opcode::red, bits, mask_5 | mask, unit, std::move(elements)));
  };
  add(operation_bits(0x10, 5), wide_kind,
      {operation(unsigned_operations()), type(data_type::b32, "u32"), place, value});
  add(operation_bits(0x10, 5) | wide_kind, operation_mask,
      {fixed_operation(atomic_op::add, "add"), type(data_type::b64, "u64"), place, value});
  add(operation_bits(0x18, 5) | wide_kind, wide_kind,
      {operation(signed_operations()), s32(), type(data_type::b32, ""), place, value});
  add(operation_bits(0x28, 5) | wide_kind, operation_mask,
      {fixed_operation(atomic_op::add, "add"), f32(), type(data_type::b32, ""), place, value});
}

void append_atomics(std::vector<row>& rows) {
  constexpr std::uint64_t no_third = std::uint64_t{zero_register} << 49;
  const element place = global_operand({26, 17, 55, 3});
  const element value = data(1);
  element result = data(destination_slot);
  result.field = {43, 6};
  element swap = data(2);
  swap.field = {49, 6};
  const auto add = [&](std::uint64_t bits, std::uint64_t mask, element_list elements) {
    for (const element& e : {result, place, value}) elements.push_back(e);
    rows.push_back(
        ordinary("atom", opcode::atom, bits | no_third, mask_5 | mask | no_third, unit, std::move(elements)));
  };
  add(operation_bits(0x50, 5), kind_mask, {operation(unsigned_operations()), type(data_type::b32, "u32")});
  add(operation_bits(0x50, 5) | wide_kind, operation_mask,
      {fixed_operation(atomic_op::add, "add"), type(data_type::b64, "u64")});
  add(operation_bits(0x50, 5) | 0x100, operation_mask,
      {fixed_operation(atomic_op::exch, "exch"), type(data_type::b32, "b32")});
  add(operation_bits(0x50, 5) | 0x300, operation_mask,
      {fixed_operation(atomic_op::exch, "exch"), type(data_type::b64, "b64")});
  add(operation_bits(0x58, 5) | wide_kind, kind_mask,
      {operation(signed_operations()), s32(), type(data_type::b32, "")});
  add(operation_bits(0x68, 5) | wide_kind, operation_mask,
      {fixed_operation(atomic_op::add, "add"), f32(), type(data_type::b32, "")});
  for (const bool wide : {false, true})
    rows.push_back(ordinary(
        "atom", opcode::atom, operation_bits(0x50, 5) | (wide ? 0x320u : 0x120u), mask_5 | operation_mask, unit,
        {fixed_operation(atomic_op::cas, "cas"), wide ? type(data_type::b64, "b64") : type(data_type::b32, "b32"),
         result, place, value, swap}));
}

}  // namespace

void append_atomic_rows(std::vector<row>& rows) {
  append_reductions(rows);
  append_atomics(rows);
}

}  // namespace gt200::isa::fermi
