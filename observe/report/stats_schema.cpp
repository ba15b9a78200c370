#include "observe/report/stats_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "tlm_bus/histogram.h"
#include "toolchain/error.h"

namespace gt200::observe::report {
namespace {

using json = nlohmann::ordered_json;

enum class kind : std::uint8_t { object, array, text, count, count32, truth };

struct member {
  const char* path;  // '*': every element or member; '?' after a name: optional
  kind type;
};

// A member comes after those that contain it.
constexpr member members[] = {
    {"/schema", kind::text},
    {"/schema_version", kind::count},
    {"/program", kind::object},
    {"/program/source", kind::text},
    {"/configuration_hash", kind::text},
    {"/result", kind::object},
    {"/result/end", kind::text},
    {"/result/checks", kind::count},
    {"/result/passed", kind::truth},
    {"/result/message", kind::text},
    {"/hints?", kind::array},
    {"/hints?/*", kind::text},
    {"/grid_hints?", kind::array},
    {"/grid_hints?/*/kind", kind::text},
    {"/grid_hints?/*/place", kind::text},
    {"/trust?", kind::array},
    {"/trust?/*", kind::text},
    {"/command_line", kind::array},
    {"/command_line/*", kind::text},
    {"/counters", kind::array},
    {"/counters/*/path", kind::text},
    {"/counters/*/unit", kind::text},
    {"/histograms?", kind::array},
    {"/histograms?/*/path", kind::text},
    {"/histograms?/*/unit", kind::text},
    {"/source_lines?", kind::object},
    {"/source_lines?/*", kind::text},
    {"/launches", kind::array},
    {"/launches/*/kernel", kind::text},
    {"/launches/*/end", kind::text},
    {"/launches/*/registers?", kind::count32},
    {"/launches/*/code_hash?", kind::text},
    {"/launches/*/grid", kind::array},
    {"/launches/*/grid/*", kind::count},
    {"/launches/*/block", kind::array},
    {"/launches/*/block/*", kind::count},
    {"/launches/*/core_cycles", kind::count},
    {"/launches/*/began_at_fs", kind::count},
    {"/launches/*/ended_at_fs", kind::count},
    {"/launches/*/cycle_accounting", kind::object},
    {"/launches/*/cycle_accounting/total", kind::object},
    {"/launches/*/cycle_accounting/total/*", kind::count},
    {"/launches/*/cycle_accounting/total/issued", kind::count},
    {"/launches/*/cycle_accounting/sms", kind::array},
    {"/launches/*/cycle_accounting/sms/*/path", kind::text},
    {"/launches/*/cycle_accounting/sms/*/resident_warp_cycles", kind::count},
    {"/launches/*/cycle_accounting/sms/*/slots", kind::object},
    {"/launches/*/cycle_accounting/sms/*/slots/*", kind::count},
    {"/launches/*/cycle_accounting/instructions", kind::array},
    {"/launches/*/cycle_accounting/instructions/*/pc", kind::count32},
    {"/launches/*/cycle_accounting/instructions/*/instruction", kind::text},
    {"/launches/*/cycle_accounting/instructions/*/line?", kind::count32},
    {"/launches/*/cycle_accounting/instructions/*/live_registers?", kind::count32},
    {"/launches/*/cycle_accounting/instructions/*/active_lanes", kind::count},
    {"/launches/*/cycle_accounting/instructions/*/flops", kind::count},
    {"/launches/*/cycle_accounting/instructions/*/slots", kind::object},
    {"/launches/*/cycle_accounting/instructions/*/slots/*", kind::count},
    {"/launches/*/counters", kind::object},
    {"/launches/*/counters/*", kind::count},
    {"/launches/*/histograms?", kind::object},
    {"/launches/*/histograms?/*/sum", kind::count},
    {"/launches/*/histograms?/*/bins", kind::array},
    {"/launches/*/histograms?/*/bins/*", kind::count},
    {"/launches/*/distributions?", kind::object},
    {"/launches/*/distributions?/*/sum", kind::count},
    {"/launches/*/distributions?/*/values", kind::array},
    {"/launches/*/distributions?/*/values/*", kind::count},
    {"/over_time?", kind::object},
    {"/over_time?/core_cycles", kind::array},
    {"/over_time?/core_cycles/*", kind::count},
    {"/over_time?/slots", kind::object},
    {"/over_time?/slots/*", kind::array},
    {"/over_time?/slots/*/*", kind::count},
    {"/over_time?/resident_warp_cycles", kind::array},
    {"/over_time?/resident_warp_cycles/*", kind::count},
    {"/over_time?/dram_read_bytes", kind::array},
    {"/over_time?/dram_read_bytes/*", kind::count},
    {"/over_time?/dram_written_bytes", kind::array},
    {"/over_time?/dram_written_bytes/*", kind::count},
    {"/over_time?/series?", kind::object},
    {"/over_time?/series?/*", kind::array},
    {"/over_time?/series?/*/*", kind::count},
};

const char* name_of(kind type) {
  switch (type) {
    case kind::object: return "an object";
    case kind::array: return "an array";
    case kind::text: return "a string";
    case kind::count: return "a whole number, not negative";
    case kind::count32: return "a whole number below 2^32";
    case kind::truth: return "true, false or null";
  }
  return "";
}

bool is(const json& value, kind type) {
  switch (type) {
    case kind::object: return value.is_object();
    case kind::array: return value.is_array();
    case kind::text: return value.is_string();
    case kind::count: return value.is_number_unsigned();
    case kind::count32: return value.is_number_unsigned() && value.get<std::uint64_t>() <= UINT32_MAX;
    case kind::truth: return value.is_boolean() || value.is_null();
  }
  return false;
}

class checker {
 public:
  explicit checker(const std::string& file) : file_(file) {}

