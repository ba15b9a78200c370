// The layout of a module's variables: constants and the addresses of globals in their constant spaces, textures,
// shared memory per kernel.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/ptx/ast.h"
#include "toolchain/ptx/pointee.h"

namespace gt200::ptx {

struct placed_variable {
  const variable* declared = nullptr;
  std::uint32_t offset =
      0;  // constant: in its space; global: of its address in the space of addresses; texture: unit
};

struct module_layout {
  // All variables of module scope. A shared variable has no offset here, because its place depends on the kernel.
  std::map<std::string, placed_variable> variables;
  // .reg, .local and .param at module scope: every thread has its own, and all functions see the same.
  std::vector<const variable*> per_thread;
  std::map<std::string, const function*> functions;
  // Memories without a window of generic addresses (pointee.h): those to which anything in the module points
  // generically, and those to which a pointer may be kept in memory.
  pointee pointed_to = pointee::unknown;
  pointee kept = pointee::unknown;
};

// Fills constants, globals, relocations and samplers of `module`, whose addresses have module.address_bytes.
module_layout lay_out_module(const module_source& source, const source_file& file,
                             const cubin::architecture& hardware, cubin::module& module);

// The function and all functions it calls, directly or not, each once.
std::vector<const function*> with_callees(const function& f, const module_layout& layout);

// All names in operands of the function and of the functions that it calls: variables, registers, labels,
// functions.
std::set<std::string> names_used(const function& f, const module_layout& layout);

}  // namespace gt200::ptx
