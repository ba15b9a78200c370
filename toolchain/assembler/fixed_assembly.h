// The assembly of code whose instructions all have the same length, for any instruction set that has such a class:
//
//   struct set {
//     using instruction = ...;
//     static constexpr unsigned bytes;                     // of an instruction
//     static constexpr const char* misplaced;              // says that an instruction does not stand at a multiple
//     of it static std::optional<instruction> decode(const instruction&, std::string& reason);   // again, from its
//     words static std::optional<instruction> parse(const std::string&, std::uint32_t at, std::string& label,
//     reason); static bool set_target(instruction&, std::uint32_t at, std::uint32_t target, std::string& reason);
//     // encodes static bool has_target(const instruction&), static std::uint32_t target_of(const instruction&,
//     at); static std::string refusal(const instruction&);  // why text may not say it; empty if it may
//     static bool continues_behind(const instruction&);    // the next instruction may be executed after it
//     static std::uint32_t barriers(const instruction&);   // highest number used + 1; 0: none
//   };
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/assembler/fixed_code.h"
#include "toolchain/assembler/symbols.h"
#include "toolchain/error.h"

namespace gt200::assembler {

template <class set>
class fixed_assembly {
 public:
  fixed_assembly(const std::vector<code_text>& source, const std::map<std::string, code_label>& labels,
                 const std::function<std::string(const code_text&)>& resolve, const std::string& kernel,
                 const std::string& file)
      : source_(source), labels_(labels), resolve_(resolve), kernel_(kernel), file_(file) {}

  fixed_code run() {
    place();
    for (item& i : items_) encode(i);
    check_end();
    fixed_code result;
    for (const item& i : items_) emit(i, result);
    return result;
  }

 private:
  struct item {
    const code_text* source = nullptr;
    std::uint32_t address = 0;
    std::uint32_t raw = 0;                                 // if there is no instruction
    std::optional<typename set::instruction> instruction;  // encoded
  };

  static constexpr std::string_view raw_prefix = ".word ";
  static bool is_raw(const code_text& line) { return line.text.compare(0, raw_prefix.size(), raw_prefix) == 0; }

  [[noreturn]] void fail(const item& i, const std::string& reason) const {
    throw input_error(file_, i.source->line, reason);
  }

  void place() {
    std::uint32_t address = 0;
    for (const code_text& line : source_) {
      item i;
      i.source = &line;
      i.address = address;
      const bool raw = is_raw(line);
      if (!raw && address % set::bytes != 0) fail(i, set::misplaced);
      address += raw ? 4 : set::bytes;
      items_.push_back(i);
    }
    end_ = address;
  }

  void encode(item& i) const {
    const std::string& text = i.source->text;
    if (is_raw(*i.source)) {
      i.raw = static_cast<std::uint32_t>(parse_integer(std::string_view(text).substr(raw_prefix.size())).value());
      return;
    }
    std::string label;
    std::string reason;
    i.instruction = set::parse(resolve_(*i.source), i.address, label, reason);
    if (!i.instruction) fail(i, reason);
    if (!label.empty()) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) fail(i, "label '" + label + "' is not defined in this kernel");
      const std::size_t target = found->second.item;
      const std::uint32_t address = target < items_.size() ? items_[target].address : end_;
      if (!set::set_target(*i.instruction, i.address, address, reason)) fail(i, reason);
    }
    // The encoded words count, not the source text.
    i.instruction = set::decode(*i.instruction, reason);
    if (!i.instruction) fail(i, reason);
    if (const std::string why = set::refusal(*i.instruction); !why.empty()) fail(i, why);
    check_target(i);
  }

  void check_target(const item& i) const {
    if (!set::has_target(*i.instruction)) return;
    const std::uint32_t target = set::target_of(*i.instruction, i.address);
    if (target % set::bytes != 0)
      fail(i,
           fmt::format("the target {:#x} is not a multiple of {}, the size of an instruction", target, set::bytes));
  }

  // Paths into raw words are not followed.
  void check_end() const {
    std::vector<bool> reached(items_.size(), false);
    std::vector<std::size_t> open = {0};
    while (!open.empty()) {
      const std::size_t index = open.back();
      open.pop_back();
      if (reached[index] || !items_[index].instruction) continue;
      reached[index] = true;
      const typename set::instruction& i = *items_[index].instruction;
      if (set::has_target(i)) follow(index, index_of(set::target_of(i, items_[index].address)), open);
      if (set::continues_behind(i)) follow(index, index + 1, open);
    }
  }

  void follow(std::size_t from, std::size_t to, std::vector<std::size_t>& open) const {
    if (to >= items_.size())
      fail(items_[from],
           fmt::format("kernel '{}' can run past its last instruction here; end it with exit", kernel_));
    open.push_back(to);
  }

  std::size_t index_of(std::uint32_t address) const {
    const auto found = std::lower_bound(items_.begin(), items_.end(), address,
                                        [](const item& i, std::uint32_t a) { return i.address < a; });
    return static_cast<std::size_t>(found - items_.begin());
  }

  static void emit(const item& i, fixed_code& result) {
    result.lines.push_back({i.address, i.source->line});
    if (!i.instruction) {
      result.words.push_back(i.raw);
      return;
    }
    const typename set::instruction& decoded = *i.instruction;
    result.words.insert(result.words.end(), decoded.words.begin(), decoded.words.begin() + set::bytes / 4);
    result.barriers = std::max(result.barriers, set::barriers(decoded));
    for (unsigned w = 0; w < decoded.write_count; ++w) {
      const isa::register_range& range = decoded.writes[w];
      const std::uint32_t end = std::uint32_t{range.first} + range.count;
      if (range.file != isa::register_file_kind::gpr || end <= result.registers) continue;
      result.registers = end;
      result.highest_line = i.source->line;
    }
  }

  const std::vector<code_text>& source_;
  const std::map<std::string, code_label>& labels_;
  const std::function<std::string(const code_text&)>& resolve_;
  const std::string& kernel_;
  const std::string& file_;
  std::vector<item> items_;
  std::uint32_t end_ = 0;
};

}  // namespace gt200::assembler
