// The bare ELF container, 32 or 64 bits, little-endian: sections, symbols, relocations, without their CUDA meaning.
//
// Every offset and size of the file is checked before it is used, and the contents of all sections together cannot
// exceed the file, so work and memory stay proportional to its size. Errors are input_error with file, offset in
// the file, and reason. Names are views into the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::cubin {

struct elf_section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t size = 0;    // for nobits sections: in memory
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t alignment = 0;
  std::uint64_t header = 0;  // offset of its header, for messages
};

struct elf_symbol {
  std::string_view name;
  std::uint8_t type = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint64_t place = 0;  // offset in the file, for messages
};

struct elf_relocation {
  std::uint64_t offset = 0;  // in the section it applies to
  std::uint32_t symbol = 0;  // index, valid
  std::uint32_t type = 0;
  std::int64_t addend = 0;  // 0 for the form without an addend, which is in the section then
  std::uint64_t place = 0;  // offset in the file, for messages
};

class elf_file {
 public:
  // `bytes` must outlive this object; `file` is for messages. Throws input_error for a file that is not ELF,
  // big-endian, not for CUDA, truncated, or has anything out of range.
  elf_file(std::string_view bytes, std::string file);

  std::uint32_t flags() const { return flags_; }
  bool is_64_bit() const { return wide_; }
  const std::vector<elf_section>& sections() const { return sections_; }
  const std::vector<elf_symbol>& symbols() const { return symbols_; }  // of the only symbol table; may be empty
  std::string_view content(const elf_section& section) const;          // empty for nobits
  std::vector<elf_relocation> relocations(const elf_section& section) const;

  [[noreturn]] void fail(std::uint64_t offset, const std::string& reason) const;

 private:
  std::uint64_t number(std::uint64_t offset, unsigned size) const;
  std::uint64_t address(std::uint64_t offset) const { return number(offset, wide_ ? 8 : 4); }
  std::string_view text(const elf_section& table, std::uint64_t index, std::uint64_t place) const;
  std::uint64_t entries(const elf_section& table, unsigned entry_size) const;

  void read_header();
  void read_sections(std::uint64_t start, std::uint64_t count, std::uint64_t names);
  void read_symbols();

  std::string_view bytes_;
  std::string file_;
  bool wide_ = false;  // 64 bits
  std::uint32_t flags_ = 0;
  std::vector<elf_section> sections_;
  std::vector<elf_symbol> symbols_;
};

// A little-endian number of `size` bytes at `offset`, which must lie within `bytes`.
std::uint64_t little_endian_at(std::string_view bytes, std::uint64_t offset, unsigned size);

}  // namespace gt200::cubin
