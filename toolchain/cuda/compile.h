// Compiles CUDA C to machine code: clang, then our own compiler.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"
#include "toolchain/cuda/clang.h"
#include "toolchain/ptx/compile.h"

namespace gt200::cuda {

// For options.capability. clang's PTX states rounding to nearest for every sum and product. On Tesla our compiler
// may still form multiply-adds of them, as options.contract says. Throws input_error.
cubin::module compile(const std::string& path, ptx::compile_options options = {}, const clang_options& clang = {});

}  // namespace gt200::cuda
