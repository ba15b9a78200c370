// Our own compiler from PTX to machine code of Tesla (sm_10 to sm_13), Fermi (sm_20) and Volta (sm_70). docs/ptx.md
// describes its passes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/parameter_types.h"

namespace gt200::ptx {

struct compile_options {
  bool optimise = true;  // -O2; false: -O0
  bool contract = true;  // mul + add -> the truncating multiply-add where no rounding is written
  // .add and .mul of .f32 may become a multiply-add even though they say .rn, as clang always writes.
  bool ignore_nearest = false;
  unsigned max_registers = 255;  // per thread; the hardware may have fewer (124 on sm_1x, 63 on sm_20)
  // Compute capability x 10 of the chip, 10 to 13, 20 or 70. Instructions it lacks are replaced where possible.
  unsigned capability = 13;
  bool generated = false;                     // the PTX was made from `file`; messages name its lines
  std::vector<std::string>* notes = nullptr;  // gets a line for each unexpected way of compiling something
  parameter_types* types = nullptr;           // gets those of every compiled kernel
};

// The number of an architecture named "sm_70".
unsigned capability_of(const std::string& architecture);

// True if the text is PTX: its first directive is .version or .target.
bool is_ptx(std::string_view content);

// `file` is for messages. A kernel that this hardware cannot run is listed in module.refused with the reason,
// unless the module has no other. Throws input_error of the form "file:line:column: reason: offending line".
cubin::module compile(std::string_view content, const std::string& file, const compile_options& options = {});

// Registers, shared and local memory and constants per kernel, one line each.
std::string resource_report(const cubin::module& module);

}  // namespace gt200::ptx
