#include "testbenches/rtl/sp_coverage.h"

#include <fmt/format.h>

#include <iterator>

#include "testbenches/rtl/sp_coverage_plan.h"

namespace gt200::support {
namespace {

using rtl::sp_control;

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
  for (const sp_operation_plan& o : sp_operation_plans()) {
    const auto number = static_cast<std::size_t>(o.operation);
    if (o.fields.empty()) modifiers_[number].push_back({0, {add_bin(o.name)}});
    for (const sp_field_values& f : o.fields) {
      modifier_bins bins{f.field, {}};
      for (unsigned value = 0; value < 16; ++value)
        bins.of_value.push_back((f.values >> value & 1) != 0
                                    ? add_bin(fmt::format("{}: {} = {}", o.name, sp_fields()[f.field].name, value))
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
    ++counts_[m.of_value[m.of_value.size() == 1 ? 0 : sp_fields()[m.field].value(control)]];
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
