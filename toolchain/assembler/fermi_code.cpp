#include "toolchain/assembler/fermi_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/assembler/symbols.h"
#include "toolchain/error.h"
#include "toolchain/isa/fermi/codec.h"

namespace gt200::assembler {
namespace {

using isa::fermi::control_kind;

constexpr std::string_view raw_prefix = ".word ";

struct item {
  const code_text* source = nullptr;
  std::uint32_t address = 0;
  std::uint32_t raw = 0;                               // if there is no instruction
  std::optional<isa::fermi::instruction> instruction;  // encoded
};

bool is_raw(const code_text& line) { return line.text.compare(0, raw_prefix.size(), raw_prefix) == 0; }

// Whether the instruction acts on all active lanes.
bool is_unguarded(const isa::fermi::instruction& i) {
  return i.guard.index == isa::fermi::true_predicate && !i.guard.negate && i.condition == 15;
}

bool continues_behind(const isa::fermi::instruction& i) {
  if (!is_unguarded(i)) return true;
  switch (i.control) {
    case control_kind::none: return !i.join;
    case control_kind::bra:
    case control_kind::brx:
    case control_kind::ret:
    case control_kind::brk:
    case control_kind::cont:
    case control_kind::longjmp:
    case control_kind::exit:
    case control_kind::trap: return false;
    default: return true;
  }
}

class assembly {
 public:
  assembly(const std::vector<code_text>& source, const std::map<std::string, code_label>& labels,
           const std::function<std::string(const code_text&)>& resolve, const std::string& kernel,
           const std::string& file)
      : source_(source), labels_(labels), resolve_(resolve), kernel_(kernel), file_(file) {}

  fermi_code run() {
    place();
    for (item& i : items_) encode(i);
    check_end();
    fermi_code result;
    for (const item& i : items_) emit(i, result);
    return result;
  }

 private:
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
      if (!raw && address % isa::fermi::instruction_bytes != 0)
        fail(i, "an instruction cannot follow an odd number of .word");
      address += raw ? 4 : isa::fermi::instruction_bytes;
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
    isa::fermi::decode_error error;
    i.instruction = isa::fermi::parse(resolve_(*i.source), i.address, label, error);
    if (!i.instruction) fail(i, error.reason);
    if (!label.empty()) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) fail(i, "label '" + label + "' is not defined in this kernel");
      const std::size_t target = found->second.item;
      const std::uint32_t address = target < items_.size() ? items_[target].address : end_;
      if (!isa::fermi::set_target(*i.instruction, i.address, address, error) ||
          !isa::fermi::encode(*i.instruction, error))
        fail(i, error.reason);
    }
    // The encoded words count, not the source text.
    i.instruction = isa::fermi::decode(isa::fermi::words_of(i.instruction->words), error);
    if (!i.instruction) fail(i, error.reason);
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
      const isa::fermi::instruction& i = *items_[index].instruction;
      if (isa::fermi::has_target(i)) follow(index, index_of(isa::fermi::target_of(i, items_[index].address)), open);
      if (continues_behind(i)) follow(index, index + 1, open);
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

  static void emit(const item& i, fermi_code& result) {
    result.lines.push_back({i.address, i.source->line});
    if (!i.instruction) {
      result.words.push_back(i.raw);
      return;
    }
    const isa::fermi::instruction& decoded = *i.instruction;
    result.words.insert(result.words.end(), {decoded.words[0], decoded.words[1]});
    if (decoded.op == isa::fermi::opcode::bar)
      result.barriers = std::max(result.barriers, std::uint32_t{decoded.barrier.id} + 1);
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

}  // namespace

fermi_code assemble_fermi(const std::vector<code_text>& source, const std::map<std::string, code_label>& labels,
                          const std::function<std::string(const code_text&)>& resolve, const std::string& kernel,
                          const std::string& file) {
  return assembly(source, labels, resolve, kernel, file).run();
}

}  // namespace gt200::assembler
