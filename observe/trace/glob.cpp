#include "observe/trace/glob.h"

#include <algorithm>

#include "toolchain/error.h"

namespace gt200::observe {

bool matches(std::string_view pattern, std::string_view name) {
  // On a mismatch the last '*' takes one more character; earlier ones never need to be tried again.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches(pattern, name); });
}

partial_match::partial_match(const std::vector<std::string>& patterns) {
  std::vector<pattern> compiled;
  for (const std::string& text : patterns) {
    if (text.size() > longest) throw input_error("the pattern '" + text + "' is longer than 255 characters");
    pattern& p = compiled.emplace_back();
    p.length = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '*')
        p.stars.set(i);
      else if (text[i] == '?')
        for (places& of_character : p.reads) of_character.set(i);
      else
        p.reads[static_cast<unsigned char>(text[i])].set(i);
    }
    places at;
    at.set(0);
    p.pass_stars(at);
    reached_.push_back(at);
  }
  patterns_ = std::make_shared<const std::vector<pattern>>(std::move(compiled));
}

// A star may stand for nothing.
void partial_match::pattern::pass_stars(places& at) const {
  for (places passed = at | (at & stars) << 1; passed != at; passed = at | (at & stars) << 1) at = passed;
}

void partial_match::pattern::read(places& at, std::string_view text) const {
  for (const char c : text) {
    if (at.none()) return;
    at = (at & reads[static_cast<unsigned char>(c)]) << 1 | (at & stars);
    pass_stars(at);
  }
}

partial_match partial_match::after(std::string_view text) const {
  partial_match result = *this;
  for (std::size_t i = 0; i < reached_.size(); ++i) (*patterns_)[i].read(result.reached_[i], text);
  return result;
}

bool partial_match::possible() const {
  return std::any_of(reached_.begin(), reached_.end(), [](const places& at) { return at.any(); });
}

bool partial_match::matches(std::string_view rest) const {
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    places at = reached_[i];
    (*patterns_)[i].read(at, rest);
    if (at[(*patterns_)[i].length]) return true;
  }
  return false;
}

std::string listed(const std::vector<std::string>& patterns) {
  std::string text;
  for (const std::string& pattern : patterns) text += (text.empty() ? "'" : ", '") + pattern + "'";
  return text;
}

}  // namespace gt200::observe
