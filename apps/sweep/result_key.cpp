#include "apps/sweep/result_key.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "apps/study/program_hash.h"
#include "apps/study/sha256.h"
#include "apps/support/config_files.h"
#include "apps/support/load_program.h"
#include "rtl_ref/library/library.h"
#include "sc_models/config/load.h"
#include "sc_models/config/print.h"
#include "sc_models/config/schema.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/toml_file.h"

namespace gt200::apps::sweep {
namespace {

namespace fs = std::filesystem;

// Words one after another, each with its length, so that no two lists make the same text.
void add(std::string& text, const std::string& word) { text += fmt::format("{}:{};", word.size(), word); }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  if (what.empty()) return text;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// Values of a launch description, in the order of the keys, without layout and comments. `file_hash` gives what
// stands for a text that names a file, and nothing for other texts.
class canonical_text {
 public:
  explicit canonical_text(const std::map<std::string, std::string>& files, fs::path folder)
      : files_(files), folder_(std::move(folder)) {}

  std::string of(const toml::node& node) {
    std::string text;
    if (const toml::table* table = node.as_table()) {
      for (const auto& [key, value] : *table) {
        add(text, std::string(key.str()));
        text += of(value);
      }
      return "{" + text + "}";
    }
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& value : *array) text += of(value);
      return "[" + text + "]";
    }
    if (const auto* string = node.as_string()) {
      const auto file = files_.find((folder_ / string->get()).lexically_normal().string());
      add(text, file == files_.end() ? "text " + string->get() : "file " + file->second);
    } else if (const auto* integer = node.as_integer()) {
      add(text, fmt::format("integer {}", integer->get()));
    } else if (const auto* real = node.as_floating_point()) {
      add(text, fmt::format("real {:a}", real->get()));
    } else if (const auto* flag = node.as_boolean()) {
      add(text, flag->get() ? "true" : "false");
    } else {
      add(text, "other");  // a launch description has no dates
    }
    return text;
  }

 private:
  const std::map<std::string, std::string>& files_;
  fs::path folder_;
};

std::vector<std::string> files_of(const launch::description& launch) {
  std::set<std::string> paths;
  for (const launch::buffer& b : launch.buffers) paths.insert(b.path);
  for (const launch::constant& c : launch.constants) paths.insert(c.content.path);
  for (const launch::expectation& e : launch.expectations) paths.insert(e.path);
  paths.erase("");
  return {paths.begin(), paths.end()};
}

}  // namespace

key_maker::key_maker() : program_hash_(study::hash_of_this_program()) { share_programs(); }

result_key key_maker::key_of(const planned_run& run) {
  const config_part& config = config_of(run);
  std::string text = "gt200 result 1\n";
  for (const std::string& part :
       {program_hash_, config.text, workload_text(run.workload, config.capability), run.options})
    add(text, part);
  return {study::sha256_of(text), config.sha256};
}

const key_maker::config_part& key_maker::config_of(const planned_run& run) {
  std::string name;
  add(name, run.config);
  for (const std::string& text : run.overrides) add(name, text);
  if (const auto found = configs_.find(name); found != configs_.end()) return found->second;
  config::resolved_config resolved = config::load(find_config(run.config), run.overrides);
  std::set<std::string> files = {find_config(run.config)};
  for (const auto& [key, place] : resolved.set_at)
    if (place.line != 0) files.insert(place.file);  // --set has no file
  for (const std::string& file : files) hash_of_input(file);
  config_part result;
  const std::string toml = config::to_toml(resolved.values);
  result.sha256 = study::sha256_of(toml);
  result.capability = resolved.values.chip.capability();
  result.text = toml;
  // RTL counts by what is built from it, not by the name of the file that describes it.
  const config::schema keys(resolved.values);
  for (const config::key_info& key : keys.keys)
    if (const auto* file = std::get_if<config::file_ref>(&key.value))
      result.text = replaced(result.text, *file->value, "");
  for (const rtl::request& rtl : model::rtl_in_use(resolved.values)) {
    const std::string library = rtl::build(rtl);
    add(result.text, "rtl " + rtl.text());
    add(result.text, hash_of_input(library));
    if (!rtl.description.empty()) hash_of_input(rtl.description);
  }
  return configs_.emplace(name, std::move(result)).first->second;
}

const std::string& key_maker::workload_text(const workload_options& options, unsigned capability) {
  std::string name = fmt::format("{};{};", capability, options.seed ? std::to_string(*options.seed) : "-");
  for (const std::string& word : {options.target, options.launch, options.source}) add(name, word);
  for (const std::string& word : options.parameters) add(name, word);
  const direct_launch_options& direct = options.direct;
  for (const std::string& word : {direct.block, direct.grid, direct.entry, std::to_string(direct.shared),
                                  std::to_string(direct.warp_synchronous)})
    add(name, word);
  for (const std::string& word : direct.arguments) add(name, word);
  if (const auto found = workloads_.find(name); found != workloads_.end()) return found->second;
  const auto work = load_workload(options, capability);
  const launch::description& launch = work->launch;
  std::map<std::string, std::string> files;
  for (const std::string& path : files_of(launch))
    files[fs::path(path).lexically_normal().string()] = hash_of_input(path);
  const std::string& program = hash_of_program(launch.source, capability);
  files[fs::path(launch.source).lexically_normal().string()] = program;
  // A direct launch has no file.
  if (!direct.given()) hash_of_input(launch.file);
  const toml::table document = parse_toml(
      direct.given() ? text_of_launch(direct, launch.source, work->module) : cubin::read_file(launch.file),
      launch.file);
  std::string text = canonical_text(files, fs::path(launch.file).parent_path()).of(document);
  add(text, program);
  add(text, hash_of_input(launch.source));  // statistics quote its lines
  add(text, std::to_string(launch.seed));
  for (const auto& [parameter, value] : launch.parameters) add(text, fmt::format("{}={}", parameter, value));
  return workloads_.emplace(name, std::move(text)).first->second;
}

const std::string& key_maker::hash_of_input(const std::string& path) {
  if (const auto found = inputs_.find(path); found != inputs_.end()) return found->second;
  const auto hash = study::sha256_of_file(path);
  if (!hash) throw input_error(path, 0, "cannot be read");
  return inputs_.emplace(path, *hash).first->second;
}

const std::string& key_maker::hash_of_program(const std::string& path, unsigned capability) {
  std::string& hash = programs_[{path, capability}];
  if (hash.empty()) hash = study::hash_of(shared_program(path, capability));
  return hash;
}

std::vector<study::input_file> key_maker::inputs() const {
  std::vector<study::input_file> result;
  for (const auto& [path, hash] : inputs_) result.push_back({path, hash});
  return result;
}

std::vector<study::shared_program> key_maker::programs() const {
  std::vector<study::shared_program> result;
  for (const auto& [program, hash] : programs_) result.push_back({program.first, program.second, hash});
  return result;
}

}  // namespace gt200::apps::sweep
