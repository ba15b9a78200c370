// A chip that is damaged, reset and used again, and a fresh one that does the same work at the same time.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "driver/device.h"
#include "testbenches/system/hangs/seeds.h"

namespace gt200::support {

// What comes before the reset.
struct damage {
  std::string name;
  std::string program;  // of the preset's generation, with the parameters out and in
  end_reason ends = end_reason::fault;
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  std::function<hangs::planted(device&)> plant = {};
  std::uint64_t max_cycles = 0;
  bool protects_in = false;                         // the buffer `in` is read-only
  std::function<void(cubin::kernel&)> change = {};  // of the assembled kernel
};

inline void PrintTo(const damage& d, std::ostream* out) { *out << d.name; }

struct reset_setting {
  std::string preset = "gt200_small";
  std::vector<std::string> overrides = {};
  tlm_bus::clocking_options clocking = {};
  bool unobserved = false;                            // see device_options
  std::function<void(device&)> before_launches = {};  // called when the board has started
};

// The body of a program of the GT200 behind the thread's number ($r1 in its block), and the addresses of its words
// of in ($r3) and out ($r4).
std::string tesla_program(const std::string& body, const std::string& directives = "");
// The same for the GTX 480: $r0, $r2 and $r4; and for the V100: R0, R12 and R2.
std::string fermi_program_of(const std::string& body, const std::string& directives = "");
std::string volta_program_of(const std::string& body, const std::string& directives = "");

// Everything that two good launches write and count, as text: times, memory, every counter and histogram of the
// chip, and the issue slots. `harmed`: after that damage and a reset, else on a fresh chip with the same
// memory. Either way the launches begin at the same simulated time. In a process of its own.
std::string work_after(const reset_setting& setting, const damage& before, bool harmed);

// The first line in which two texts differ; empty if none.
std::string first_difference(const std::string& a, const std::string& b);

}  // namespace gt200::support
