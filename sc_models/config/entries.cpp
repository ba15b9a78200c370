#include "sc_models/config/entries.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <vector>

#include "sc_models/config/text.h"
#include "toolchain/error.h"
#include "toolchain/toml_file.h"

namespace gt200::config {
namespace {

toml_value value_of(const toml::node& node) {
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* string = node.as_string()) return string->get();
  return other_value{node.is_array() ? "an array" : "a date or time"};
}

// The comments at the ends of the lines of a file.
class line_comments {
 public:
  explicit line_comments(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) comments_.push_back(at_end_of(line));
  }
  const std::string& of(unsigned line) const {
    static const std::string none;
    return line == 0 || line > comments_.size() ? none : comments_[line - 1];
  }

 private:
  static std::string at_end_of(const std::string& line) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote == '"' && c == '\\') {
        ++i;
      } else if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '#') {
        const std::size_t first = line.find_first_not_of("# \t", i);
        const std::size_t last = line.find_last_not_of(" \t\r");
        return first == std::string::npos || first > last ? std::string() : line.substr(first, last + 1 - first);
      }
    }
    return {};
  }

  std::vector<std::string> comments_;
};

// `in` has the file, and the comment of the table.
void flatten(const toml::table& table, const std::string& prefix, const location& in, const line_comments& comments,
             entries& result) {
  for (const auto& [key, node] : table) {
    const std::string path = prefix + std::string(key.str());
    location at = in;
    at.line = key.source().begin.line;
    if (const std::string& own = comments.of(at.line); !own.empty()) at.comment = own;
    if (const auto* inner = node.as_table()) {
      location of_inner = in;
      of_inner.comment = comments.of(inner->source().begin.line);
      result.tables[path] = at;
      flatten(*inner, path + ".", of_inner, comments, result);
    } else {
      result.keys[path] = {value_of(node), at};
    }
  }
}

constexpr std::size_t largest_file = std::size_t{1} << 20;

std::string contents_of(const std::string& file, const location& named_at) {
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  const bool readable = in && !std::filesystem::is_directory(file, ignored);
  if (!readable && named_at.file.empty()) throw input_error(file, 0, "cannot read this configuration file");
  if (!readable) {
    throw input_error(named_at.file, named_at.line, "cannot read the base configuration '" + file + "'");
  }
  std::string text;
  // Refuse endless devices.
  for (std::array<char, 1 << 14> part; in && text.size() <= largest_file;) {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > largest_file) throw input_error(file, 0, "is larger than 1 MiB, which no configuration is");
  return text;
}

unsigned next_rank(const entries& all) {
  unsigned rank = 0;
  for (const auto& [path, previous] : all.keys) rank = std::max(rank, previous.at.rank + 1);
  return rank;
}

std::string canonical(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(file, ignored).string();
}

// `chain` holds the canonical paths of the files that led here, `file` included.
entries read_chain(const std::string& text, const std::string& file, std::vector<std::string>& chain) {
  toml::table table = parse_toml(text, file);

  entries result;
  location here{file, 0, 0, {}};
  if (const auto found = table.find("base"); found != table.end()) {
    here.line = found->first.source().begin.line;
    const auto* name = found->second.as_string();
    if (name == nullptr)
      throw input_error(file, here.line, "base: the name of another configuration file is expected");
    const auto base = (std::filesystem::path(file).parent_path() / name->get()).lexically_normal();
    const std::string text_of_base = contents_of(base.string(), here);
    const std::string path = canonical(base.string());
    const bool circle = std::find(chain.begin(), chain.end(), path) != chain.end();
    chain.push_back(path);
    if (circle) throw input_error(file, here.line, "base leads in a circle: " + joined(chain, " -> "));
    result = read_chain(text_of_base, base.string(), chain);
    table.erase(found);
  }
  here.rank = next_rank(result);
  here.line = 0;
  flatten(table, "", here, line_comments(text), result);
  return result;
}

}  // namespace

entries read_files(const std::string& file) { return read_text(contents_of(file, {}), file); }

entries read_text(const std::string& text, const std::string& file) {
  std::vector<std::string> chain = {canonical(file)};
  return read_chain(text, file, chain);
}

void apply_override(entries& all, const std::string& text) {
  const std::string where = "--set " + text;
  const auto equals = text.find('=');
  const auto trim = [](const std::string& s) {
    const auto first = s.find_first_not_of(" \t");
    return first == std::string::npos ? std::string() : s.substr(first, s.find_last_not_of(" \t") - first + 1);
  };
  const std::string key = trim(text.substr(0, equals));
  if (equals == std::string::npos || key.empty()) throw input_error(where, 0, "expected key=value");
  const std::string written = trim(text.substr(equals + 1));
  if (written.empty()) throw input_error(where, 0, "no value after '='");

  toml_value value = written;
  try {
    const toml::table parsed = parse_toml("value = " + written, where);
    if (parsed.size() == 1)
      value = parsed["value"].is_table() ? other_value{"a table"} : value_of(*parsed.get("value"));
  } catch (const input_error&) {  // a bare word
  }
  all.keys[key] = {value, {where, 0, next_rank(all), {}}};
}

}  // namespace gt200::config
