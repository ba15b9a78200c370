#include "toolchain/assembler/program.h"

#include <filesystem>

#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/load.h"

namespace gt200::program {

cubin::module load(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".s") return assembler::assemble_file(path);
  return cubin::load_module(path);
}

}  // namespace gt200::program
