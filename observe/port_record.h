// Records the traffic at the ports of a module, cycle by cycle, as text that can be replayed on stand-alone RTL
// (scripts/replay).
//
// The ports are those of the reference RTL of the module (rtl_ref/), either the scoreboard or the issue arbiter. A
// record begins with
//
//   gt200 record 1
//   module scoreboard            the RTL's name
//   from gt200.tpc_0.sm_1.scoreboard
//   parameter WARPS 32           and so on
//   input enter_valid 3          name and width in bits; then outputs
//
// Then follows one line per core cycle with activity: the cycle, and name=value in hexadecimal for the ports that
// are not 0. Ports that are not listed are 0. In the cycles between, nothing enters and no state changes.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "driver/device.h"

namespace gt200::observe {

class port_record {
 public:
  // `module` is a path below the chip, such as tpc_0.sm_1.scoreboard; with two schedulers tpc_0.sm_1.issue.0 and
  // .1. Throws input_error if there is no such module, or if it has no reference RTL in this configuration. Create
  // it before the first launch. Device and stream must outlive it.
  port_record(device& target, const std::string& module, std::ostream& out);
  ~port_record();
  port_record(const port_record&) = delete;
  port_record& operator=(const port_record&) = delete;

  // Writes the last cycle and stops recording.
  void close();

  class recorder;

 private:
  std::unique_ptr<recorder> recorder_;
};

}  // namespace gt200::observe
