// The command line of `gt200 nvcc`: that of nvcc, as far as Makefiles use it.
//
// An option that means nothing here (-keep, -Xopencc, -Wreorder, -diag-suppress) is taken and forgotten; an unknown
// one, or one that asks for what this compiler cannot do (-m32, -deviceemu), is refused by name.
#pragma once

#include <string>
#include <vector>

namespace gt200::cuda {

struct nvcc_options {
  // `dependencies`: the rule of a Makefile. `device_link`: an object file; there is nothing to link in it, because
  // device code of several files is put together when a device loads it. `archive`: a library of objects.
  enum class product {
    program,
    object,
    ptx,
    cubin,
    fatbin,
    preprocessed,
    host_source,
    dependencies,
    device_link,
    archive
  };
  product wanted = product::program;
  std::vector<std::string> inputs;  // sources, objects and archives, in order
  std::string output;
  std::string folder;         // -odir: of outputs without a name of their own
  bool all_are_cuda = false;  // -x cu
  bool none_is_cuda = false;  // -x c++
  // Compute capabilities x 10 for which device code is compiled, ascending: those that the command line names, up
  // to
  // 70. A device takes the highest that it has.
  std::vector<unsigned> capabilities = {13};
  // Others that are tried: lower generations, so that a program runs on every chip that its code can run on.
  // Without any on the command line, higher ones that are tried if nothing runs with 13.
  std::vector<unsigned> companions = {20, 70};
  bool names_capability = false;  // the command line has one
  bool relocatable = false;       // -rdc=true, -dc: device code may use functions and variables of other files
  unsigned max_registers = 255;
  bool cpu = false;  // -cpu: device code for the host's processor as well
  bool fast_math = false;
  bool contract = true;                   // -fmad
  bool verbose = false;                   // shows the commands
  bool version = false;                   // says its version and does nothing else
  bool help = false;                      // names its options and does nothing else
  bool write_dependencies = false;        // -MD, -MMD: a rule beside what is compiled
  bool dry_run = false;                   // shows them and does not run them
  bool report = false;                    // -Xptxas -v: what the kernels need
  std::string host_compiler;              // -ccbin, for files that are not CUDA, and for linking
  std::vector<std::string> dependencies;  // -M, -MM, -MD, -MMD, -MF, -MT, -MQ, -MP
  std::string standard;                   // -std, empty: gnu++17
  std::vector<std::string> preprocessor;  // -I, -D, -U, -include
  std::vector<std::string> host;          // -O, -g, -Xcompiler
  std::vector<std::string> linker;        // -l, -L, -Xlinker, -shared
  std::vector<std::string> notes;         // for the user
};

// Throws input_error.
nvcc_options parse_nvcc(const std::vector<std::string>& words);

}  // namespace gt200::cuda
