// Runs part of a test in a process of its own, so that one test can compare several simulations of the same
// hierarchy: due and reference clocking, other orders of modules, other options.
#pragma once

#include <functional>
#include <string>

namespace gt200::support {

// Returns what `simulate` returns in a child process. An exception that leaves it becomes "error: <text>"; a child
// that ends in any other way becomes "error: ..." as well.
std::string in_own_process(const std::function<std::string()>& simulate);

}  // namespace gt200::support
