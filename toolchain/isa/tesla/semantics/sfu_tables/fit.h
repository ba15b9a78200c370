// Fits the coefficients of the special function unit.
//
// For every segment the search starts at the ideal parabola (least squares on Chebyshev nodes of the segment) and
// tries all integer coefficients nearby. Candidates are ranked on a coarse grid of residuals. The best ones are
// then evaluated with the unit itself (sfu_units.h) for every residual, and the one with the smallest error wins.
// The error is relative to the bound of the function in each input range, so a table is good enough if it is at
// most one.
#pragma once

#include <vector>

#include "toolchain/isa/tesla/semantics/sfu_units.h"

namespace gt200::isa::tesla::semantics {

struct sfu_fit {
  std::vector<sfu_coefficients> table;
  double worst;  // largest error relative to its bound
};

sfu_fit fit_rcp();
sfu_fit fit_rsqrt();
sfu_fit fit_sin();
sfu_fit fit_ex2();
sfu_fit fit_lg2();

}  // namespace gt200::isa::tesla::semantics
