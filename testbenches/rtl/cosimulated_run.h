// Runs a kernel with scoreboard, issue arbiter and coalescer as named: systemc, rtl or lockstep.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "driver/device.h"
#include "observe/trace/recorder.h"

namespace gt200::support {

struct kernel_case {
  const char* name;
  const char* kernel;
  std::vector<std::string> parameters;
  const char* preset = "gt200_small";
  std::vector<std::string> overrides = {};
};
inline void PrintTo(const kernel_case& k, std::ostream* out) { *out << k.name; }

// Replaces RTL of the chip before the start.
using change_rtl = std::function<void(device&)>;

// Returns the result, the cycles of the launches, and what is wrong. `trace`: what to record; says whether anything
// was recorded.
std::string run_here(const kernel_case& of, const std::string& model, const change_rtl& change,
                     const std::optional<observe::trace_settings>& trace = {});
// The same in a process of its own.
std::string run(const kernel_case& of, const std::string& model, const change_rtl& change = {},
                const std::optional<observe::trace_settings>& trace = {});

}  // namespace gt200::support
