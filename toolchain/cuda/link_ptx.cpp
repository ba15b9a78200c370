#include "toolchain/cuda/link_ptx.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "toolchain/error.h"

namespace gt200::cuda {
namespace {

bool begins(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }
bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }
bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

// A declaration or definition outside functions, with all of its lines.
struct item {
  std::string text;
  std::string name;  // empty: none, like .version
  bool is_function = false;
  bool is_entry = false;
  bool is_external = false;  // declared alone
  bool is_weak = false;
  bool is_visible = false;
};

// The name in front of '(', '[', '=' or ';': that of a function stands behind the list of its results.
std::string name_of(const std::string& text, bool is_function) {
  std::size_t at = 0;
  if (is_function) {
    at = text.find(has(text, ".entry") ? ".entry" : ".func") + 5;
    const std::size_t first = text.find_first_not_of(" \t\n", at);
    if (first != std::string::npos && text[first] == '(') at = text.find(')', first) + 1;
    at = text.find_first_not_of(" \t\n", has(text, ".entry") ? at + 1 : at);
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    return text.substr(at, end - at);
  }
  std::size_t end = text.find_first_of("[=;");
  while (end > 0 && !is_of_name(text[end - 1])) --end;
  at = end;
  while (at > 0 && is_of_name(text[at - 1])) --at;
  return text.substr(at, end - at);
}

// clang begins every item in the first column.
std::vector<item> items_of(const std::string& module) {
  std::vector<item> items;
  std::istringstream lines(module);
  bool in_section = false;
  std::string open;
  for (std::string line; std::getline(lines, line);) {
    const std::string bare = line.substr(std::min(line.size(), line.find_first_not_of(" \t")));
    if (open.empty() && begins(bare, ".section")) in_section = true;
    if (in_section) {
      in_section = bare != "}";
      continue;
    }
    if (open.empty() && (bare.empty() || begins(bare, "//") || line[0] == '\t' || begins(bare, ".file"))) continue;
    open += line + "\n";
    const std::string code = bare.substr(0, bare.find("//"));
    const bool is_function = has(open, ".func") || has(open, ".entry");
    const bool is_directive = begins(open, ".version") || begins(open, ".target") || begins(open, ".address_size");
    const bool ends =
        is_directive ||
        (is_function ? line == "}" || line == ";" || (has(code, ";") && !has(open, "{")) : has(code, ";"));
    if (!ends) continue;
    item made;
    made.is_function = is_function;
    made.is_entry = has(open.substr(0, open.find('\n')), ".entry");
    made.is_weak = begins(open, ".weak");
    made.is_visible = begins(open, ".visible");
    made.is_external = begins(open, ".extern") || (is_function && !has(open, "{"));
    if (!is_directive) made.name = name_of(open, is_function);
    made.text = std::move(open);
    open.clear();
    items.push_back(std::move(made));
  }
  return items;
}

std::string with_names(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_name(text[at])) {
      result += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    const auto found = names.find(word);
    result += found == names.end() ? word : found->second;
    at = end;
  }
  return result;
}

// Without the directives .loc, which name places in a file; .local is another one.
std::string without_lines(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = std::min(line.size(), line.find_first_not_of(" \t"));
    if (line.compare(first, 5, ".loc ") != 0 && line.compare(first, 5, ".loc\t") != 0) result += line + "\n";
  }
  return result;
}

}  // namespace

std::string link_ptx(const std::vector<std::string>& modules) {
  std::set<std::string> defined;
  std::set<std::string> kernels_of_files;
  std::vector<std::vector<item>> all;
  for (const std::string& module : modules) {
    std::vector<item> items = items_of(module);
    std::map<std::string, std::string> names;
    for (const item& i : items) {
      // A static kernel is visible, because the host launches it by its name.
      const bool is_static = i.is_entry && begins(i.name, "_ZL");
      if (is_static && !kernels_of_files.insert(i.name).second)
        throw input_error("kernel '" + i.name + "' is static in two files that are linked: give it another name");
      const bool is_local = !i.name.empty() && !i.is_external && !i.is_weak && !i.is_visible;
      if (is_local && defined.count(i.name) != 0) names[i.name] = i.name + "$" + std::to_string(all.size());
    }
    std::vector<item> kept;
    for (item& i : items) {
      if (all.empty() || !i.name.empty()) {
        i.text = with_names(all.empty() ? i.text : without_lines(i.text), names);
        if (const auto found = names.find(i.name); found != names.end()) i.name = found->second;
        if (!i.is_external && !i.name.empty() && !defined.insert(i.name).second) {
          if (i.is_weak) continue;
          throw input_error("'" + i.name + "' is defined in two files that are linked");
        }
        kept.push_back(std::move(i));
      }
    }
    all.push_back(std::move(kept));
  }
  std::string text;
  std::set<std::string> declared;
  for (const std::vector<item>& items : all)
    for (const item& i : items) {
      const bool is_variable = !i.is_function && !i.name.empty();
      if (i.is_external && is_variable) {
        if (defined.count(i.name) != 0 || !declared.insert(i.name).second) continue;
        if (!has(i.text, ".shared"))
          throw input_error("'" + i.name + "' is declared, but no file that is linked defines it");
      }
      text += i.text;
    }
  return text;
}

}  // namespace gt200::cuda
