// The layout of a module's variables: constants in c0, addresses of globals in c14, textures, shared memory per
// kernel.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

struct placed_variable {
  const variable* declared = nullptr;
  std::uint32_t offset = 0;  // constant: in c0; global: of the c14 word with its address; texture: unit
};

struct module_layout {
  // All variables of module scope. A shared variable has no offset here, because its place depends on the kernel.
  std::map<std::string, placed_variable> variables;
  // .reg, .local and .param at module scope: every thread has its own, and all functions see the same.
  std::vector<const variable*> per_thread;
  std::map<std::string, const function*> functions;
};

// Fills constants, globals, relocations and samplers of `module`.
module_layout lay_out_module(const module_source& source, const source_file& file, cubin::module& module);

// The function and all functions it calls, directly or not, each once.
std::vector<const function*> with_callees(const function& f, const module_layout& layout);

// All names in operands of the function and of the functions that it calls: variables, registers, labels,
// functions.
std::set<std::string> names_used(const function& f, const module_layout& layout);

}  // namespace gt200::ptx
