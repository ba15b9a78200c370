// The types of a kernel's parameters as PTX declares them: who launches it can then turn a number into what it
// means. Machine code has only their places and widths.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gt200::ptx {

struct function;

enum class number_kind : std::uint32_t {
  none,     // bits (.b32), an array or a structure: only the width is known
  integer,  // .u or .s; clang writes .u for both, and for pointers
  real      // .f
};
// By the name of the kernel, in the order of the parameters.
using parameter_types = std::map<std::string, std::vector<number_kind>>;

std::vector<number_kind> parameter_types_of(const function& entry);

}  // namespace gt200::ptx
