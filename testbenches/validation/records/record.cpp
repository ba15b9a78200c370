#include "testbenches/validation/records/record.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "toolchain/error.h"

namespace gt200::validation {
namespace {

using json = nlohmann::ordered_json;

const char* name_of(relation r) {
  switch (r) {
    case relation::within: return "within";
    case relation::at_least: return "at_least";
    case relation::reported: return "reported";
  }
  return "";
}

double cpu_seconds_of(int who) {
  rusage usage{};
  getrusage(who, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Figures are measured in child processes.
double cpu_seconds() { return cpu_seconds_of(RUSAGE_SELF) + cpu_seconds_of(RUSAGE_CHILDREN); }

// Keeps the significant digits.
double rounded(double value, double step) { return std::round(value / step) * step; }

std::string path_of(const std::string& folder, const std::string& id) { return folder + "/" + id + ".json"; }

}  // namespace

record measured(const figure_set& set, const figure& f, const std::string& commit) {
  const config::gpu_config config = configuration_of(set, f);
  const double before = cpu_seconds();
  record r;
  r.value = f.measure(config);
  r.cpu_seconds = rounded(cpu_seconds() - before, 0.01);
  r.id = f.id;
  r.what = f.what;
  r.published_value = f.published_value;
  r.tolerance = f.tolerance;
  r.relation = name_of(f.is);
  r.source = f.source;
  r.commit = commit;
  r.config_hash = hash_of(set, config);
  return r;
}

std::string folder_of(const std::string& root, const figure_set& set) { return root + "/" + set.name; }

void write_record(const std::string& folder, const record& r) {
  std::filesystem::create_directories(folder);
  const std::string path = path_of(folder, r.id);
  const std::string unfinished = path + ".new";
  {
    std::ofstream out(unfinished);
    out << json{{"id", r.id},
                {"what", r.what},
                {"value", r.value},
                {"published_value", r.published_value},
                {"tolerance", r.tolerance},
                {"relation", r.relation},
                {"source", r.source},
                {"commit", r.commit},
                {"config_hash", r.config_hash},
                {"cpu_seconds", r.cpu_seconds}}
               .dump(2)
        << '\n';
    if (!out.flush()) throw input_error(unfinished + ": cannot be written");
  }
  std::filesystem::rename(unfinished, path);
}

std::optional<record> read_record(const std::string& folder, const std::string& id) {
  const std::string path = path_of(folder, id);
  std::ifstream in(path);
  if (!in) return std::nullopt;
  try {
    const json from = json::parse(in);
    return record{from.at("id"),          from.at("what"),       from.at("value"),  from.at("published_value"),
                  from.at("tolerance"),   from.at("relation"),   from.at("source"), from.at("commit"),
                  from.at("config_hash"), from.at("cpu_seconds")};
  } catch (const json::exception& e) {
    throw input_error(path + ": not a record: " + e.what());
  }
}

std::vector<std::string> ids_in(const std::string& folder) {
  std::vector<std::string> ids;
  if (!std::filesystem::is_directory(folder)) return ids;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".json") ids.push_back(file.path().stem().string());
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> complaints(const figure_set& set, const std::string& folder,
                                    const std::function<config::gpu_config(const figure&)>& config_of) {
  std::vector<std::string> result;
  for (const figure& f : set.figures) {
    const auto r = read_record(folder, f.id);
    if (!r) {
      result.push_back(f.id + ": no record");
      continue;
    }
    if (r->config_hash != hash_of(set, config_of(f)))
      result.push_back(f.id + ": measured with another configuration");
    if (r->published_value != f.published_value || r->tolerance != f.tolerance || r->relation != name_of(f.is))
      result.push_back(f.id + ": the figure has another published value or tolerance");
    if (!holds(f, r->value)) result.push_back(f.id + ": outside the tolerance");
  }
  for (const std::string& id : ids_in(folder))
    if (std::none_of(set.figures.begin(), set.figures.end(), [&](const figure& f) { return f.id == id; }))
      result.push_back(id + ": a record without a figure");
  return result;
}

}  // namespace gt200::validation
