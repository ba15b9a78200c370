// CUDA C to machine code: clang, then our own compiler.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"
#include "toolchain/cuda/clang.h"
#include "toolchain/ptx/compile.h"

namespace gt200::cuda {

// clang rounds every sum and product to nearest in so many words; that does not keep the compiler from forming
// multiply-adds of them, options.contract does. Throws input_error.
cubin::module compile(const std::string& path, ptx::compile_options options = {}, const clang_options& clang = {});

}  // namespace gt200::cuda
