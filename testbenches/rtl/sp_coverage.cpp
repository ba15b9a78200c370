#include "testbenches/rtl/sp_coverage.h"

#include <fmt/format.h>

namespace gt200::support {
namespace {

using rtl::sp_control;
using op = rtl::sp_operation;

struct field {
  const char* name;
  unsigned (*value)(const sp_control&);
};
constexpr field fields[] = {
    {"16 bits", [](const sp_control& c) { return c.narrow ? 1u : 0u; }},
    {"signed", [](const sp_control& c) { return c.is_signed ? 1u : 0u; }},
    {"y signed", [](const sp_control& c) { return c.y_signed ? 1u : 0u; }},
    {"source signed", [](const sp_control& c) { return c.source_signed ? 1u : 0u; }},
    {"saturate", [](const sp_control& c) { return c.saturate ? 1u : 0u; }},
    {"integral", [](const sp_control& c) { return c.integral ? 1u : 0u; }},
    {"negate x", [](const sp_control& c) { return c.negate & 1u; }},
    {"negate y", [](const sp_control& c) { return c.negate >> 1 & 1u; }},
    {"negate z", [](const sp_control& c) { return c.negate >> 2 & 1u; }},
    {"absolute x", [](const sp_control& c) { return c.absolute & 1u; }},
    {"absolute y", [](const sp_control& c) { return c.absolute >> 1 & 1u; }},
    {"invert x", [](const sp_control& c) { return c.invert & 1u; }},
    {"invert y", [](const sp_control& c) { return c.invert >> 1 & 1u; }},
    {"combine", [](const sp_control& c) -> unsigned { return c.combine; }},
    {"function", [](const sp_control& c) -> unsigned { return c.bitwise; }},
    {"product", [](const sp_control& c) -> unsigned { return c.product; }},
    {"compare", [](const sp_control& c) -> unsigned { return c.compare; }},
    {"rounding", [](const sp_control& c) -> unsigned { return c.rounding; }},
    {"source size", [](const sp_control& c) -> unsigned { return c.source_size; }},
    {"result size", [](const sp_control& c) -> unsigned { return c.result_size; }},
};
enum : std::size_t {
  narrow,
  is_signed,
  y_signed,
  source_signed,
  saturate,
  integral,
  negate_x,
  negate_y,
  negate_z,
  absolute_x,
  absolute_y,
  invert_x,
  invert_y,
  combine,
  function,
  product,
  compare,
  rounding,
  source_size,
  result_size
};

// The values of a field that the encodings of an operation have, as bits.
struct field_values {
  std::size_t field;
  unsigned values;
};
constexpr unsigned both = 0x3, all_four = 0xf, all_eight = 0xff, all_sixteen = 0xffff, nearest_or_zero = 0x9;
constexpr unsigned small = 0x3 << 1;  // 16 or 32 bits
constexpr unsigned all_sizes = 0x7;

struct operation {
  op code;
  const char* name;
  std::vector<field_values> fields;
  const char* flags = "";       // that it can set
  bool of_two_singles = false;  // every pair of kinds of operands
  const char* float_results =
      "";  // n NaN, i I infinities, z Z zeros, s S smallest normal, l L largest numbers, 1 one
};

const std::vector<operation>& operations() {
  static const std::vector<operation> list = {
      {op::move, "move", {{narrow, both}}},
      {op::flags_to_value, "flags to value", {}},
      {op::value_to_flags, "value to flags", {}, "OCSZ"},
      {op::address_to_value, "address to value", {}},
      {op::shift_to_address, "shift to address", {}},
      {op::add_to_address, "add to address", {}},
      {op::add, "add", {{narrow, both}, {combine, all_four}, {saturate, both}}, "OCSZ"},
      {op::multiply, "multiply", {{product, all_sizes}, {is_signed, both}, {y_signed, both}}, "SZ"},
      {op::multiply_add,
       "multiply-add",
       {{product, all_sizes}, {is_signed, both}, {combine, all_four}, {saturate, both}},
       "OCSZ"},
      {op::distance_add, "distance-add", {{narrow, both}, {is_signed, both}}, "OCSZ"},
      {op::minimum, "minimum", {{narrow, both}, {is_signed, both}}, "SZ"},
      {op::maximum, "maximum", {{narrow, both}, {is_signed, both}}, "SZ"},
      {op::set, "set", {{narrow, both}, {is_signed, both}, {compare, all_eight}}, "SZ"},
      {op::shift_left, "shift left", {{narrow, both}}, "OCSZ"},
      {op::shift_right, "shift right", {{narrow, both}, {is_signed, both}}, "OCSZ"},
      {op::bitwise, "bitwise", {{narrow, both}, {function, all_four}, {invert_x, both}, {invert_y, both}}, "SZ"},
      {op::float_add,
       "float add",
       {{saturate, both}, {rounding, nearest_or_zero}, {negate_x, both}, {negate_y, both}},
       "SZ",
       true,
       "niIzZsSlL1"},
      {op::float_multiply,
       "float multiply",
       {{saturate, both}, {rounding, nearest_or_zero}, {negate_x, both}, {negate_y, both}},
       "SZ",
       true,
       "niIzZsSlL1"},
      {op::float_multiply_add,
       "float multiply-add",
       {{saturate, both}, {negate_x, both}, {negate_z, both}},
       "SZ",
       true,
       "niIzZsSlL1"},
      {op::float_set,
       "float set",
       {{compare, all_sixteen}, {negate_x, both}, {negate_y, both}, {absolute_x, both}, {absolute_y, both}},
       "SZ",
       true},
      {op::float_minimum,
       "float minimum",
       {{negate_x, both}, {negate_y, both}, {absolute_x, both}, {absolute_y, both}},
       "SZ",
       true,
       "niIzZsSlL1"},
      {op::float_maximum,
       "float maximum",
       {{negate_x, both}, {negate_y, both}, {absolute_x, both}, {absolute_y, both}},
       "SZ",
       true,
       "niIzZsSlL1"},
      {op::float_select, "float select", {{negate_z, both}}, "SZ", false, "niIzZ1"},
      {op::reduce_sine, "reduce sine", {{negate_x, both}, {absolute_x, both}}},
      {op::reduce_power, "reduce power", {{negate_x, both}, {absolute_x, both}}},
      {op::integer_to_integer,
       "integer to integer",
       {{source_size, all_sizes},
        {result_size, all_sizes},
        {source_signed, both},
        {is_signed, both},
        {narrow, both},
        {negate_x, both},
        {absolute_x, both}},
       "SZ"},
      {op::integer_to_float,
       "integer to float",
       {{source_size, all_sizes},
        {result_size, small},
        {source_signed, both},
        {rounding, all_four},
        {saturate, both},
        {negate_x, both},
        {absolute_x, both}},
       "SZ",
       false,
       "zZ1"},
      {op::float_to_integer,
       "float to integer",
       {{source_size, small},
        {result_size, small},
        {is_signed, both},
        {rounding, all_four},
        {negate_x, both},
        {absolute_x, both}},
       "SZ"},
      {op::float_to_float,
       "float to float",
       {{source_size, small},
        {result_size, small},
        {integral, both},
        {rounding, all_four},
        {saturate, both},
        {negate_x, both},
        {absolute_x, both}},
       "SZ",
       false,
       "niIzZ1"},
  };
  return list;
}

std::size_t kind_of(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::size_t kind = 2;
  if (magnitude == 0) kind = 0;
  if (magnitude != 0 && magnitude < 0x00800000u) kind = 1;
  if (magnitude == 0x7f800000u) kind = 3;
  if (magnitude > 0x7f800000u) kind = 4;
  return 2 * kind + (bits >> 31);
}
constexpr const char* kinds[] = {
    "+0",        "-0",        "a denormal", "a negative denormal", "a number", "a negative number",
    "+infinity", "-infinity", "a NaN",      "a negative NaN"};

struct remarkable_result {
  char letter;
  const char* name;
  std::uint32_t bits;
};
constexpr remarkable_result remarkable[] = {{'n', "NaN", 0x7fffffffu},
                                            {'i', "+infinity", 0x7f800000u},
                                            {'I', "-infinity", 0xff800000u},
                                            {'z', "+0", 0u},
                                            {'Z', "-0", 0x80000000u},
                                            {'s', "the smallest number", 0x00800000u},
                                            {'S', "its opposite", 0x80800000u},
                                            {'l', "the largest number", 0x7f7fffffu},
                                            {'L', "the most negative number", 0xff7fffffu},
                                            {'1', "one", 0x3f800000u}};

}  // namespace

std::size_t sp_coverage::add_bin(const std::string& name) {
  names_.push_back(name);
  counts_.push_back(0);
  return counts_.size() - 1;
}

sp_coverage::sp_coverage() {
  add_bin("");
  for (const operation& o : operations()) {
    const auto number = static_cast<std::size_t>(o.code);
    if (o.fields.empty()) modifiers_[number].push_back({narrow, {add_bin(o.name)}});
    for (const field_values& f : o.fields) {
      modifier_bins bins{f.field, {}};
      for (unsigned value = 0; value < 16; ++value)
        bins.of_value.push_back((f.values >> value & 1) != 0
                                    ? add_bin(fmt::format("{}: {} = {}", o.name, fields[f.field].name, value))
                                    : 0);
      modifiers_[number].push_back(std::move(bins));
    }
    for (unsigned bit = 0; bit < 4; ++bit)
      if (std::string(o.flags).find("ZSCO"[bit]) != std::string::npos)
        flags_[number][bit] = add_bin(fmt::format("{} sets {}", o.name, "ZSCO"[bit]));
    if (o.of_two_singles) {
      pairs_[number] = counts_.size();
      for (const char* y : kinds)
        for (const char* x : kinds) add_bin(fmt::format("{} of {} and {}", o.name, x, y));
    }
    for (std::size_t k = 0; k < std::size(remarkable); ++k)
      if (std::string(o.float_results).find(remarkable[k].letter) != std::string::npos)
        float_results_[number][k] = add_bin(fmt::format("{} gives {}", o.name, remarkable[k].name));
  }
}

void sp_coverage::cover_instruction(const sp_control& control) {
  for (const modifier_bins& m : modifiers_[static_cast<std::size_t>(control.operation)])
    ++counts_[m.of_value[m.of_value.size() == 1 ? 0 : fields[m.field].value(control)]];
}

void sp_coverage::cover_lane(const sp_control& control, const rtl::sp_results& results,
                             const rtl::lane_operands& operands, const rtl::lane_result& result) {
  const auto number = static_cast<std::size_t>(control.operation);
  if (results.flags)
    for (unsigned bit = 0; bit < 4; ++bit) counts_[flags_[number][bit]] += result.flags_out >> bit & 1u;
  if (pairs_[number] != 0)
    ++counts_[pairs_[number] + kind_of(operands.source[0]) + 10 * kind_of(operands.source[1])];
  for (std::size_t k = 0; k < std::size(remarkable); ++k)
    if (result.destination == remarkable[k].bits) ++counts_[float_results_[number][k]];
}

std::map<std::string, std::uint64_t> sp_coverage::bins() const {
  std::map<std::string, std::uint64_t> result;
  for (std::size_t bin = 1; bin < names_.size(); ++bin) result.emplace(names_[bin], counts_[bin]);
  return result;
}

}  // namespace gt200::support
