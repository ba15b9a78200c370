#include "toolchain/assembler/disassembler.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "toolchain/assembler/instruction_sets.h"
#include "toolchain/assembler/source_line.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/volta/control_words.h"
#include "toolchain/launch/abi.h"

namespace gt200::assembler {
namespace {

struct listed_item {
  std::uint32_t address = 0;
  std::vector<std::uint32_t> words;
  std::optional<isa::tesla::instruction> instruction;  // empty: raw words
};

// Cuts the code into 8-byte groups: one long instruction, two short ones, or words that do not decode.
std::vector<listed_item> cut(const std::vector<std::uint32_t>& code) {
  std::vector<listed_item> items;
  for (std::size_t i = 0; i < code.size(); i += 2) {
    const auto address = static_cast<std::uint32_t>(4 * i);
    const bool has_second = i + 1 < code.size();
    const std::uint32_t first = code[i];
    const std::uint32_t second = has_second ? code[i + 1] : 0;
    isa::tesla::decode_error error;
    if (isa::tesla::length_of(first) == 8) {
      if (has_second)
        items.push_back({address, {first, second}, isa::tesla::decode(first, second, error)});
      else
        items.push_back({address, {first}, std::nullopt});
    } else {
      // Long instructions start on 8-byte addresses. If the second word would start one, neither word is decoded.
      const bool pair = has_second && isa::tesla::length_of(second) == 4;
      items.push_back({address, {first}, pair ? isa::tesla::decode(first, 0, error) : std::nullopt});
      if (has_second)
        items.push_back({address + 4, {second}, pair ? isa::tesla::decode(second, 0, error) : std::nullopt});
    }
  }
  return items;
}

bool has_target(const isa::tesla::instruction& i) {
  switch (i.control) {
    case isa::tesla::control_kind::bra:
    case isa::tesla::control_kind::call:
    case isa::tesla::control_kind::prebrk:
    case isa::tesla::control_kind::joinat: return true;
    default: return false;
  }
}

std::string label_of(std::uint32_t address) { return fmt::format("L_{:04x}", address); }

// Text that the assembler turns into exactly these words, or nothing. `label` replaces the target when not empty.
std::optional<std::string> faithful_text(const listed_item& item, const std::string& label) {
  if (!item.instruction) return std::nullopt;
  const std::string numeric = isa::tesla::disassemble(*item.instruction);
  std::string ignored_label;
  isa::tesla::decode_error error;
  auto again = isa::tesla::parse(numeric, ignored_label, error);
  const auto same = [&] {
    return again->length == 4 * item.words.size() && again->words[0] == item.words[0] &&
           (again->length == 4 || again->words[1] == item.words[1]);
  };
  if (!again) return std::nullopt;
  if (!same()) return std::nullopt;
  return isa::tesla::disassemble(*item.instruction, label);
}

void write_code(const std::vector<std::uint32_t>& code, std::ostream& out) {
  const std::vector<listed_item> items = cut(code);
  std::set<std::uint32_t> targets;
  std::set<std::uint32_t> starts;
  for (const listed_item& item : items) {
    starts.insert(item.address);
    if (item.instruction && has_target(*item.instruction)) targets.insert(item.instruction->target);
  }
  for (const listed_item& item : items) {
    if (targets.count(item.address) != 0) fmt::print(out, "{}:\n", label_of(item.address));
    std::string label;
    if (item.instruction && has_target(*item.instruction) && starts.count(item.instruction->target) != 0)
      label = label_of(item.instruction->target);
    std::string words;
    for (const std::uint32_t word : item.words) words += fmt::format(" {:08x}", word);
    const bool leaves_code =
        item.instruction && has_target(*item.instruction) && item.instruction->target >= 4 * code.size();
    if (const auto text = leaves_code ? std::nullopt : faithful_text(item, label)) {
      fmt::print(out, "    {:<44}// {:04x}:{}\n", *text, item.address, words);
      continue;
    }
    std::string raw = ".word";
    for (const std::uint32_t word : item.words) raw += fmt::format(" 0x{:08x}", word);
    fmt::print(out, "    {:<44}// {:04x}:{}\n", raw, item.address,
               item.instruction ? " " + isa::tesla::disassemble(*item.instruction) : " no instruction");
  }
}

// Text that the assembler turns into exactly these words, or nothing.
template <class set>
std::optional<std::string> faithful_fixed_text(const typename set::instruction& i, std::uint32_t at,
                                               const std::string& label) {
  std::string ignored_label;
  std::string reason;
  const auto again = set::parse(set::text(i, at, {}), at, ignored_label, reason);
  if (!again || again->words != i.words || !set::refusal(i).empty()) return std::nullopt;
  return set::text(i, at, label);
}

// Code whose instructions all have the same length.
template <class set>
void write_fixed_code(const std::vector<std::uint32_t>& code, int width, std::ostream& out) {
  constexpr std::uint32_t words_each = set::bytes / 4;
  const auto bytes = static_cast<std::uint32_t>(4 * code.size());
  std::vector<std::optional<typename set::instruction>> decoded;
  std::vector<std::string> reasons;
  std::set<std::uint32_t> targets;
  const auto target_of = [](const typename set::instruction& i, std::uint32_t at) -> std::optional<std::uint32_t> {
    if (!set::has_target(i)) return std::nullopt;
    return set::target_of(i, at);
  };
  for (std::uint32_t at = 0; at + set::bytes <= bytes; at += set::bytes) {
    isa::instruction_words words = {};
    std::copy_n(code.begin() + at / 4, words_each, words.begin());
    decoded.push_back(set::decode(words, reasons.emplace_back()));
    if (!decoded.back()) continue;
    if (const auto target = target_of(*decoded.back(), at)) targets.insert(*target);
  }
  for (std::uint32_t at = 0; at < bytes; at += set::bytes) {
    if (targets.count(at) != 0) fmt::print(out, "{}:\n", label_of(at));
    const bool whole = at + set::bytes <= bytes;
    const std::optional<typename set::instruction> i = whole ? decoded[at / set::bytes] : std::nullopt;
    const auto target = i ? target_of(*i, at) : std::nullopt;
    // The assembler refuses such a target.
    const bool leaves_code = target && (*target >= bytes || *target % set::bytes != 0);
    const std::string label = target && !leaves_code ? label_of(*target) : std::string();
    std::string words;
    std::string raw = ".word";
    for (std::uint32_t w = at / 4; w < at / 4 + words_each && w < code.size(); ++w) {
      words += fmt::format(" {:08x}", code[w]);
      raw += fmt::format(" 0x{:08x}", code[w]);
    }
    if (const auto text = i && !leaves_code ? faithful_fixed_text<set>(*i, at, label) : std::nullopt)
      fmt::print(out, "    {:<{}}// {:04x}:{}\n", *text, width, at, words);
    else
      fmt::print(out, "    {:<{}}// {:04x}: {}\n", raw, width, at,
                 i                              ? set::text(*i, at, {})
                 : set::explains_words && whole ? reasons[at / set::bytes]
                                                : "no instruction");
  }
}

// Code of sm_30 to sm_62: the codes of control words beside the names of their instructions.
void write_named_code(const std::vector<std::uint32_t>& code, unsigned sm, std::ostream& out) {
  const unsigned group = isa::volta::instructions_per_control_word(sm);
  std::vector<std::string> codes;
  for (std::size_t word = 0; word + 1 < code.size(); word += 2) {
    const std::uint64_t bits = code[word] | std::uint64_t{code[word + 1]} << 32;
    const std::size_t place = word / 2 % (group + 1);
    std::string note;
    if (place == 0) {
      codes.clear();
      if (sm >= 50) {
        for (const isa::control_codes& c : isa::volta::decode_maxwell_word(bits)) {
          codes.push_back(isa::volta::control_text(c));
          for (unsigned port = 0; port < 4; ++port)
            if ((c.reuse >> port & 1) != 0) codes.back() += fmt::format(" reuse {}", static_cast<char>('a' + port));
        }
      } else if (const auto kepler = isa::volta::decode_kepler_word(bits, sm)) {
        for (const isa::volta::kepler_code& c : *kepler) codes.push_back(isa::volta::kepler_text(c));
      }
      note = codes.empty() ? "no control word" : "control word:";
      for (std::size_t k = 0; k < codes.size(); ++k)
        note += fmt::format(" {:04x} {}", 4 * word + 8 * (k + 1), codes[k]);
    } else {
      note = isa::volta::mnemonic_of(bits, sm);
      if (place <= codes.size()) note = codes[place - 1] + " " + note;
    }
    fmt::print(out, "    .word 0x{:08x} 0x{:08x}        // {:04x}: {}\n", code[word], code[word + 1], 4 * word,
               note);
  }
}

void write_contents(std::ostream& out, std::uint32_t size, const std::vector<std::uint8_t>& data) {
  if (std::all_of(data.begin(), data.end(), [](std::uint8_t b) { return b == 0; })) {
    fmt::print(out, " {}\n", size);
    return;
  }
  // Uses words where the size allows. Bytes after the initialised ones are zero.
  const std::uint32_t element = size % 4 == 0 ? 4 : 1;
  fmt::print(out, " {}", element == 4 ? "b32" : "u8");
  for (std::uint32_t i = 0; i < size; i += element) {
    std::uint32_t value = 0;
    for (std::uint32_t k = 0; k < element && i + k < data.size(); ++k)
      value |= std::uint32_t{data[i + k]} << (8 * k);
    fmt::print(out, " 0x{:x}", value);
  }
  fmt::print(out, "\n");
}

// A name the assembler accepts and has not seen yet.
std::string usable_name(const std::string& name, const std::string& fallback, std::set<std::string>& taken) {
  std::string result = is_identifier(name) ? name : fallback;
  while (!taken.insert(result).second) result += "_";
  return result;
}

void write_parameters(const cubin::kernel& k, std::ostream& out, std::set<std::string>& taken) {
  std::uint32_t end = 0;
  for (std::size_t i = 0; i < k.parameters.size(); ++i) {
    const cubin::parameter& p = k.parameters[i];
    std::string type = std::to_string(p.size);
    std::uint32_t alignment = 4;
    // A structure may lie where no number of its size does.
    if ((p.size == 1 || p.size == 2 || p.size == 4 || p.size == 8) && p.offset % p.size == 0) {
      type = fmt::format("b{}", 8 * p.size);
      if (p.size < 4) type = fmt::format("u{}", 8 * p.size);
      alignment = p.size;
    }
    fmt::print(out, ".param {} {}", type, usable_name("", fmt::format("param_{}", i), taken));
    if (p.offset != launch::align_up(end, alignment)) fmt::print(out, " at {}", p.offset);
    fmt::print(out, "\n");
    end = p.offset + p.size;
  }
}

void write_kernel(const cubin::kernel& k, unsigned sm, std::ostream& out, std::set<std::string> taken) {
  fmt::print(out, "\n.entry {}\n", k.name);
  write_parameters(k, out, taken);
  fmt::print(out, ".smem {}\n", k.shared_bytes);
  if (k.registers > 0) fmt::print(out, ".registers {}\n", k.registers);
  if (k.local_bytes > 0) fmt::print(out, ".local {}\n", k.local_bytes);
  fmt::print(out, ".barriers {}\n", k.barriers);
  for (std::size_t i = 0; i < k.constants.size(); ++i) {
    const cubin::constant_segment& segment = k.constants[i];
    fmt::print(out, ".literal {} at {}", usable_name(segment.name, fmt::format("literal_{}", i), taken),
               segment.offset);
    write_contents(out, segment.size, segment.data);
  }
  const cubin::architecture& generation = cubin::architecture_of_sm(sm);
  if (generation.listed_only)
    write_named_code(k.code, sm, out);
  else if (sm >= cubin::volta.first_sm)
    write_fixed_code<volta_set>(k.code, 76, out);
  else if (sm >= cubin::fermi.first_sm)
    write_fixed_code<fermi_set>(k.code, 44, out);
  else
    write_code(k.code, out);
  fmt::print(out, ".end\n");
}

}  // namespace

void disassemble_module(const cubin::module& source, std::ostream& out) {
  std::set<std::string> taken;
  fmt::print(out, ".target sm_{}\n", source.capability);
  if (source.address_bytes == 8 && source.capability < cubin::volta.first_sm) fmt::print(out, ".address_size 64\n");
  for (std::size_t i = 0; i < source.constants.size(); ++i) {
    const cubin::constant_segment& segment = source.constants[i];
    fmt::print(out, ".const {} at {}", usable_name(segment.name, fmt::format("const_{}", i), taken),
               segment.offset);
    write_contents(out, segment.size, segment.data);
  }
  for (std::size_t i = 0; i < source.relocations.size(); ++i) {
    const cubin::relocation& entry = source.relocations[i];
    const auto variable = std::find_if(source.globals.begin(), source.globals.end(),
                                       [&](const cubin::global_variable& g) { return g.name == entry.name; });
    if (variable == source.globals.end()) continue;
    fmt::print(out, ".global {} at {}", usable_name(entry.name, fmt::format("global_{}", i), taken), entry.offset);
    write_contents(out, variable->size, variable->data);
  }
  for (std::size_t i = 0; i < source.samplers.size(); ++i)
    fmt::print(out, ".sampler {} {}\n", usable_name(source.samplers[i].name, fmt::format("sampler_{}", i), taken),
               source.samplers[i].texture_unit);
  for (const cubin::kernel& k : source.kernels) write_kernel(k, source.capability, out, taken);
}

}  // namespace gt200::assembler
