#include "toolchain/isa/tesla/semantics/host_float.h"

namespace gt200::isa::tesla::semantics {

void run_in_default_float_environment(lane_function f, const isa::instruction& i, lane_bundle& b, lane_mask mask) {
  std::fenv_t callers;
  std::fegetenv(&callers);
  std::fesetenv(FE_DFL_ENV);
  // through a pointer, so that the compiler moves no floating-point operation across the change of environment
  f(i, b, mask);
  std::fesetenv(&callers);
}

}  // namespace gt200::isa::tesla::semantics
