#include "apps/support/load_program.h"

#include "toolchain/assembler/program.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/compile.h"

namespace gt200::apps {

cubin::module load_program(const std::string& path, unsigned capability) {
  ptx::compile_options options;
  options.capability = capability;
  if (cuda::is_cuda(path)) return cuda::compile(path, options);
  const std::string content = cubin::read_file(path);
  return ptx::is_ptx(content) ? ptx::compile(content, path, options) : program::read(content, path);
}

}  // namespace gt200::apps
