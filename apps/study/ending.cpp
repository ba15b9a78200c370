#include "apps/study/ending.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/study/sha256.h"
#include "apps/support/json_text.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::uint64_t small_file = 65536;

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<std::uint64_t> size_of_file(const std::string& path) {
  struct stat is {};
  if (stat(path.c_str(), &is) != 0 || !S_ISREG(is.st_mode)) return std::nullopt;
  return static_cast<std::uint64_t>(is.st_size);
}

// Throws json exceptions when the text is not of the form that write_ending() writes.
stored_ending parsed(const json& from) {
  stored_ending result;
  result.key = from.at("key");
  result.command = from.at("command").get<words>();
  result.end.exit_code = from.at("exit_code");
  result.end.reason = from.at("reason");
  result.end.seconds = from.at("seconds");
  result.end.peak_kib = from.at("peak_kib");
  result.end.cached = from.at("cached");
  for (const auto& [name, file] : from.at("files").items())
    result.files[name] = {file.at("bytes").get<std::uint64_t>(), file.at("sha256").get<std::string>()};
  return result;
}

}  // namespace

void write_ending(const std::string& folder, const ending& end, const std::string& key, const words& command) {
  json files = json::object();
  std::map<std::string, stored_file> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == ending_file || !entry.is_regular_file()) continue;
    const auto hash = sha256_of_file(entry.path().string());
    if (!hash) throw input_error(entry.path().string(), 0, "cannot be read");
    found[name] = {entry.file_size(), *hash};
  }
  for (const auto& [name, file] : found) files[name] = {{"bytes", file.bytes}, {"sha256", file.sha256}};
  json text = {{"key", key},           {"command", command},     {"exit_code", end.exit_code},
               {"reason", end.reason}, {"seconds", end.seconds}, {"peak_kib", end.peak_kib},
               {"cached", end.cached}, {"files", files}};
  const std::string check = sha256_of(json_text(text));
  text["check"] = check;
  write_file(folder + "/" + ending_file, json_text(text) + "\n");
}

std::optional<stored_ending> read_ending(const std::string& folder, verify how) {
  const auto text = content_of(folder + "/" + ending_file);
  if (!text) return std::nullopt;
  json stored = json::parse(*text, nullptr, false);
  if (!stored.is_object() || !stored.contains("check")) return std::nullopt;
  const json check = stored["check"];
  stored.erase("check");
  if (check != sha256_of(json_text(stored))) return std::nullopt;
  try {
    stored_ending result = parsed(stored);
    for (const auto& [name, file] : result.files) {
      const std::string path = folder + "/" + name;
      if (size_of_file(path) != file.bytes) return std::nullopt;
      const bool look = how == verify::all || (how == verify::small_files && file.bytes <= small_file);
      if (look && sha256_of_file(path) != file.sha256) return std::nullopt;
    }
    return result;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<std::string> verified_content(const std::string& folder, const stored_ending& end,
                                            const std::string& name) {
  const auto file = end.files.find(name);
  if (file == end.files.end()) return std::nullopt;
  auto text = content_of(folder + "/" + name);
  if (!text || sha256_of(*text) != file->second.sha256) return std::nullopt;
  return text;
}

words as_stored(const words& command) { return json::parse(json_text(command)).get<words>(); }

}  // namespace gt200::apps::study
