#include "cuda/nvcc/launch_brackets.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

namespace gt200::cuda {
namespace {

namespace fs = std::filesystem;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

class scanner {
 public:
  explicit scanner(const std::string& text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (skipped_word()) continue;
      const char c = text_[at_];
      follow_assembly(c);
      if (c == '<' && joined('<')) {
        depth_ = 0;
        in_configuration_ = true;
        continue;
      }
      if (in_configuration_) {
        if (c == '(' || c == '[' || c == '{') ++depth_;
        if (c == ')' || c == ']' || c == '}') --depth_;
        // A launch goes on with its arguments.
        if (c == ';' || depth_ < 0) in_configuration_ = false;
        if (c == '>' && depth_ == 0 && joined('>')) {
          in_configuration_ = false;
          continue;
        }
      }
      result_ += text_[at_++];
    }
    return std::move(result_);
  }

 private:
  // Copies a comment, a text or a character.
  bool skipped_word() {
    const std::string two = text_.substr(at_, 2);
    if (two == "//") return copy_to(text_.find('\n', at_));
    if (two == "/*") {
      const std::size_t end = text_.find("*/", at_ + 2);
      return copy_to(end == std::string::npos ? end : end + 2);
    }
    const char quote = text_[at_];
    if (quote != '"' && quote != '\'') return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    return in_template_ ? copy_template(end + 1) : copy_to(end + 1);
  }
  // The text of an instruction: clang wants `%%` in front of a register's name, nvcc takes `%` as well. One letter
  // is a modifier of an operand.
  bool copy_template(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) {
      result_ += text_[at_];
      if (text_[at_] != '%') continue;
      if (text_[at_ + 1] == '%')
        result_ += text_[++at_];
      else if (is_letter(at_ + 1) && is_letter(at_ + 2))
        result_ += '%';
    }
    return true;
  }
  bool is_letter(std::size_t at) const {
    return at < text_.size() && (std::isalpha(static_cast<unsigned char>(text_[at])) != 0 || text_[at] == '_');
  }
  bool is_name_before(std::size_t end) const {
    while (end > 0 && is_space(text_[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 &&
           (std::isalnum(static_cast<unsigned char>(text_[begin - 1])) != 0 || text_[begin - 1] == '_'))
      --begin;
    const std::string name = text_.substr(begin, end - begin);
    if (name == "volatile" || name == "__volatile__" || name == "__volatile") return is_name_before(begin);
    return name == "asm" || name == "__asm__" || name == "__asm";
  }
  // Whether texts are those of an `asm` statement: up to its first colon.
  void follow_assembly(char c) {
    if (in_template_) {
      if (c == '(') ++asm_depth_;
      if (c == ')') --asm_depth_;
      if (asm_depth_ == 0 || (c == ':' && asm_depth_ == 1) || c == ';') in_template_ = false;
    } else if (c == '(' && is_name_before(at_)) {
      in_template_ = true;
      asm_depth_ = 1;
    }
  }
  bool copy_to(std::size_t end) {
    end = std::min(end, text_.size());
    result_.append(text_, at_, end - at_);
    at_ = end;
    return true;
  }

  // Three brackets with nothing but blanks between them; the closing ones in front of a parenthesis.
  bool joined(char bracket) {
    std::size_t end = at_;
    std::string lines;
    for (int k = 0; k < 3; ++k) {
      while (k != 0 && end < text_.size() && is_space(text_[end])) lines += text_[end++] == '\n' ? "\n" : "";
      if (end >= text_.size() || text_[end] != bracket) return false;
      ++end;
    }
    if (bracket == '>') {
      std::size_t next = end;
      while (next < text_.size() && is_space(text_[next])) ++next;
      if (next >= text_.size() || text_[next] != '(') return false;
    }
    result_ += std::string(3, bracket) + lines;
    at_ = end;
    return true;
  }

  const std::string& text_;
  std::string result_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int asm_depth_ = 0;
  bool in_template_ = false;       // in the text of an asm statement
  bool in_configuration_ = false;  // between the opening and the closing brackets
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The names in `#include "name"`.
std::vector<std::string> included_by(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) continue;
    const std::size_t begin = line.find('"', at);
    const std::size_t end = begin == std::string::npos ? begin : line.find('"', begin + 1);
    if (end != std::string::npos) names.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return names;
}

}  // namespace

std::string join_launch_brackets(const std::string& source) { return scanner(source).run(); }

std::map<std::string, std::string> joined_files(const std::string& source,
                                                const std::vector<std::string>& folders) {
  std::map<std::string, std::string> changed;
  std::set<std::string> known;
  std::vector<fs::path> left = {fs::absolute(source).lexically_normal()};
  while (!left.empty()) {
    const fs::path file = left.back();
    left.pop_back();
    if (!known.insert(file.string()).second) continue;
    const std::string text = content_of(file);
    std::string joined = join_launch_brackets(text);
    if (joined != text) changed.emplace(file.string(), std::move(joined));
    for (const std::string& name : included_by(text)) {
      std::vector<fs::path> places = {file.parent_path()};
      places.insert(places.end(), folders.begin(), folders.end());
      for (const fs::path& place : places) {
        const fs::path found = fs::absolute(place / name).lexically_normal();
        std::error_code error;
        if (!fs::is_regular_file(found, error)) continue;
        left.push_back(found);
        break;
      }
    }
  }
  return changed;
}

std::string overlay_of(const std::map<std::string, std::string>& replaced) {
  const auto quoted = [](const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  };
  std::string text = "{\"version\": 0, \"use-external-names\": false, \"roots\": [";
  for (const auto& [shown, read] : replaced)
    text += std::string(text.back() == '[' ? "" : ",") + "\n  {\"type\": \"file\", \"name\": " + quoted(shown) +
            ", \"external-contents\": " + quoted(read) + "}";
  return text + "]}\n";
}

}  // namespace gt200::cuda
