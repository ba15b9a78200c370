#include "toolchain/cubin/text_reader.h"

#include <charconv>
#include <optional>
#include <set>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/text_tree.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

// Decimal, or hexadecimal with 0x. The compiler prints words with "%#010x", which gives zero no prefix: a zero word
// is ten decimal zeros, which base 10 reads correctly.
std::optional<std::uint32_t> parse_number(const std::string& text) {
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  const char* last = text.data() + text.size();
  std::uint32_t value = 0;
  const auto result = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
  if (result.ec != std::errc() || result.ptr != last) return std::nullopt;
  return value;
}

class text_reader {
 public:
  explicit text_reader(std::string file) : file_(std::move(file)) {}

  module read(const text_node& root) {
    module_.source_file = file_;
    if (!root.words.empty()) fail(root.words[0].line, "unexpected '" + root.words[0].text + "'");
    read_architecture(root);
    if (const text_node* name = find(root, "modname"); name != nullptr && !name->words.empty())
      module_.name = name->words[0].text;
    for (const text_node& node : root.children) {
      if (node.key == "consts") module_.constants.push_back(read_segment(node, 0));
      if (node.key == "sampler")
        module_.samplers.push_back({string_of(node, "name"), number(node, "texunit", max_texture_unit)});
      if (node.key == "reloc") read_relocation(node);
      if (node.key == "code") read_kernel(node);
    }
    if (module_.kernels.empty()) fail(0, "no kernel (no 'code' block)");
    return std::move(module_);
  }

 private:
  [[noreturn]] void fail(unsigned line, const std::string& reason) const { throw input_error(file_, line, reason); }

  static const text_node* find(const text_node& parent, const char* key) {
    for (const text_node& child : parent.children)
      if (child.key == key) return &child;
    return nullptr;
  }

  const text_node& entry(const text_node& parent, const char* key) const {
    const text_node* node = find(parent, key);
    if (node == nullptr) fail(parent.line, "'" + parent.key + "' has no '" + key + "'");
    if (node->words.empty()) fail(node->line, "'" + std::string(key) + "' has no value");
    return *node;
  }
  std::string string_of(const text_node& parent, const char* key) const { return entry(parent, key).words[0].text; }
  std::uint32_t number(const text_node& parent, const char* key, std::uint32_t max) const {
    const text_node& node = entry(parent, key);
    const auto value = parse_number(node.words[0].text);
    if (!value || *value > max)
      fail(node.line,
           "'" + std::string(key) + "' is '" + node.words[0].text + "', allowed are 0 to " + std::to_string(max));
    return *value;
  }
  std::vector<std::uint32_t> words_of(const text_node& node) const {
    if (!node.children.empty()) fail(node.children[0].line, "only words are possible in '" + node.key + "'");
    std::vector<std::uint32_t> words;
    words.reserve(node.words.size());
    for (const text_word& word : node.words) {
      const auto value = parse_number(word.text);
      if (!value) fail(word.line, "'" + word.text + "' is not a 32-bit word");
      words.push_back(*value);
    }
    return words;
  }

  void read_architecture(const text_node& root) {
    const text_node* node = find(root, "architecture");
    if (node == nullptr || node->words.empty()) fail(0, "not a text cubin: no 'architecture {sm_1x}'");
    const std::string& name = node->words[0].text;
    if (name.size() != 5 || name.compare(0, 4, "sm_1") != 0 || name[4] < '0' || name[4] > '3')
      fail(node->line, "architecture '" + name + "' is not supported, only sm_10 to sm_13");
    module_.capability = 10 + static_cast<unsigned>(name[4] - '0');
  }

  // The bytes of an optional `mem` block, cut to the declared size: even a 2-byte variable has a 4-byte word.
  std::vector<std::uint8_t> initial_bytes(const text_node& node, std::uint32_t size) const {
    std::vector<std::uint8_t> bytes;
    const text_node* mem = find(node, "mem");
    if (mem == nullptr) return bytes;
    for (const std::uint32_t word : words_of(*mem))
      for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
    if (bytes.size() >= std::size_t{size} + 4)
      fail(mem->line,
           "'mem' holds " + std::to_string(bytes.size()) + " bytes, but 'bytes' is " + std::to_string(size));
    if (bytes.size() > size) bytes.resize(size);
    return bytes;
  }

