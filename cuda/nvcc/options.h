// The command line of `gt200 nvcc`: that of nvcc, as far as Makefiles use it.
//
// An option that means nothing here (-keep, -Xopencc) is taken and forgotten; an unknown one, or one that asks for
// what this compiler cannot do (-m32, -deviceemu, -rdc=true), is refused by name.
#pragma once

#include <string>
#include <vector>

namespace gt200::cuda {

struct nvcc_options {
  enum class product { program, object, ptx, cubin, preprocessed, host_source };
  product wanted = product::program;
  std::vector<std::string> inputs;  // sources, objects and archives, in order
  std::string output;
  bool all_are_cuda = false;  // -x cu
  // Compute capabilities x 10 for which device code is compiled, ascending, one of each generation: 10 .. 13, and
  // 20 when the command line asks for a later one than 13. A device takes the highest that it has.
  std::vector<unsigned> capabilities = {13};
  unsigned max_registers = 124;
  bool cpu = false;  // -cpu: device code for the host's processor as well
  bool fast_math = false;
  bool contract = true;                   // -fmad
  bool verbose = false;                   // shows the commands
  bool version = false;                   // says its version and does nothing else
  bool dry_run = false;                   // shows them and does not run them
  bool report = false;                    // -Xptxas -v: what the kernels need
  std::string host_compiler;              // -ccbin, for files that are not CUDA
  std::string standard;                   // -std, empty: gnu++14
  std::vector<std::string> preprocessor;  // -I, -D, -U, -include
  std::vector<std::string> host;          // -O, -g, -Xcompiler
  std::vector<std::string> linker;        // -l, -L, -Xlinker, -shared
  std::vector<std::string> notes;         // for the user
};

// Throws input_error.
nvcc_options parse_nvcc(const std::vector<std::string>& words);

}  // namespace gt200::cuda
