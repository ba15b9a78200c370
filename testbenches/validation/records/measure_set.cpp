#include "testbenches/validation/records/measure_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "testbenches/validation/records/record.h"
#include "toolchain/error.h"

namespace gt200::validation {
namespace {

struct arguments {
  bool again = false;
  std::vector<std::string> ids;
};

arguments parse(const figure_set& set, int argc, char* argv[]) {
  arguments result;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--again") {
      result.again = true;
    } else if (std::any_of(set.figures.begin(), set.figures.end(),
                           [&](const figure& f) { return f.id == argument; })) {
      result.ids.push_back(argument);
    } else {
      throw input_error("'" + argument + "' is neither --again nor a figure of the set '" + set.name + "'");
    }
  }
  return result;
}

// True if the record's sources and configuration are those of now.
bool current(const figure_set& set, const figure& f, const record& r, const std::string& commit) {
  return r.commit == commit && commit.find('+') == std::string::npos &&
         r.config_hash == hash_of(set, configuration_of(set, f));
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string expectation(const figure& f) {
  switch (f.is) {
    case relation::within: return fmt::format("{} ± {}", number(f.published_value), number(f.tolerance));
    case relation::at_least: return "at least " + number(f.published_value - f.tolerance);
    case relation::reported: return number(f.published_value) + " (reported)";
  }
  return {};
}

// True when every figure has a record and holds.
bool print_table(const figure_set& set, const std::string& folder) {
  fmt::print("# {}\n\n", set.title);
  fmt::print("`scripts/validate {}`, preset `{}`, records in `docs/validation/{}/`.\n\n", set.name, set.preset,
             set.name);
  fmt::print("| figure | what is measured | published | measured | | source |\n|---|---|---|---|---|---|\n");
  bool all = true;
  for (const figure& f : set.figures) {
    const auto r = read_record(folder, f.id);
    const bool good = r && holds(f, r->value);
    all = all && good;
    const char* verdict = !r ? "not measured" : !good ? "OUTSIDE" : f.is == relation::reported ? "" : "holds";
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", f.id, f.what, expectation(f), r ? number(r->value) : "",
               verdict, f.source);
  }
  fmt::print("\nVerdict: {}.\n", all ? "every figure holds" : "NOT EVERY FIGURE HOLDS");
  return all;
}

int measure(const figure_set& set, const arguments& what) {
  const std::string folder = folder_of("docs/validation", set);
  const char* commit = std::getenv("GT200_COMMIT");
  if (commit == nullptr) throw input_error("GT200_COMMIT is not set: run this by scripts/validate");
  for (const figure& f : set.figures) {
    if (!what.ids.empty() && std::find(what.ids.begin(), what.ids.end(), f.id) == what.ids.end()) continue;
    if (!what.again) {
      const auto old = read_record(folder, f.id);
      if (old && current(set, f, *old, commit)) continue;
    }
    const record r = measured(set, f, commit);
    write_record(folder, r);
    fmt::print(stderr, "{}: {} ({} CPU seconds)\n", f.id, number(r.value), number(r.cpu_seconds));
  }
  return print_table(set, folder) ? 0 : 1;
}

}  // namespace

int measure_set(const figure_set& set, int argc, char* argv[]) {
  try {
    return measure(set, parse(set, argc, argv));
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}

}  // namespace gt200::validation
