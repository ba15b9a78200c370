#include "toolchain/assembler/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/code_demand.h"
#include "toolchain/assembler/source_line.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"
#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::assembler {
namespace {

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::size_t hex_digits(std::string_view text) {
  return text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X" ? text.size() - 2 : text.size();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

struct numbered_line {
  unsigned number = 0;
  std::string_view text;  // without outer blanks
};
std::vector<numbered_line> split_lines(std::string_view text) {
  std::vector<numbered_line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({static_cast<unsigned>(lines.size() + 1), trim(text.substr(0, end))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool belongs_outside_kernels(std::string_view directive) {
  constexpr std::array<std::string_view, 5> names = {".target", ".const", ".global", ".sampler", ".equ"};
  return std::find(names.begin(), names.end(), directive) != names.end();
}

// Turns a listing into lines of assembly source, with the code as .word, and notes which directives it had.
class listing_source {
 public:
  explicit listing_source(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(unsigned line, const std::string& reason) const {
    throw input_error(file_, line, isa::readable(reason));
  }

  void begin_kernel(unsigned line, std::string_view name) {
    end_kernel(line);
    open_ = true;
    address_ = 0;
    given_.emplace_back();
    append(line, ".entry " + std::string(name));
    for (const numbered_line& waiting : std::exchange(waiting_, {})) directive(waiting);
  }

  void end_kernel(unsigned line) {
    if (!open_) return;
    finish_instruction();
    append(line, ".end");
    open_ = false;
  }

  void set_target(unsigned line, std::string_view name) {
    if (target_ == name) return;
    if (!target_.empty()) fail(line, fmt::format("code for {} after code for {}", name, target_));
    if (name == "sm_20") fail(line, ".target: 'sm_20' is not supported, only sm_10 to sm_13");
    target_ = name;
    append(line, ".target " + target_);
  }

  void directive(const numbered_line& line) {
    const std::vector<std::string> words = split_words(line.text.substr(0, line.text.find("//")));
    if (words[0] == ".end") return end_kernel(line.number);
    if (words[0] == ".entry" && words.size() == 2) return begin_kernel(line.number, words[1]);
    if (words[0] == ".target" && words.size() == 2) return set_target(line.number, words[1]);
    if (!open_ && !belongs_outside_kernels(words[0])) {
      waiting_.push_back(line);
      return;
    }
    if (open_) given_.back().insert(words[0]);
    append(line.number, std::string(line.text.substr(0, line.text.find("//"))));
  }

  void check_address(unsigned line, std::uint64_t address) const {
    if (address != address_)
      fail(line, fmt::format("address 0x{:x}, but the words before it end at 0x{:x}", address, address_));
  }

  // Adds one word. A long instruction may span two lines.
  void word(unsigned line, std::uint32_t word) {
    if (!open_) begin_kernel(line, default_name());
    if (second_expected_) {
      second_expected_ = false;
    } else if (isa::tesla::length_of(word) == 8) {
      if (address_ % 8 != 0)
        fail(line,
             fmt::format("the long instruction 0x{:08x} at 0x{:x} is not on an 8-byte address", word, address_));
      second_expected_ = true;
      last_line_ = line;
    }
    append(line, fmt::format(".word 0x{:x}", word));
    address_ += 4;
  }
  bool expects_second_word() const { return second_expected_; }

  cubin::module finish(unsigned last_line) {
    end_kernel(last_line);
    if (!waiting_.empty()) fail(waiting_.front().number, "no kernel follows the directive");
    if (given_.empty()) fail(0, "the listing has no code");
    cubin::module module = assemble_lines(lines_, file_);
    unsigned capability = 10;
    for (std::size_t i = 0; i < module.kernels.size(); ++i)
      capability = std::max(capability, deduce(module.kernels[i], given_[i]));
    if (target_.empty()) module.capability = capability;
    return module;
  }

 private:
  void append(unsigned line, std::string text) { lines_.push_back({line, {}, std::move(text)}); }

  void finish_instruction() const {
    if (second_expected_) fail(last_line_, "a long instruction needs a second word");
  }

  std::string default_name() const {
    const std::string stem = std::filesystem::path(file_).stem().string();
    return cubin::is_kernel_name(stem) ? stem : "kernel";
  }

  // Fills in what no directive gave; returns the compute capability the code needs.
  unsigned deduce(cubin::kernel& k, const std::set<std::string>& given) const {
    const code_demand demand = demand_of(k.code);
    if (given.count(".registers") == 0) k.registers = demand.registers;
    if (given.count(".barriers") == 0) k.barriers = demand.barrier;
    if (given.count(".smem") == 0) {
      const std::uint32_t parameters_end = k.parameters.empty() ? 16 + cubin::max_parameter_bytes : 16;
      k.shared_bytes = std::max({k.shared_bytes, demand.shared_bytes, parameters_end});
      if (demand.has_indexed_shared) k.shared_bytes = cubin::max_shared_bytes;
      if (k.shared_bytes > cubin::max_shared_bytes)
        fail(0, fmt::format("kernel '{}' accesses s[] beyond its 16384 bytes", k.name));
    }
    if (given.count(".local") == 0) {
      if (demand.has_indexed_local || demand.local_bytes > cubin::max_local_bytes)
        fail(0, fmt::format("cannot tell how much local memory kernel '{}' needs; state it with .local BYTES",
                            k.name));
      k.local_bytes = demand.local_bytes;
    }
    return demand.capability;
  }

  std::string file_;
  std::vector<source_text> lines_;
  std::vector<std::set<std::string>> given_;  // directives, per kernel
  std::string target_;
  std::vector<numbered_line> waiting_;  // directives of the next kernel
  bool open_ = false;
  std::uint32_t address_ = 0;
  bool second_expected_ = false;
  unsigned last_line_ = 0;
};

// One line of machine code in a SASS listing: address, then the text of the instruction with encodings around it.
class sass_line {
 public:
  static std::optional<std::uint64_t> address_in(std::string_view line) {
    const auto comment = comment_at(line, 0);
    return comment ? parse_hex(comment->text) : std::nullopt;
  }

  sass_line(const numbered_line& line, const listing_source& source) : line_(line), source_(source) {
    std::size_t text_start = std::string_view::npos;
    std::size_t end = comment_at(line.text, 0)->end;
    std::vector<comment> before;
    std::vector<comment> behind;
    while (end < line.text.size()) {
      const std::size_t next = std::min(line.text.find("/*", end), line.text.size());
      if (!trim(line.text.substr(end, next - end)).empty()) text_start = end;
      const auto found = comment_at(line.text, next);
      if (!found) break;
      (text_start == std::string_view::npos ? before : behind).push_back(*found);
      end = found->end;
    }
    if (before.empty() == behind.empty())
      source_.fail(line_.number, before.empty() ? "the line has no encoding (/*0x...*/)"
                                                : "the line has encodings before and behind the instruction");
    for (const comment& c : before) take(c.text, true);
    for (const comment& c : behind) take(c.text, false);
  }

  const std::vector<std::uint32_t>& words() const { return words_; }

 private:
  struct comment {
    std::string_view text;
    std::size_t end = 0;
  };
  static std::optional<comment> comment_at(std::string_view line, std::size_t start) {
    if (line.substr(start, 2) != "/*") return std::nullopt;
    const std::size_t end = line.find("*/", start + 2);
    if (end == std::string_view::npos) return std::nullopt;
    return comment{trim(line.substr(start + 2, end - start - 2)), end + 2};
  }

  void take(std::string_view comment_text, bool in_order) {
    // Removes the invisible characters that editors and web pages leave behind.
    std::string text(comment_text);
    text.erase(
        std::remove_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }),
        text.end());
    const auto value = parse_hex(text);
    const std::size_t digits = hex_digits(text);
    if (!value || (digits != 8 && digits != 16))
      source_.fail(line_.number, fmt::format("'{}' is no encoding of 8 or 16 hexadecimal digits", text));
    const auto low = static_cast<std::uint32_t>(*value);
    const auto high = static_cast<std::uint32_t>(*value >> 32);
    if (digits == 8)
      words_.push_back(low);
    else
      words_.insert(words_.end(), {in_order ? high : low, in_order ? low : high});
  }

  numbered_line line_;
  const listing_source& source_;
  std::vector<std::uint32_t> words_;
};

// True for the lines that cuobjdump prints around the code.
bool is_decoration(std::string_view line) {
  return line.empty() || line.find_first_not_of('.') == std::string_view::npos ||
         line.find_first_not_of('=') == std::string_view::npos || line.substr(0, 13) == ".headerflags " ||
         line.substr(0, 13) == ".headerflags\t" || line.back() == ':' || line.find(" = ") != std::string_view::npos;
}

std::optional<std::string_view> value_after(std::string_view line, std::string_view prefix) {
  if (line.substr(0, prefix.size()) != prefix) return std::nullopt;
  return trim(line.substr(prefix.size()));
}

// The content of a hex listing's line, with blanks for commas.
std::string without_comment(std::string_view line) {
  std::string text(line.substr(0, std::min({line.find("//"), line.find('#'), line.find(';'), line.size()})));
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

// Text cubins write a zero word as ten zeros.
std::optional<std::uint32_t> listed_word(std::string_view text) {
  const auto value = parse_hex(text);
  if (!value || *value > UINT32_MAX) return std::nullopt;
  if (hex_digits(text) > 8 && *value != 0) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

}  // namespace

bool is_sass_listing(std::string_view text) {
  for (const numbered_line& line : split_lines(text))
    if (sass_line::address_in(line.text) || value_after(line.text, "code for sm_")) return true;
  return false;
}

bool is_hex_listing(std::string_view text) {
  for (const numbered_line& line : split_lines(text)) {
    if (!line.text.empty() && line.text[0] == '.') continue;
    const std::vector<std::string> words = split_words(without_comment(line.text));
    if (words.empty()) continue;
    const std::size_t first = words[0].back() == ':' ? 1 : 0;
    return words.size() > first && std::all_of(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(),
                                               [](const std::string& word) {
                                                 return listed_word(word) && (word.size() >= 8 || word[0] == '0');
                                               });
  }
  return false;
}

cubin::module read_sass_listing(std::string_view text, const std::string& file) {
  listing_source source(file);
  const std::vector<numbered_line> lines = split_lines(text);
  for (const numbered_line& line : lines) {
    if (is_decoration(line.text)) continue;
    if (const auto address = sass_line::address_in(line.text)) {
      const sass_line code(line, source);
      source.check_address(line.number, *address);
      for (const std::uint32_t word : code.words()) source.word(line.number, word);
      if (source.expects_second_word()) source.fail(line.number, "a long instruction needs a second word");
    } else if (const auto target = value_after(line.text, "code for ")) {
      source.end_kernel(line.number);
      source.set_target(line.number, *target);
    } else if (const auto name = value_after(line.text, "Function :")) {
      source.begin_kernel(line.number, *name);
    } else if (line.text[0] == '.') {
      source.directive(line);
    } else {
      source.fail(line.number, fmt::format("'{}' is no line of a SASS listing", line.text));
    }
  }
  return source.finish(static_cast<unsigned>(lines.size()));
}

cubin::module read_hex_listing(std::string_view text, const std::string& file) {
  listing_source source(file);
  const std::vector<numbered_line> lines = split_lines(text);
  for (const numbered_line& line : lines) {
    if (!line.text.empty() && line.text[0] == '.') {
      source.directive(line);
      continue;
    }
    std::vector<std::string> words = split_words(without_comment(line.text));
    if (!words.empty() && words[0].back() == ':') {
      const auto address = parse_hex(std::string_view(words[0]).substr(0, words[0].size() - 1));
      if (!address) source.fail(line.number, fmt::format("'{}' is no address", words[0]));
      source.check_address(line.number, *address);
      words.erase(words.begin());
    }
    for (const std::string& word : words) {
      const auto value = listed_word(word);
      if (!value) source.fail(line.number, fmt::format("'{}' is not a 32-bit word", word));
      source.word(line.number, *value);
    }
  }
  return source.finish(static_cast<unsigned>(lines.size()));
}

}  // namespace gt200::assembler
