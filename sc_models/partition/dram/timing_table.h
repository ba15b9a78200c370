// The timing constraints of a GDDR3 device as a table: minimum distances between commands. Plain C++.
//
// For a group of column commands, `from` is the last command of the group and `to` the first. Source of the
// distances: config/dram_config.h.
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
  window   // like device, but `from` is the fourth most recent command of its kind
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
