// Loads, stores, constants, cache control, fences.
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr auto value = 1;  // source
constexpr bit_field short_offset = {40, 24};
constexpr bit_field long_offset = {32, 32};

element wide_address() { return flag<&instruction::wide_address>(72, "E"); }
// Sizes of local and shared memory.
element window_size() {
  element e = memory_size();
  e.choices.pop_back();  // U.128
  return e;
}
element eviction_priority() {
  return choice<&instruction::keep>({84, 2}, {{1, 1, ""}, {0, 0, "EF"}, {2, 2, "EL"}, {3, 3, "LU"}});
}

void append_global_rows(std::vector<row>& rows) {
  constexpr auto unit = unit_class::memory;
  const element to_data = data(destination_slot, 16);
  const element_list head = {wide_address(), eviction_priority(), memory_size(), access_order()};
  const auto with = [&](element_list tail) {
    element_list all = head;
    all.insert(all.end(), tail.begin(), tail.end());
    return all;
  };
  rows.push_back(with_bits(whole("LDG", opcode::ldg, 0x381, unit, with({to_data, memory_operand(short_offset)})),
                           {{81, 3, 7}}));
  rows.push_back(whole("LD", opcode::ld, 0x980, unit, with({to_data, memory_operand(long_offset)})));
  rows.push_back(whole("STG", opcode::stg, 0x386, unit, with({memory_operand(short_offset), data(value, 32)})));
  rows.push_back(whole("ST", opcode::st, 0x385, unit, with({memory_operand(long_offset), data(value, 64)})));
}

void append_window_rows(std::vector<row>& rows) {
  const element to_data = data(destination_slot, 16);
  const element at = memory_operand(short_offset);
  rows.push_back(
      whole("LDL", opcode::ldl, 0x983, unit_class::memory, {eviction_priority(), window_size(), to_data, at}));
  rows.push_back(whole("STL", opcode::stl, 0x387, unit_class::memory,
                       {eviction_priority(), window_size(), at, data(value, 32)}));
  rows.push_back(whole("LDS", opcode::lds, 0x984, unit_class::shared,
                       {flag<&instruction::unordered_data>(76, "U"), window_size(), to_data, at}));
  rows.push_back(whole("STS", opcode::sts, 0x388, unit_class::shared, {window_size(), at, data(value, 32)}));
  rows.push_back(arithmetic("LDC", opcode::ldc, 0x182, unit_class::constant,
                            {window_size(), data(destination_slot, 16), indexed_constant()}));
}

}  // namespace

void append_memory_rows(std::vector<row>& rows) {
  append_global_rows(rows);
  append_window_rows(rows);
  rows.push_back(
      whole("QSPC", opcode::qspc, 0x3aa, unit_class::memory,
            {wide_address(), choice<&instruction::memory_kind>({73, 2}, {{0, 0, "G"}, {1, 1, "L"}, {2, 2, "S"}}),
             predicate_to(0, 81), to(), memory_operand(short_offset)}));
  rows.push_back(with_bits(whole("CCTL", opcode::cctl, 0x98f, unit_class::memory, {word("IVALL")}),
                           {{87, 4, 4}, {24, 8, zero_register}}));
  rows.push_back(
      whole("MEMBAR", opcode::membar, 0x992, unit_class::barrier,
            {choice<&instruction::memory_kind>({79, 2}, {{0, 0, "SC"}, {1, 1, "ALL"}, {2, 2, ""}}),
             choice<&instruction::scope>({76, 3}, {{0, 0, "CTA"}, {1, 1, "SM"}, {2, 2, "GPU"}, {3, 3, "SYS"}})}));
  rows.push_back(whole("ERRBAR", opcode::errbar, 0x9ab, unit_class::barrier, {}));
}

void append_atomic_rows(std::vector<row>& rows) {
  constexpr auto unit = unit_class::memory;
  constexpr auto swap_value = 2;
  const element at = memory_operand(short_offset);
  const element to_data = data(destination_slot, 16);
  const element operation = atomic_operation();
  const element kind = atomic_kind();
  // Compare and swap knows 32 and 64 bits.
  element width = kind;
  width.choices = {{0, 0, ""}, {2, 2, "64"}};
  const element cas = fixed<&instruction::compare_and_swap>(1, "CAS");
  const element normal = ignored({84, 3}, 1);
  const auto global = [&](const char* name, opcode op, std::uint32_t code, std::uint32_t cas_code) {
    rows.push_back(with_bits(whole(name, op, code, unit,
                                   {wide_address(), operation, kind, access_order(), normal, predicate_to(0, 81),
                                    to_data, at, data(value, 32)}),
                             {{64, 8, zero_register}}));
    rows.push_back(whole(name, op, cas_code, unit,
                         {wide_address(), cas, width, access_order(), normal, predicate_to(0, 81), to_data, at,
                          data(value, 32), data(swap_value, 64)}));
  };
  global("ATOM", opcode::atom, 0x38a, 0x38b);
  global("ATOMG", opcode::atomg, 0x3a8, 0x3a9);
  rows.push_back(whole("RED", opcode::red, 0x98e, unit,
                       {wide_address(), operation, kind, access_order(), normal, at, data(value, 32)}));
  constexpr auto shared = unit_class::shared;
  rows.push_back(
      with_bits(whole("ATOMS", opcode::atoms, 0x38c, shared, {operation, kind, to_data, at, data(value, 32)}),
                {{64, 8, zero_register}}));
  rows.push_back(whole("ATOMS", opcode::atoms, 0x38d, shared,
                       {choice<&instruction::compare_and_swap>({87, 4}, {{0, 1, "CAS"}, {3, 2, "CAST.SPIN"}}),
                        width, to_data, at, data(value, 32), data(swap_value, 64)}));
}

}  // namespace gt200::isa::volta
