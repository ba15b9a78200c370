// Settings of configuration files and the command line, before their keys are checked.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace gt200::config {

// Where a value was set. Later settings have a higher rank: base file, file, --set.
struct location {
  std::string file;  // or "--set key=value"
  unsigned line = 0;
  unsigned rank = 0;    // 0: the base of all
  std::string comment;  // behind the value in the file, or behind the name of its table
};

// A TOML value that cannot be a parameter: array, date, time.
struct other_value {
  std::string kind;
};
using toml_value = std::variant<bool, std::int64_t, double, std::string, other_value>;

struct entry {
  toml_value value;
  location at;
};

struct entries {
  std::map<std::string, entry> keys;       // by full path
  std::map<std::string, location> tables;  // every table named, also empty ones
};

// Reads `file` on top of the files it names as `base = "other.toml"` (relative to the file).
// Throws input_error: unreadable file, syntax, a base that names itself through others.
entries read_files(const std::string& file);
// The same for text that is, or will be, the content of `file`.
entries read_text(const std::string& text, const std::string& file);

// Applies "key=value". The value is parsed as TOML. A value that is not valid TOML is a string, so words need no
// quotes. Throws input_error naming --set if there is no '=' or the key is empty.
void apply_override(entries& all, const std::string& text);

}  // namespace gt200::config
