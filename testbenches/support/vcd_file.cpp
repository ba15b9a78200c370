#include "testbenches/support/vcd_file.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <unordered_map>

namespace gt200::support {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("VCD: " + what); }

std::string without_leading_zeros(const std::string& digits) {
  if (digits.find_first_not_of("01") != std::string::npos || digits.empty()) fail("'" + digits + "' is not binary");
  const std::size_t one = digits.find('1');
  return one == std::string::npos ? "0" : digits.substr(one);
}

std::string unescaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
    } else if (i + 3 < text.size() && text[i + 1] == 'x') {
      result += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else if (i + 1 < text.size() && text[i + 1] == '\\') {
      result += '\\';
      ++i;
    } else if (i + 3 < text.size()) {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      fail("'" + text + "' ends in an escape");
    }
  }
  return result;
}

class reader {
 public:
  explicit reader(const std::string& path) : file_(path) {
    if (!file_) fail(path + " cannot be read");
  }

  vcd_file read() {
    declarations();
    for (std::string word; file_ >> word;) change(word);
    return std::move(result_);
  }

 private:
  std::string word() {
    std::string w;
    if (!(file_ >> w)) fail("ends early");
    return w;
  }
  std::string until_end() {
    std::string text;
    for (std::string w = word(); w != "$end"; w = word()) text += (text.empty() ? "" : " ") + w;
    return text;
  }
  void declarations() {
    std::vector<std::string> scopes;
    for (;;) {
      const std::string w = word();
      if (w == "$enddefinitions") {
        until_end();
        if (!scopes.empty()) fail("a scope is open");
        return;
      }
      if (w == "$timescale") {
        result_.timescale = until_end();
      } else if (w == "$scope") {
        word();
        scopes.push_back(word());
        if (word() != "$end") fail("$scope");
      } else if (w == "$upscope") {
        if (scopes.empty()) fail("$upscope without a scope");
        scopes.pop_back();
        until_end();
      } else if (w == "$var") {
        vcd_signal signal;
        signal.type = word();
        signal.bits = static_cast<unsigned>(std::stoul(word()));
        const std::string code = word();
        std::string path;
        for (const std::string& s : scopes) path += s + ".";
        path += word();
        until_end();  // a range
        if (!result_.signals.emplace(path, signal).second) fail(path + " is declared twice");
        if (!by_code_.emplace(code, &result_.signals[path]).second) fail("code " + code + " is used twice");
      } else if (w == "$date" || w == "$version" || w == "$comment" || w == "$attrbegin" || w == "$attrend") {
        until_end();
      } else {
        fail("'" + w + "' in the declarations");
      }
    }
  }
  void set(const std::string& code, std::string value) {
    const auto found = by_code_.find(code);
    if (found == by_code_.end()) fail("unknown code " + code);
    found->second->changes.emplace_back(time_, std::move(value));
  }
  void change(const std::string& w) {
    if (w == "$dumpvars" || w == "$end") return;
    switch (w[0]) {
      case '#': {
        const std::uint64_t t = std::stoull(w.substr(1));
        if (timed_ && t <= time_) fail("time does not grow at " + w);
        if (!timed_) result_.first_time = t;
        timed_ = true;
        result_.last_time = time_ = t;
        return;
      }
      case 'b': {
        std::string value = without_leading_zeros(w.substr(1));
        const std::string code = word();
        const auto found = by_code_.find(code);
        if (found != by_code_.end() && value.size() > found->second->bits) fail("too many bits of " + code);
        return set(code, std::move(value));
      }
      case 'r': {
        const std::string value = w.substr(1);
        if (value.empty()) fail("a real without digits");
        return set(word(), value);
      }
      case 's': {
        std::string value = unescaped(w.substr(1));
        return set(word(), std::move(value));
      }
      case '0':
      case '1': return set(w.substr(1), w.substr(0, 1));
      default: fail("'" + w + "' among the values");
    }
  }

  std::ifstream file_;
  vcd_file result_;
  std::unordered_map<std::string, vcd_signal*> by_code_;
  std::uint64_t time_ = 0;
  bool timed_ = false;
};

}  // namespace

const std::string& vcd_signal::at(std::uint64_t time) const {
  static const std::string none;
  const auto after = std::upper_bound(changes.begin(), changes.end(), time,
                                      [](std::uint64_t t, const auto& change) { return t < change.first; });
  return after == changes.begin() ? none : std::prev(after)->second;
}

vcd_file read_vcd(const std::string& path) { return reader(path).read(); }

}  // namespace gt200::support
