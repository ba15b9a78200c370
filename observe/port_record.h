// What crosses the ports of a module, cycle by cycle, as text that replays on stand-alone RTL (scripts/replay).
//
// The ports are those of the reference RTL of the module (rtl_ref/): the scoreboard's, or the issue arbiter's. A
// record begins with
//
//   gt200 record 1
//   module scoreboard            the RTL's name
//   from gt200.tpc_0.sm_1.scoreboard
//   parameter WARPS 32           and so on
//   input enter_valid 3          name and width in bits; then outputs
//
// and then holds a line per core cycle in which something happened: the cycle, and name=value of the ports that are
// not 0, in hexadecimal. Ports that are not named are 0. In the cycles between, nothing enters and no state
// changes.
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
  // `module`: a path below the chip, such as tpc_0.sm_1.scoreboard; with two schedulers tpc_0.sm_1.issue.0 and .1.
  // Throws input_error when there is no such module, or when it or its configuration has no reference RTL. Before
  // the first launch; target and stream must outlive it.
  port_record(device& target, const std::string& module, std::ostream& out);
  ~port_record();
  port_record(const port_record&) = delete;
  port_record& operator=(const port_record&) = delete;

  // The last cycle is written, and nothing more.
  void close();

  class recorder;

 private:
  std::unique_ptr<recorder> recorder_;
};

}  // namespace gt200::observe
