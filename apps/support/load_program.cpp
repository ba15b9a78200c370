#include "apps/support/load_program.h"

#include <map>
#include <utility>

#include "toolchain/assembler/program.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/compile.h"

namespace gt200::apps {
namespace {

struct program_store {
  bool used = false;
  std::map<std::pair<std::string, unsigned>, cubin::module> programs;
};

program_store& store() {
  static program_store programs;
  return programs;
}

cubin::module read_program(const std::string& path, unsigned capability, ptx::parameter_types* types = nullptr) {
  ptx::compile_options options;
  options.types = types;
  options.capability = capability;
  const bool is_cuda = cuda::is_cuda(path);
  const std::string content = is_cuda ? std::string() : cubin::read_file(path);
  if (!is_cuda && !ptx::is_ptx(content)) return program::read(content, path);
  return is_cuda ? cuda::compile(path, options) : ptx::compile(content, path, options);
}

}  // namespace

void share_programs() { store().used = true; }

const cubin::module& shared_program(const std::string& path, unsigned capability) {
  auto& programs = store().programs;
  const auto found = programs.find({path, capability});
  if (found != programs.end()) return found->second;
  return programs.emplace(std::pair(path, capability), read_program(path, capability)).first->second;
}

cubin::module load_program(const std::string& path, unsigned capability, ptx::parameter_types* types) {
  if (types != nullptr) return read_program(path, capability, types);
  return store().used ? shared_program(path, capability) : read_program(path, capability);
}

}  // namespace gt200::apps
