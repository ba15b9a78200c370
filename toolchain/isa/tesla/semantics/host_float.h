// Uses the single- and double-precision arithmetic of the host where it gives the same bits as the GPU's.
//
// Everything here relies on IEEE 754 operations that round to nearest and keep denormals. A host program may run
// with another rounding mode or with denormals flushed. The function is then run again in the default environment,
// which costs some time. -ffp-contract=off excludes fused multiply-adds.
#pragma once

#include <cfenv>
#include <limits>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#if defined(__FAST_MATH__)
#error "the semantics functions need IEEE 754 arithmetic: do not compile them with -ffast-math"
#endif

namespace gt200::isa::tesla::semantics {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

inline bool host_float_is_default() {
#if defined(__SSE2__)
  constexpr unsigned rounding_and_flushing = 0xe040;  // MXCSR: flush to zero, rounding, denormals are zeros
  return (_mm_getcsr() & rounding_and_flushing) == 0;
#else
  return std::fegetround() == FE_TONEAREST;
#endif
}

// Calls f with the default floating-point environment and restores the caller's.
void run_in_default_float_environment(lane_function f, const isa::instruction& i, lane_bundle& b, lane_mask mask);

template <lane_function body>
void with_host_float(const isa::instruction& i, lane_bundle& b, lane_mask mask) {
  if (host_float_is_default()) {
    body(i, b, mask);
  } else {
    run_in_default_float_environment(body, i, b, mask);
  }
}

}  // namespace gt200::isa::tesla::semantics
