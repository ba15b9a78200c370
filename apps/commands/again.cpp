#include "apps/commands/again.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/study/program_hash.h"
#include "apps/study/sha256.h"
#include "apps/support/repeated_run.h"
#include "apps/support/scratch_folder.h"
#include "gt200/version.h"
#include "observe/summary.h"
#include "sc_models/config/load.h"
#include "sc_models/config/print.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using words = std::vector<std::string>;

json read_stats(const std::string& folder) {
  const std::string path = folder + "/stats.json";
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error(path, 0, "cannot be read; --again takes a folder of gt200 run --out");
  json text = json::parse(std::string{std::istreambuf_iterator<char>(file), {}}, nullptr, false);
  if (text.is_discarded() || !text.is_object() || !text.contains("command_line") || !text.contains("launches"))
    throw input_error(path, 0, "is not the stats.json of a run");
  return text;
}

// The command with another folder for its results, which has the statistics.
words command_with(const json& line, const std::string& out) {
  const words stored = line.get<words>();
  words result = without_options(stored, {{"--out", 1}, {"--keep", 1}, {"--json", 0}});
  if (result.size() < 2 || result[1] != "run") throw input_error(out, 0, "the stored command is not gt200 run");
  result.erase(result.begin());
  result.insert(result.end(), {"--out", out, "--no-evidence"});
  return result;
}

std::uint64_t cycles_of(const json& stats) {
  std::uint64_t sum = 0;
  for (const json& launch : stats.at("launches")) sum += launch.at("core_cycles").get<std::uint64_t>();
  return sum;
}

// Returns the differences as lines; sets `figures` if a figure of the run differs.
words differences(const json& before, const json& after, bool& figures) {
  words lines;
  const json none = json::object();
  const json& old_facts = before.contains("provenance") ? before.at("provenance") : none;
  const json& new_facts = after.contains("provenance") ? after.at("provenance") : none;
  if (old_facts.empty()) lines.emplace_back("the first run did not keep its version and the hashes of its inputs");
  const auto tell = [&](const char* member, const char* what, bool with_values) {
    if (!old_facts.contains(member) || old_facts.at(member) == new_facts.value(member, json())) return;
    lines.push_back(with_values ? fmt::format("{}: {} instead of {}", what, new_facts.value(member, ""),
                                              old_facts.value(member, ""))
                                : std::string(what) + " has changed");
  };
  tell("version", "version", true);
  tell("code_sha256", "the code of the kernel", false);
  const json old_inputs = old_facts.value("inputs", none), new_inputs = new_facts.value("inputs", none);
  for (const auto& [path, hash] : old_inputs.items())
    if (new_inputs.value(path, "") != hash) lines.push_back(path + " has changed");
  if (before.value("configuration_hash", "") != after.value("configuration_hash", ""))
    lines.emplace_back("the configuration has changed: gt200 config diff shows the keys, with config.toml of both");
  const std::uint64_t old_cycles = cycles_of(before), new_cycles = cycles_of(after);
  figures = before.at("launches") != after.at("launches");
  if (old_cycles != new_cycles)
    lines.push_back(fmt::format("{} core cycles instead of {} ({:+.2f} %)", observe::grouped(new_cycles),
                                observe::grouped(old_cycles),
                                100 * (static_cast<double>(new_cycles) / static_cast<double>(old_cycles) - 1)));
  else if (figures)
    lines.emplace_back("as many core cycles, but other figures of the launches");
  return lines;
}

// config.toml is a record: the command line says what runs. So one that was edited does nothing, and that is said.
bool record_was_edited(const std::string& folder, const json& before) {
  const std::string path = folder + "/config.toml";
  if (!fs::exists(path) || !before.contains("configuration_hash")) return false;
  try {
    return fmt::format("{:016x}", config::hash_of(config::load(path).values)) != before.at("configuration_hash");
  } catch (const input_error&) {
    return false;  // it may need a plug-in that the run loads
  }
}

}  // namespace

json provenance_of(const workload& work) {
  std::vector<std::string> files = {work.launch.file, work.launch.source};
  for (const launch::buffer& b : work.launch.buffers) files.push_back(b.path);
  for (const launch::constant& c : work.launch.constants) files.push_back(c.content.path);
  for (const auto& [buffer, file] : work.inputs) files.push_back(file);
  json inputs = json::object();
  for (const std::string& file : files)
    if (const auto hash = file.empty() ? std::nullopt : study::sha256_of_file(file)) inputs[file] = *hash;
  return {{"version", GT200_VERSION},
          {"code_sha256", study::hash_of(work.module)},
          {"inputs", inputs},
          {"folder", fs::current_path().string()}};
}

exit_code run_again(const std::string& folder, const std::string& out) {
  const json before = read_stats(folder);
  const scratch_folder results(out);
  const int code = repeat({command_with(before.at("command_line"), fs::absolute(results.path()).string()),
                           before.value("provenance", json::object()).value("folder", "")});
  if (!fs::exists(results.path() + "/stats.json")) return static_cast<exit_code>(code);
  bool figures = false;
  words lines = differences(before, read_stats(results.path()), figures);
  if (record_was_edited(folder, before))
    lines.push_back(
        fmt::format("{0}/config.toml was edited, and is not read here: --config {0}/config.toml runs it", folder));
  if (lines.empty())
    fmt::print("{}", observe::labelled("again", "program, code, inputs and all figures are as before"));
  for (std::size_t i = 0; i < lines.size(); ++i)
    fmt::print("{}", observe::labelled(i == 0 ? "again" : "", lines[i]));
  return figures ? exit_code::check_failed : static_cast<exit_code>(code);
}

}  // namespace gt200::apps
