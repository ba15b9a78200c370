#include "rtl_ref/library/description.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <optional>

#include "rtl_ref/library/files.h"
#include "toolchain/launch/strict_table.h"

namespace gt200::rtl {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

bool is_name(const std::string& text) {
  const auto belongs = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ':'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), belongs);
}

// A number, or a string with an expression of the block's values.
std::int64_t value_of(const toml::node& node, const std::string& name, const launch::strict_table& table,
                      const launch::table_context& context) {
  std::optional<std::int64_t> value = node.value_exact<std::int64_t>();
  std::string reason = "must be an integer or an expression in a string";
  if (const auto expression = node.value_exact<std::string>())
    value = launch::evaluate(*expression, context.names, reason);
  if (!value) table.fail_at(node, "parameter '" + name + "' " + reason);
  if (*value < 0 || *value > largest) table.fail_at(node, "parameter '" + name + "' is out of range");
  return *value;
}

class reader {
 public:
  reader(const launch::strict_table& table, const fs::path& folder) : table_(table), folder_(folder) {}

  std::string path(const char* key, const std::string& name) const {
    const std::string result = fs::absolute(folder_ / name).lexically_normal().string();
    std::error_code error;
    if (name.empty() || !fs::exists(result, error)) table_.fail(key, "there is no '" + result + "'");
    return result;
  }
  std::vector<std::string> paths(const char* key) const {
    std::vector<std::string> result;
    if (table_.has(key))
      for (const std::string& name : table_.words(key)) result.push_back(path(key, name));
    return result;
  }
  // A name that stands in generated code or on a command line.
  std::string name(const char* key) const {
    const std::string text = table_.text(key);
    if (!is_name(text)) table_.fail(key, "'" + text + "' is no name");
    return text;
  }

 private:
  const launch::strict_table& table_;
  fs::path folder_;
};

}  // namespace

description read_description(const request& what) {
  description result;
  result.file = what.description;
  if (result.file.empty())
    result.file = source_folder() + "/rtl_ref/" + what.of.name + "/" + what.of.name + ".toml";
  launch::table_context context{result.file, {}};
  for (const auto& [name, value] : what.values) context.names[name] = static_cast<std::int64_t>(value);

  const toml::table root = parse_toml(content_of(result.file), result.file);
  const launch::strict_table table(
      root, "the description", context,
      {"sources", "module", "pins", "class", "arguments", "include", "flags", "systemc", "parameters"});
  const reader read(table, fs::path(result.file).parent_path());
  result.sources = read.paths("sources");
  if (result.sources.empty()) table.fail("sources", "names no file");
  result.module = read.name("module");
  result.pins = read.path("pins", table.text("pins"));
  result.class_name = read.name("class");
  result.folders = read.paths("include");
  if (table.has("flags")) result.flags = table.words("flags");
  result.systemc = table.flag_or("systemc", false);
  if (table.has("arguments")) result.arguments = table.integers("arguments", 16, 0, largest);
  if (table.has("parameters"))
    for (const auto& [key, node] : table.table("parameters")) {
      const std::string name(key.str());
      if (!is_name(name)) table.fail_at(node, "'" + name + "' is no name of a parameter");
      result.parameters[name] = value_of(node, name, table, context);
    }
  return result;
}

}  // namespace gt200::rtl
