#include "toolchain/assembler/code_layout.h"

#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::assembler {
namespace {

// Encodes one item of the odd-length run items[first, last) in its 8-byte form. That item must have an even number
// of 4-byte items on each side.
bool lengthen_one(std::vector<code_item>& items, std::size_t first, std::size_t last) {
  for (std::size_t count = last - first; count > 0; count = count > 1 ? count - 2 : 0) {
    code_item& item = items[first + count - 1];
    if (item.is_raw) continue;
    isa::tesla::instruction longer = item.instruction;
    isa::tesla::decode_error error;
    if (!isa::tesla::encode(longer, error, true) || longer.length != 8) continue;
    item.instruction = longer;
    return true;
  }
  return false;
}

void pair_short_items(std::vector<code_item>& items, const std::string& file) {
  std::size_t first = 0;  // of the current run of 4-byte items
  for (std::size_t i = 0; i <= items.size(); ++i) {
    const bool at_end = i == items.size();
    if (!at_end && items[i].length() == 4) continue;
    const bool odd = (i - first) % 2 != 0;
    // An odd number of raw words at the very end does no harm.
    if (odd && !lengthen_one(items, first, i) && !at_end)
      throw input_error(file, items[i].line, "an 8-byte instruction cannot follow an odd number of .word");
    first = i + 1;
  }
}

}  // namespace

void lay_out(std::vector<code_item>& items, const std::map<std::string, code_label>& labels,
             const std::string& file) {
  pair_short_items(items, file);
  std::uint32_t address = 0;
  for (code_item& item : items) {
    item.address = address;
    address += item.length();
  }
  for (code_item& item : items) {
    if (item.target_label.empty()) continue;
    const auto label = labels.find(item.target_label);
    if (label == labels.end())
      throw input_error(file, item.line, "label '" + item.target_label + "' is not defined in this kernel");
    item.instruction.target = label->second.item < items.size() ? items[label->second.item].address : address;
    isa::tesla::decode_error error;
    if (!isa::tesla::encode(item.instruction, error, item.instruction.length == 8))
      throw input_error(file, item.line, error.reason);
  }
}

std::vector<std::uint32_t> words_of(const std::vector<code_item>& items) {
  std::vector<std::uint32_t> words;
  words.reserve(2 * items.size());
  for (const code_item& item : items) {
    words.push_back(item.is_raw ? item.raw : item.instruction.words[0]);
    if (item.length() == 8) words.push_back(item.instruction.words[1]);
  }
  return words;
}

}  // namespace gt200::assembler
