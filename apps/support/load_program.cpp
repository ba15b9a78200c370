#include "apps/support/load_program.h"

#include "toolchain/assembler/program.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/compile.h"

namespace gt200::apps {

cubin::module load_program(const std::string& path) {
  if (cuda::is_cuda(path)) return cuda::compile(path);
  const std::string content = cubin::read_file(path);
  return ptx::is_ptx(content) ? ptx::compile(content, path) : program::read(content, path);
}

}  // namespace gt200::apps
