#include "toolchain/cubin/load.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/text_reader.h"
#include "toolchain/error.h"

namespace gt200::cubin {

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
  std::ostringstream content;
  if (!stream) throw input_error(path, 0, "cannot open the file");
  if (stream.peek() != std::ifstream::traits_type::eof()) content << stream.rdbuf();
  if (stream.bad() || content.bad()) throw input_error(path, 0, "cannot read the file");
  return content.str();
}

module read_module(std::string_view content, const std::string& file) {
  switch (recognise(content)) {
    case container::text_cubin: return read_text_cubin(content, file);
    case container::elf_cubin: return read_elf_cubin(content, file);
    case container::unknown: break;
  }
  throw input_error(file, 0, "neither a text cubin (no 'architecture {sm_1x}' at its start) nor an ELF cubin");
}

}  // namespace gt200::cubin
