#include "toolchain/shared_object.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "toolchain/error.h"

namespace gt200 {
namespace {

// False if they do not lie in the file.
bool read_at(std::ifstream& from, std::uint64_t offset, void* to, std::size_t bytes) {
  from.seekg(static_cast<std::streamoff>(offset));
  from.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  return static_cast<bool>(from);
}

bool lies_within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

// Segments are what the loader maps; the table of sections is the last part that a linker writes.
bool is_whole(std::ifstream& from, const Elf64_Ehdr& header, std::uint64_t size) {
  if (!lies_within(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize, size)) return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (!read_at(from, header.e_phoff + std::uint64_t{i} * header.e_phentsize, &segment, sizeof segment))
      return false;
    if (segment.p_type == PT_LOAD && !lies_within(segment.p_offset, segment.p_filesz, size)) return false;
  }
  return true;
}

}  // namespace

void require_whole_shared_object(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) throw input_error(file, 0, "is a folder");
  if (!std::filesystem::is_regular_file(file, error)) throw input_error(file, 0, "no such file");
  const std::uint64_t size = std::filesystem::file_size(file, error);
  std::ifstream from(file, std::ios::binary);
  if (!from || error) throw input_error(file, 0, "cannot be read");
  Elf64_Ehdr header{};
  if (!read_at(from, 0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN)
    throw input_error(file, 0, "is no shared object");
  if (!is_whole(from, header, size))
    throw input_error(file, 0,
                      "is cut short: its headers name parts beyond its " + std::to_string(size) + " bytes");
}

}  // namespace gt200
