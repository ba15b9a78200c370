#include "toolchain/cubin/elf_file.h"

#include <fmt/format.h>

#include <utility>

#include "toolchain/cubin/elf_format.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

constexpr std::size_t max_name = 4096;  // mangled names of CUDA C stay far below

// Names of a damaged file may hold any bytes.
std::string printable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c >= 0x20 && c < 0x7f)
      result += c;
    else
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

}  // namespace

std::uint64_t little_endian_at(std::string_view bytes, std::uint64_t offset, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= std::uint64_t{static_cast<std::uint8_t>(bytes[offset + i])} << (8 * i);
  return value;
}

elf_file::elf_file(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
  read_header();
  read_symbols();
}

void elf_file::fail(std::uint64_t offset, const std::string& reason) const {
  throw input_error(file_, 0, fmt::format("offset 0x{:x}: {}", offset, printable(reason)));
}

std::uint64_t elf_file::number(std::uint64_t offset, unsigned size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset)
    fail(bytes_.size(), fmt::format("the file ends here, but {} bytes at 0x{:x} are needed", size, offset));
  return little_endian_at(bytes_, offset, size);
}

void elf_file::read_header() {
  if (bytes_.substr(0, 4) != elf::magic) fail(0, "not an ELF file");
  const std::uint64_t file_class = number(4, 1);
  if (file_class != elf::class_32 && file_class != elf::class_64)
    fail(4, fmt::format("ELF class {}, known are 1 (32 bits) and 2 (64 bits)", file_class));
  wide_ = file_class == elf::class_64;
  if (number(5, 1) != elf::little_endian) fail(5, "not a little-endian ELF file");
  const std::uint64_t machine = number(18, 2);
  if (machine != elf::machine_cuda)
    fail(18, fmt::format("machine {} is not CUDA ({})", machine, elf::machine_cuda));
  // Later toolkits write their own version, times ten.
  if (const std::uint64_t version = number(20, 4); version != elf::version && version < elf::first_toolkit_version)
    fail(20, fmt::format("ELF version {}, known are 1 and those of toolkits, from {} on", version,
                         elf::first_toolkit_version));
  flags_ = static_cast<std::uint32_t>(number(wide_ ? 48 : 36, 4));
  const std::uint64_t tail = wide_ ? 58 : 46;  // e_shentsize, e_shnum, e_shstrndx
  const std::uint64_t entry_size = number(tail, 2);
  const std::uint64_t count = number(tail + 2, 2);
  const std::uint64_t names = number(tail + 4, 2);
  if (count == 0) fail(tail + 2, "the file has no section headers");
  if (entry_size != (wide_ ? 64u : 40u))
    fail(tail, fmt::format("section headers of {} bytes, expected are {}", entry_size, wide_ ? 64 : 40));
  if (names >= count) fail(tail + 4, fmt::format("the section of names is {} of {}", names, count));
  read_sections(address(wide_ ? 40 : 32), count, names);
}

void elf_file::read_sections(std::uint64_t start, std::uint64_t count, std::uint64_t names) {
  const unsigned entry_size = wide_ ? 64 : 40;
  const unsigned word = wide_ ? 8 : 4;
  std::vector<std::uint64_t> name_indices;
  std::uint64_t contents = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    elf_section section;
    section.header = start + i * entry_size;
    if (section.header < start) fail(wide_ ? 40 : 32, "the section headers are out of range");
    const std::uint64_t at = section.header;
    number(at + entry_size - word, word);  // the whole header is there
    name_indices.push_back(number(at, 4));
    section.type = static_cast<std::uint32_t>(number(at + 4, 4));
    section.flags = address(at + 8);
    section.offset = address(at + 8 + 2 * word);
    section.size = address(at + 8 + 3 * word);
    section.link = static_cast<std::uint32_t>(number(at + 8 + 4 * word, 4));
    section.info = static_cast<std::uint32_t>(number(at + 12 + 4 * word, 4));
    section.alignment = address(at + 16 + 4 * word);
    const bool in_file = section.type != elf::nobits && section.type != 0;
    if (in_file && (section.offset > bytes_.size() || section.size > bytes_.size() - section.offset))
      fail(at, fmt::format("section {} takes {} bytes from 0x{:x}, the file ends at 0x{:x}", i, section.size,
                           section.offset, bytes_.size()));
    if (in_file) contents += section.size;
    if (contents > bytes_.size()) fail(at, fmt::format("section {} overlaps others", i));
    sections_.push_back(std::move(section));
  }
  const elf_section table = sections_[names];
  if (table.type != elf::string_table) fail(table.header, "the section of names is no string table");
  for (std::size_t i = 0; i < sections_.size(); ++i)
    sections_[i].name = text(table, name_indices[i], sections_[i].header);
}

