#include "toolchain/assembler/disassembler.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "toolchain/assembler/source_line.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/tesla/codec.h"
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
std::optional<std::string> faithful_fermi_text(const isa::fermi::instruction& i, std::uint32_t at,
                                               const std::string& label) {
  std::string ignored_label;
  isa::fermi::decode_error error;
  const auto again = isa::fermi::parse(isa::fermi::disassemble(i, at), at, ignored_label, error);
  if (!again || again->words != i.words) return std::nullopt;
  return isa::fermi::disassemble(i, at, label);
}

void write_fermi_code(const std::vector<std::uint32_t>& code, std::ostream& out) {
  const auto bytes = static_cast<std::uint32_t>(4 * code.size());
  std::vector<std::optional<isa::fermi::instruction>> decoded;
  std::set<std::uint32_t> targets;
  const auto target_of = [](const isa::fermi::instruction& i, std::uint32_t at) -> std::optional<std::uint32_t> {
    if (!isa::fermi::has_target(i)) return std::nullopt;
    return isa::fermi::target_of(i, at);
  };
  for (std::uint32_t at = 0; at + 8 <= bytes; at += 8) {
    isa::fermi::decode_error error;
    decoded.push_back(isa::fermi::decode(isa::fermi::words_of({code[at / 4], code[at / 4 + 1], 0, 0}), error));
    if (!decoded.back()) continue;
    if (const auto target = target_of(*decoded.back(), at)) targets.insert(*target);
  }
  for (std::uint32_t at = 0; at < bytes; at += 8) {
    if (targets.count(at) != 0) fmt::print(out, "{}:\n", label_of(at));
    const bool whole = at + 8 <= bytes;
    const std::optional<isa::fermi::instruction> i = whole ? decoded[at / 8] : std::nullopt;
    const auto target = i ? target_of(*i, at) : std::nullopt;
    const bool leaves_code = target && *target >= bytes;
    const std::string label = target && *target % 8 == 0 && !leaves_code ? label_of(*target) : std::string();
    std::string words;
    for (std::uint32_t w = at / 4; w < at / 4 + 2 && w < code.size(); ++w) words += fmt::format(" {:08x}", code[w]);
    const auto text = i && !leaves_code ? faithful_fermi_text(*i, at, label) : std::nullopt;
    if (text) {
      fmt::print(out, "    {:<44}// {:04x}:{}\n", *text, at, words);
      continue;
    }
    std::string raw = ".word";
    for (std::uint32_t w = at / 4; w < at / 4 + 2 && w < code.size(); ++w) raw += fmt::format(" 0x{:08x}", code[w]);
    fmt::print(out, "    {:<44}// {:04x}: {}\n", raw, at, i ? isa::fermi::disassemble(*i, at) : "no instruction");
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
    if (p.size == 1 || p.size == 2 || p.size == 4 || p.size == 8) {
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

void write_kernel(const cubin::kernel& k, bool is_fermi, std::ostream& out, std::set<std::string> taken) {
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
  if (is_fermi)
    write_fermi_code(k.code, out);
  else
    write_code(k.code, out);
  fmt::print(out, ".end\n");
}

}  // namespace

void disassemble_module(const cubin::module& source, std::ostream& out) {
  std::set<std::string> taken;
  const bool is_fermi = source.capability >= cubin::fermi.first_sm;
  fmt::print(out, ".target sm_{}\n", source.capability);
  if (source.address_bytes == 8) fmt::print(out, ".address_size 64\n");
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
  for (const cubin::kernel& k : source.kernels) write_kernel(k, is_fermi, out, taken);
}

}  // namespace gt200::assembler
