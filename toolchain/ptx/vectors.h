// Vector registers (.reg .v2, .v4) become registers of their own, one per element, so nothing behind the parser
// knows them: "%v.x" and "%v.r" are the first element, "%v" alone is {%v.x, %v.y}.
#pragma once

#include <string>
#include <vector>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// The registers that a declaration stands for: itself, or its elements.
std::vector<variable> elements_of(const variable& v);

// In the body of a function: declarations, operands, and moves of vectors (mov.v2, mov.v4), which become moves of
// elements. `outer`: vector registers declared outside. Throws input_error.
void divide_vectors(function& f, const std::vector<variable>& outer, const source_file& file);

}  // namespace gt200::ptx
