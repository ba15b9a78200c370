#include "toolchain/cubin/load.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/text_reader.h"
#include "toolchain/error.h"

namespace gt200::cubin {
namespace {

// A limit, because devices and pipes may have no end.
constexpr std::size_t max_file_bytes = std::size_t{512} << 20;
constexpr std::size_t part_bytes = std::size_t{1} << 14;  // read at once

}  // namespace

container recognise(std::string_view content) {
  if (content.substr(0, 4) ==
      "\x7f"
      "ELF")
    return container::elf_cubin;
  const std::size_t start = content.find_first_not_of(" \t\r\n\"");
  if (start != std::string_view::npos && content.substr(start, 12) == "architecture") return container::text_cubin;
  return container::unknown;
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw input_error(path, 0, "is a folder, not a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw input_error(path, 0, "cannot open the file");
  std::string content;
  std::array<char, part_bytes> part;
  do {
    stream.read(part.data(), static_cast<std::streamsize>(part.size()));
    content.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    if (content.size() > max_file_bytes)
      throw input_error(path, 0, "is larger than 512 MiB, the most that is read from a file");
  } while (stream);
  if (stream.bad()) throw input_error(path, 0, "cannot read the file");
  return content;
}

module read_module(std::string_view content, const std::string& file) {
  switch (recognise(content)) {
    case container::text_cubin: return read_text_cubin(content, file);
    case container::elf_cubin: return read_elf_cubin(content, file, architecture_of(content));
    case container::unknown: break;
  }
  throw input_error(file, 0, "neither a text cubin (no 'architecture {sm_1x}' at its start) nor an ELF cubin");
}

}  // namespace gt200::cubin
