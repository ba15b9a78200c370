#include "toolchain/assembler/program.h"

#include <algorithm>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/listing.h"
#include "toolchain/assembler/source_line.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"

namespace gt200::program {
namespace {

bool is_assembly(std::string_view content) {
  if (content.find('\0') != std::string_view::npos) return false;
  const auto lines = assembler::split_source(content);
  return std::any_of(lines.begin(), lines.end(),
                     [](const assembler::source_text& line) { return line.is_directive(); });
}

}  // namespace

format recognise(std::string_view content) {
  switch (cubin::recognise(content)) {
    case cubin::container::text_cubin: return format::text_cubin;
    case cubin::container::elf_cubin: return format::elf_cubin;
    case cubin::container::unknown: break;
  }
  if (assembler::is_sass_listing(content)) return format::sass_listing;
  if (assembler::is_hex_listing(content)) return format::hex_listing;
  return is_assembly(content) ? format::assembly : format::unknown;
}

const char* name_of(format f) {
  switch (f) {
    case format::text_cubin: return "text cubin";
    case format::elf_cubin: return "ELF cubin";
    case format::sass_listing: return "SASS listing";
    case format::hex_listing: return "hex listing";
    case format::assembly: return "assembly source";
    case format::unknown: break;
  }
  return "no program";
}

cubin::module read(std::string_view content, const std::string& file) {
  switch (recognise(content)) {
    case format::text_cubin:
    case format::elf_cubin: return cubin::read_module(content, file);
    case format::sass_listing: return assembler::read_sass_listing(content, file);
    case format::hex_listing: return assembler::read_hex_listing(content, file);
    case format::assembly: return assembler::assemble(content, file);
    case format::unknown: break;
  }
  throw input_error(file, 0,
                    content.empty() ? "the file is empty"
                                    : "no program: neither a cubin (text or ELF), nor a listing (SASS or hex), nor "
                                      "assembly source");
}

cubin::module load(const std::string& path) { return read(cubin::read_file(path), path); }

}  // namespace gt200::program
