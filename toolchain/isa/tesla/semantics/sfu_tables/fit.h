// Fits the coefficients of the special function unit.
//
// For every segment the ideal parabola (least squares on Chebyshev nodes of the segment) is the start of a search
// over all integer coefficients nearby. Candidates are ranked on a coarse grid of residuals; the best are then
// computed with the unit itself (sfu_units.h) for every residual, and the one with the smallest error wins. "Error"
// is relative to the bound that is asked of the function in each of its input ranges, so that a table is good
// enough if it is at most one.
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