  constant_segment read_segment(const text_node& node, std::uint8_t default_space) const {
    constant_segment segment;
    if (find(node, "name") != nullptr) segment.name = string_of(node, "name");
    segment.space = find(node, "segnum") == nullptr
                        ? default_space
                        : static_cast<std::uint8_t>(number(node, "segnum", constant_spaces - 1));
    segment.offset = number(node, "offset", constant_space_bytes);
    segment.size = number(node, "bytes", constant_space_bytes);
    if (segment.offset + segment.size > constant_space_bytes)
      fail(node.line, "the segment ends beyond the 65536 bytes of a constant space");
    segment.data = initial_bytes(node, segment.size);
    return segment;
  }

  void read_relocation(const text_node& node) {
    relocation entry_of;
    entry_of.name = string_of(node, "name");
    entry_of.space = static_cast<std::uint8_t>(number(node, "segnum", constant_spaces - 1));
    entry_of.offset = number(node, "offset", constant_space_bytes - 4);
    if (entry_of.offset % 4 != 0) fail(node.line, "the offset of a relocation must be a multiple of 4");
    global_variable variable;
    variable.name = entry_of.name;
    if (!variables_.insert(variable.name).second)
      fail(node.line, "variable '" + variable.name + "' is defined twice");
    variable.size = number(node, "bytes", max_variable_bytes - variable_bytes_);
    variable_bytes_ += variable.size;
    variable.data = initial_bytes(node, variable.size);
    module_.relocations.push_back(std::move(entry_of));
    module_.globals.push_back(std::move(variable));
  }

  void read_parameters(const text_node& node, kernel& target) const {
    if (!node.children.empty() || node.words.empty() || node.words.size() % 2 != 0) return;
    std::vector<parameter> parameters;
    for (std::size_t i = 0; i < node.words.size(); i += 2) {
      const auto offset = parse_number(node.words[i].text);
      const auto size = parse_number(node.words[i + 1].text);
      if (!offset || !size || *offset > max_parameter_bytes || *size > max_parameter_bytes - *offset) return;
      parameters.push_back({*offset, *size});
    }
    target.parameters = std::move(parameters);
  }

  void read_kernel(const text_node& node) {
    kernel result;
    result.name = string_of(node, "name");
    if (!is_kernel_name(result.name)) fail(node.line, "the name '" + result.name + "' holds unusual characters");
    if (!names_.insert(result.name).second) fail(node.line, "kernel '" + result.name + "' is defined twice");
    result.local_bytes = number(node, "lmem", max_local_bytes);
    result.shared_bytes = number(node, "smem", max_shared_bytes);
    result.registers = number(node, "reg", max_registers);
    result.barriers = number(node, "bar", max_barrier);
    const text_node* code = find(node, "bincode");
    if (code == nullptr) fail(node.line, "kernel '" + result.name + "' has no 'bincode'");
    result.code = words_of(*code);
    if (result.code.empty()) fail(code->line, "kernel '" + result.name + "' has no instructions");
    if (result.code.size() > max_code_bytes / 4)
      fail(code->line, "kernel '" + result.name + "' is larger than the 16 MB code addresses reach");
    for (const text_node& child : node.children) {
      if (child.key == "const") result.constants.push_back(read_segment(child, 1));
      if (child.key == "params_SMEM") read_parameters(child, result);
    }
    module_.kernels.push_back(std::move(result));
  }

  std::string file_;
  module module_;
  std::set<std::string> names_;
  std::set<std::string> variables_;
  std::uint32_t variable_bytes_ = 0;
};

}  // namespace

module read_text_cubin(std::string_view text, const std::string& file) {
  return text_reader(file).read(parse_text_tree(text, file));
}

}  // namespace gt200::cubin
