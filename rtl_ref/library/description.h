// The description of RTL for a block of the chip: a TOML file. Relative paths start at its folder.
//
//   sources = ["hazard_unit.sv"]      # SystemVerilog files
//   module = "hazard_unit"            # top module
//   pins = "hazard_unit_pins.h"       # header with the class around the pins, and that class. Its template
//   class = "hazard_unit_pins"        # arguments are the Verilated class and the numbers in `arguments`
//   arguments = ["warps", "entries"]
//   include = ["include"]             # optional: folders for `include and #include
//   flags = ["-DFPGA"]                # optional: further options of Verilator
//   systemc = true                    # optional: as a SystemC module with signals at its ports (verilator --sc)
//   [parameters]                      # of the module: a number, or an expression of the block's values
//   NUM_WARPS = "warps"
//   NUM_SLOTS = "entries"
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rtl_ref/library/request.h"

namespace gt200::rtl {

struct description {
  std::string file;
  std::vector<std::string> sources;  // paths, as all below
  std::string module;
  std::map<std::string, std::int64_t> parameters;
  std::string pins;
  std::string class_name;
  std::vector<std::int64_t> arguments;
  std::vector<std::string> folders;  // those in `include`
  std::vector<std::string> flags;
  bool systemc = false;
};

// Throws input_error with file, line and key for anything wrong, files that are missing included.
description read_description(const request& what);

}  // namespace gt200::rtl