  // Checks `value`, whose path is `at`, against `rest`, the remaining part of a schema path.
  void check(const json& value, const std::string& at, std::string_view rest, kind type) const {
    if (rest.empty()) {
      if (!is(value, type)) refuse(at, name_of(type));
      return;
    }
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find('/'), rest.size());
    std::string name(rest.substr(0, end));
    rest.remove_prefix(end);
    if (name == "*") {
      for (const auto& [key, inner] : value.items()) check(inner, at + "/" + key, rest, type);
      return;
    }
    const bool optional = name.back() == '?';
    if (optional) name.pop_back();
    if (!value.is_object()) refuse(at, "an object");
    const auto found = value.find(name);
    if (found != value.end()) return check(*found, at + "/" + name, rest, type);
    if (!optional) refuse(at + "/" + name, rest.empty() ? name_of(type) : "an object");
  }
  void check_length(const json& list, const std::string& at, std::size_t length, bool exactly) const {
    if (exactly ? list.size() != length : list.size() > length)
      refuse(at, fmt::format("an array of {}{} elements", exactly ? "" : "at most ", length));
  }

 private:
  [[noreturn]] void refuse(const std::string& at, const std::string& expected) const {
    throw input_error(file_, 0, fmt::format("{}: {} is expected", at.empty() ? "/" : at, expected));
  }
  const std::string& file_;
};

}  // namespace

void check_stats(const json& stats, const std::string& file) {
  const checker checks(file);
  for (const member& m : members) checks.check(stats, "", m.path, m.type);
  for (std::size_t i = 0; i < stats.at("launches").size(); ++i) {
    const json& launch = stats.at("launches")[i];
    if (!launch.contains("histograms")) continue;
    for (const auto& [path, values] : launch.at("histograms").items())
      checks.check_length(values.at("bins"), fmt::format("/launches/{}/histograms/{}/bins", i, path),
                          tlm_bus::histogram::bins, false);
  }
  if (!stats.contains("over_time")) return;
  const json& over_time = stats.at("over_time");
  const std::size_t intervals = over_time.at("core_cycles").size();
  for (const char* name : {"resident_warp_cycles", "dram_read_bytes", "dram_written_bytes"})
    checks.check_length(over_time.at(name), std::string("/over_time/") + name, intervals, true);
  for (const auto& [cause, counts] : over_time.at("slots").items())
    checks.check_length(counts, "/over_time/slots/" + cause, intervals, true);
  if (!over_time.contains("series")) return;
  for (const auto& [path, values] : over_time.at("series").items())
    checks.check_length(values, "/over_time/series/" + path, intervals, true);
}

}  // namespace gt200::observe::report
