#include "apps/support/load_program.h"

#include "toolchain/assembler/program.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/compile.h"
#include "toolchain/error.h"

namespace gt200::apps {

cubin::module load_program(const std::string& path, unsigned capability) {
  ptx::compile_options options;
  options.capability = capability;
  const bool is_cuda = cuda::is_cuda(path);
  const std::string content = is_cuda ? std::string() : cubin::read_file(path);
  if (!is_cuda && !ptx::is_ptx(content)) return program::read(content, path);
  if (capability > cubin::fermi.last_sm)
    throw input_error(
        path, 0,
        "PTX and CUDA C are compiled for sm_10 to sm_13 and sm_20; other chips take a cubin or assembly "
        "source");
  return is_cuda ? cuda::compile(path, options) : ptx::compile(content, path, options);
}

}  // namespace gt200::apps
