// How the lanes of a warp instruction enter the units of a group, beat by beat, and how long a unit then has for
// each.
//
// An instruction of n beats that occupies its group for I shader cycles, from cycle s on, puts beat k into the
// units in cycle s + ceil(k x I / n): beats are spread evenly, whatever the interval. Source: CUDA guide 4.2 for
// the intervals; the even spread: assumption.
#pragma once

#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/cycles.h"

namespace gt200::config {

// From the first beat until beat `k` of `beats`. `beats` > 0, k < beats.
constexpr timed::shader_cycles beat_offset(unsigned k, unsigned beats, timed::shader_cycles interval) {
  return timed::shader_cycles((k * interval.count() + (beats - 1)) / beats);
}

// The pipeline of a unit: shader cycles from the entry of a beat until its result is in write-back's latch. All
// beats of a result that takes `pipe` core cycles from the start of its instruction until write-back may take it
// are there in time, even if the instruction starts in the last shader cycle before an edge of the core clock. 0 if
// that is impossible, because the last beat enters `last_beat` shader cycles after the first.
constexpr timed::shader_cycles unit_pipeline(const clock_ratio& clocks, timed::core_cycles pipe,
                                             timed::shader_cycles last_beat) {
  if (pipe == timed::core_cycles(0)) return timed::shader_cycles(0);
  const timed::shader_cycles shortest = clocks.to_shader(pipe - timed::core_cycles(1)) + timed::shader_cycles(1);
  return shortest > last_beat ? shortest - last_beat : timed::shader_cycles(0);
}

}  // namespace gt200::config
