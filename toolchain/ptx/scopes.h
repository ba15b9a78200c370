// Separates equal names that stand for different things in different scopes of a function.
#pragma once

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// Renames what an inner scope declares under a name the function has used before, so that each name has one meaning
// in the whole function. Labels too. Ranges of registers keep their names.
void separate_names(function& f);

}  // namespace gt200::ptx
