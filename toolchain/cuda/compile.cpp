#include "toolchain/cuda/compile.h"

namespace gt200::cuda {

cubin::module compile(const std::string& path, ptx::compile_options options, const clang_options& clang) {
  options.ignore_nearest = true;
  options.generated = true;
  clang_options how = clang;
  how.capability = options.capability;
  return ptx::compile(compile_to_ptx(path, how), path, options);
}

}  // namespace gt200::cuda
