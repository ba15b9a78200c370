#include "toolchain/cubin/text_writer.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <iterator>
#include <ostream>

namespace gt200::cubin {
namespace {

std::vector<std::uint32_t> to_words(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4, 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << (8 * (i % 4));
  return words;
}

void write_words(std::ostream& out, const std::string& indent, const char* key,
                 const std::vector<std::uint32_t>& words) {
  constexpr std::size_t words_per_line = 4;
  fmt::print(out, "{}{}  {{\n", indent, key);
  for (std::size_t i = 0; i < words.size(); i += words_per_line) {
    fmt::print(out, "{}\t", indent);
    for (std::size_t k = i; k < std::min(i + words_per_line, words.size()); ++k)
      fmt::print(out, "0x{:08x} ", words[k]);
    fmt::print(out, "\n");
  }
  fmt::print(out, "{}}}\n", indent);
}

void write_segment(std::ostream& out, const std::string& indent, const char* key, const constant_segment& segment) {
  fmt::print(out, "{}{}  {{\n", indent, key);
  if (!segment.name.empty()) fmt::print(out, "{}\tname = {}\n", indent, segment.name);
  fmt::print(out, "{0}\tsegname = const\n{0}\tsegnum = {1}\n{0}\toffset = {2}\n{0}\tbytes = {3}\n", indent,
             segment.space, segment.offset, segment.size);
  if (!segment.data.empty()) write_words(out, indent + "\t", "mem", to_words(segment.data));
  fmt::print(out, "{}}}\n", indent);
}

void write_relocation(std::ostream& out, const module& source, const relocation& entry) {
  const auto variable = std::find_if(source.globals.begin(), source.globals.end(),
                                     [&](const global_variable& g) { return g.name == entry.name; });
  fmt::print(out, "reloc  {{\n\tname = {}\n\tsegname = reloc\n\tsegnum = {}\n\toffset = {}\n\tbytes = {}\n",
             entry.name, entry.space, entry.offset, variable != source.globals.end() ? variable->size : 4);
  if (variable != source.globals.end() && !variable->data.empty())
    write_words(out, "\t", "mem", to_words(variable->data));
  fmt::print(out, "}}\n");
}

void write_kernel(std::ostream& out, const kernel& k) {
  fmt::print(out, "code  {{\n\tname = {}\n\tlmem = {}\n\tsmem = {}\n\treg = {}\n\tbar = {}\n", k.name,
             k.local_bytes, k.shared_bytes, k.registers, k.barriers);
  if (!k.parameters.empty()) {
    std::vector<std::uint32_t> pairs;
    for (const parameter& p : k.parameters) pairs.insert(pairs.end(), {p.offset, p.size});
    write_words(out, "\t", "params_SMEM", pairs);
  }
  write_words(out, "\t", "bincode", k.code);
  for (const constant_segment& segment : k.constants) write_segment(out, "\t", "const", segment);
  fmt::print(out, "}}\n");
}

}  // namespace

void write_text_cubin(const module& source, std::ostream& out) {
  fmt::print(out, "architecture {{sm_{}}}\nabiversion {{0}}\nmodname {{{}}}\n", source.capability,
             source.name.empty() ? "cubin" : source.name);
  for (const constant_segment& segment : source.constants) write_segment(out, "", "consts", segment);
  for (const sampler& s : source.samplers)
    fmt::print(out, "sampler  {{\n\tname = {}\n\ttexunit = {}\n}}\n", s.name, s.texture_unit);
  for (const relocation& entry : source.relocations) write_relocation(out, source, entry);
  for (const kernel& k : source.kernels) write_kernel(out, k);
}

}  // namespace gt200::cubin
