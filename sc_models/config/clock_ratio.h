// The ratio of the two clocks of an SM. It is not a key: the generation fixes it.
//
// The units of GT200 run on the shader clock, the rest of the SM on the core clock. Latencies from issue to issue
// and intervals of units are configured in shader cycles; pipes of modules on the core clock count core cycles.
#pragma once

#include <cstdint>

#include "sc_models/config/parameter.h"

namespace gt200::config {

struct clock_ratio {
  unsigned log2_shader_per_core;  // 0 where one clock drives both: a shift costs the model no division

  constexpr std::uint32_t shader_per_core() const { return std::uint32_t{1} << log2_shader_per_core; }
  // Converts shader cycles to whole core cycles, rounding down.
  template <class T>
  constexpr T core_cycles(T shader_cycles) const {
    return shader_cycles >> log2_shader_per_core;
  }
  // The same, rounding up.
  template <class T>
  constexpr T core_cycles_begun(T shader_cycles) const {
    return (shader_cycles + (shader_per_core() - 1)) >> log2_shader_per_core;
  }
  template <class T>
  constexpr T shader_cycles(T core_cycles) const {
    return core_cycles << log2_shader_per_core;
  }
};

// Two shader cycles per core cycle. Lindholm 2008: the issue logic runs at half the clock of the SPs.
inline constexpr clock_ratio tesla_clocks{1};

// The range of a key in shader cycles that must be whole core cycles.
constexpr range whole_core_cycles(std::uint64_t low, std::uint64_t high) {
  return multiple_of(tesla_clocks.shader_per_core(), low, high);
}

}  // namespace gt200::config
