// The ratio of the two clocks of an SM. It is not a key: the generation fixes it.
//
// The units of GT200 run on the shader clock, the rest of the SM on the core clock. Latencies from issue to issue
// and intervals of units are configured in shader cycles; pipes of modules on the core clock count core cycles.
#pragma once

#include <cstdint>

#include "sc_models/config/cycles.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

struct clock_ratio {
  unsigned log2_shader_per_core;  // 0 where one clock drives both: a shift costs the model no division

  constexpr std::uint32_t shader_per_core() const { return std::uint32_t{1} << log2_shader_per_core; }
  // Converts shader cycles to whole core cycles, rounding down.
  constexpr timed::core_cycles to_core(timed::shader_cycles time) const {
    return timed::core_cycles(time.count() >> log2_shader_per_core);
  }
  // The same, rounding up.
  constexpr timed::core_cycles to_core_begun(timed::shader_cycles time) const {
    return timed::core_cycles((time.count() + (shader_per_core() - 1)) >> log2_shader_per_core);
  }
  constexpr timed::shader_cycles to_shader(timed::core_cycles time) const {
    return timed::shader_cycles(time.count() << log2_shader_per_core);
  }
  // The shader cycle that begins with a core cycle, and the first core cycle that does not begin before a shader
  // cycle.
  constexpr timed::shader_cycle to_shader(timed::core_cycle at) const {
    return timed::shader_cycle(at.number() << log2_shader_per_core);
  }
  constexpr timed::core_cycle first_core_from(timed::shader_cycle at) const {
    return timed::core_cycle((at.number() + (shader_per_core() - 1)) >> log2_shader_per_core);
  }
};

// Two shader cycles per core cycle. Lindholm 2008: the issue logic runs at half the clock of the SPs.
inline constexpr clock_ratio tesla_clocks{1};

// The range of a key in shader cycles that must be whole core cycles.
constexpr range whole_core_cycles(std::uint64_t low, std::uint64_t high) {
  return multiple_of(tesla_clocks.shader_per_core(), low, high);
}

}  // namespace gt200::config
