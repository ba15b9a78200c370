#include "apps/sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "observe/csv_field.h"
#include "toolchain/error.h"
#include "toolchain/real_number.h"

namespace gt200::apps::sweep {
namespace {

using json = nlohmann::ordered_json;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t number(const json& figures, const char* name) { return figures.at(name).get<std::uint64_t>(); }

std::uint64_t sm_cycles(const json& figures) { return number(figures, "core_cycles") * number(figures, "sms"); }

std::uint64_t issued(const json& figures) { return figures.at("slots").value("issued", std::uint64_t{0}); }

std::uint64_t all_slots(const json& figures) {
  std::uint64_t sum = 0;
  for (const auto& [cause, count] : figures.at("slots").items()) sum += count.get<std::uint64_t>();
  return sum;
}

struct column {
  const char* name;
  const char* meaning;
  bool is_number;
  std::string (*text)(const json& figures);
};

constexpr column columns[] = {
    {"end", "how the last launch ended", false, [](const json& f) { return f.at("end").get<std::string>(); }},
    {"passed", "true, false, or empty when nothing was checked", false,
     [](const json& f) { return f.at("passed").is_null() ? std::string() : f.at("passed").dump(); }},
    {"core_cycles", "of all launches", true,
     [](const json& f) { return std::to_string(number(f, "core_cycles")); }},
    {"microseconds", "simulated, of all launches", true,
     [](const json& f) { return fmt::format("{:.6f}", static_cast<double>(number(f, "femtoseconds")) * 1e-9); }},
    {"warp_instructions", "issued", true, [](const json& f) { return std::to_string(issued(f)); }},
    {"ipc", "warp instructions per core cycle and SM", true,
     [](const json& f) { return fmt::format("{:.6f}", ratio(issued(f), sm_cycles(f))); }},
    {"resident_warps", "per SM, on average", true,
     [](const json& f) { return fmt::format("{:.4f}", ratio(number(f, "resident_warp_cycles"), sm_cycles(f))); }},
    {"issued_share", "issue slots used", true,
     [](const json& f) { return fmt::format("{:.6f}", ratio(issued(f), all_slots(f))); }},
};

// Causes in the order of the first result that has any; the order is the same in all results of one version.
std::vector<std::string> causes_of(const std::vector<row>& rows) {
  std::vector<std::string> result;
  for (const row& r : rows) {
    if (r.figures.is_null() || r.figures.at("slots").empty()) continue;
    for (const auto& [cause, count] : r.figures.at("slots").items())
      if (cause != "issued") result.push_back(cause);
    break;
  }
  return result;
}

std::string line(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + observe::csv_field(fields[i]);
  return text + "\n";
}

}  // namespace

json figures_in(const std::string& text, const std::string& file) {
  try {
    json figures = json::parse(text);
    if (figures.is_null()) return figures;
    const row whole{{}, 0, figures};
    csv({}, {whole}, {});  // all that a table takes is there
    numbers_of(whole, {});
    for (const char* counts : {"slots", "counters"}) figures.at(counts).get<std::map<std::string, std::uint64_t>>();
    figures.value("message", "");
    if (figures.contains("hints")) figures.at("hints").get<std::vector<std::string>>();
    if (figures.contains("grid_hints"))
      for (const json& hint : figures.at("grid_hints").get<std::vector<json>>()) {
        for (const char* name : {"kind", "place"}) hint.at(name).get<std::string>();
        hint.at("percent").get<double>();
      }
    return figures;
  } catch (const json::exception& error) {
    throw input_error(file, 0, std::string("is not what gt200 run writes: ") + error.what());
  }
}

std::string column_help() {
  std::string text;
  for (const column& c : columns) text += fmt::format("  {:<20}{}\n", c.name, c.meaning);
  return text + "  ..._share            issue slots lost to each cause\n";
}

std::string csv(const std::vector<axis>& axes, const std::vector<row>& rows,
                const std::vector<std::string>& counters) {
  const std::vector<std::string> causes = causes_of(rows);
  std::vector<std::string> names;
  for (const axis& a : axes) names.push_back(a.name());
  names.emplace_back("exit_code");
  for (const column& c : columns) names.emplace_back(c.name);
  for (const std::string& cause : causes) names.push_back(cause + "_share");
  names.insert(names.end(), counters.begin(), counters.end());
  std::string text = line(names);

  for (const row& r : rows) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < axes.size(); ++i) fields.push_back(axes[i].values[r.values[i]]);
    fields.push_back(std::to_string(r.exit_code));
    if (!r.figures.is_null()) {
      const std::uint64_t slots = all_slots(r.figures);
      for (const column& c : columns) fields.push_back(c.text(r.figures));
      for (const std::string& cause : causes)
        fields.push_back(fmt::format("{:.6f}", ratio(r.figures.at("slots").value(cause, std::uint64_t{0}), slots)));
      const json& sums = r.figures.at("counters");
      for (const std::string& counter : counters) {
        const auto found = sums.find(counter);
        fields.push_back(found == sums.end() ? std::string() : found->dump());
      }
    }
    fields.resize(names.size());
    text += line(fields);
  }
  return text;
}

std::vector<std::pair<std::string, double>> numbers_of(const row& of, const std::vector<std::string>& counters) {
  std::vector<std::pair<std::string, double>> result;
  if (of.figures.is_null()) return result;
  for (const column& c : columns)
    if (c.is_number) result.emplace_back(c.name, read_real<double>(c.text(of.figures)).value);
  const std::uint64_t slots = all_slots(of.figures);
  for (const auto& [cause, count] : of.figures.at("slots").items())
    if (cause != "issued") result.emplace_back(cause + "_share", ratio(count.get<std::uint64_t>(), slots));
  for (const std::string& counter : counters)
    if (const auto found = of.figures.at("counters").find(counter); found != of.figures.at("counters").end())
      result.emplace_back(counter, static_cast<double>(found->get<std::uint64_t>()));
  return result;
}

}  // namespace gt200::apps::sweep