std::string_view elf_file::content(const elf_section& section) const {
  if (section.type == elf::nobits || section.type == 0) return {};
  return bytes_.substr(section.offset, section.size);
}

std::string_view elf_file::text(const elf_section& table, std::uint64_t index, std::uint64_t place) const {
  const std::string_view strings = content(table);
  if (index >= strings.size()) fail(place, fmt::format("name {} lies outside of the string table", index));
  const std::string_view name = strings.substr(index, max_name + 1);
  const std::size_t end = name.find('\0');
  if (end == std::string_view::npos)
    fail(place, fmt::format("name {} has no end within {} characters", index, max_name));
  return name.substr(0, end);
}

std::uint64_t elf_file::entries(const elf_section& table, unsigned entry_size) const {
  if (table.size % entry_size != 0)
    fail(table.header,
         fmt::format("section '{}' has {} bytes, not a multiple of {}", table.name, table.size, entry_size));
  return content(table).size() / entry_size;
}

void elf_file::read_symbols() {
  const elf_section* table = nullptr;
  for (const elf_section& section : sections_) {
    if (section.type != elf::symbol_table) continue;
    if (table != nullptr) fail(section.header, "a second symbol table");
    table = &section;
  }
  if (table == nullptr) return;
  if (table->link >= sections_.size() || sections_[table->link].type != elf::string_table)
    fail(table->header, "the symbol table has no string table");
  const elf_section& strings = sections_[table->link];
  const unsigned entry_size = wide_ ? 24 : 16;
  const std::uint64_t count = entries(*table, entry_size);
  for (std::uint64_t i = 0; i < count; ++i) {
    elf_symbol symbol;
    symbol.place = table->offset + i * entry_size;
    const std::uint64_t at = symbol.place;
    symbol.name = text(strings, number(at, 4), at);
    symbol.type = static_cast<std::uint8_t>(number(at + (wide_ ? 4 : 12), 1) & 0xf);
    symbol.section = static_cast<std::uint16_t>(number(at + (wide_ ? 6 : 14), 2));
    symbol.value = address(at + (wide_ ? 8 : 4));
    symbol.size = address(at + (wide_ ? 16 : 8));
    if (symbol.section >= sections_.size() && symbol.section < elf::section_first_reserved)
      fail(at, fmt::format("symbol '{}' is in section {}, there are {}", symbol.name, symbol.section,
                           sections_.size()));
    symbols_.push_back(std::move(symbol));
  }
}

std::vector<elf_relocation> elf_file::relocations(const elf_section& section) const {
  const bool with_addend = section.type == elf::relocations_with_addend;
  const unsigned word = wide_ ? 8 : 4;
  const unsigned entry_size = with_addend ? 3 * word : 2 * word;
  std::vector<elf_relocation> result;
  const std::uint64_t count = entries(section, entry_size);
  for (std::uint64_t i = 0; i < count; ++i) {
    elf_relocation entry;
    entry.place = section.offset + i * entry_size;
    entry.offset = address(entry.place);
    const std::uint64_t info = address(entry.place + word);
    entry.symbol = static_cast<std::uint32_t>(wide_ ? info >> 32 : info >> 8);
    entry.type = static_cast<std::uint32_t>(wide_ ? info & 0xffffffff : info & 0xff);
    if (with_addend) {
      const std::uint64_t addend = address(entry.place + 2 * word);
      entry.addend =
          wide_ ? static_cast<std::int64_t>(addend) : static_cast<std::int32_t>(static_cast<std::uint32_t>(addend));
    }
    if (entry.symbol >= symbols_.size())
      fail(entry.place, fmt::format("symbol {} of a relocation, there are {}", entry.symbol, symbols_.size()));
    result.push_back(entry);
  }
  return result;
}

}  // namespace gt200::cubin
