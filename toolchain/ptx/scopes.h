// Names of a function that stand for different things in different scopes.
#pragma once

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// What an inner scope declares under a name that the function has used before gets a name of its own, so that a
// name means one thing in all of the function; so do labels. Ranges of registers keep theirs.
void separate_names(function& f);

}  // namespace gt200::ptx
