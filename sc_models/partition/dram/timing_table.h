// The timing constraints of a GDDR3 device as a table: which command must stay how far behind which. Plain C++.
//
// A column command of a group counts as its last one when it is `from`, as its first one when it is `to`.
// Source of the distances: config/dram_config.h.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/config/dram_config.h"

namespace gt200::model {

enum class dram_command : std::uint8_t { activate, precharge, read, write, refresh };
inline constexpr unsigned dram_commands = 5;

enum class constraint_scope : std::uint8_t {
  bank,    // both commands are for the same bank
  device,  // for any two banks, or for all of them
  window   // device, and `from` is the fourth command of its kind back
};
inline constexpr unsigned activates_in_window = 4;

struct timing_constraint {
  constraint_scope scope;
  dram_command from;
  dram_command to;
  std::uint32_t cycles;
};

std::vector<timing_constraint> timing_table(const config::dram_timing_config& t);

}  // namespace gt200::model
