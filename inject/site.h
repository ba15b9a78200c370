// Where and when a bit flips: MODULE:BIT@CYCLE, such as gt200.tpc_0.sm_1.register_file:4711@2050.
//
// MODULE is the name of the module in the hierarchy, with or without the name of the chip in front. BIT counts from
// 0 in the order that the module defines (docs/sweep.md lists them). CYCLE is a core cycle of the run, counted
// as in waves: from the beginning of the simulation. The bit flips after everything before that clock edge and
// before everything at it.
#pragma once

#include <cstdint>
#include <string>

namespace gt200::inject {

struct site {
  std::string module;
  std::uint64_t bit = 0;
  std::uint64_t cycle = 1;  // at least 1
};

// Throws input_error.
site parse_site(const std::string& text);
std::string text_of(const site& s);

}  // namespace gt200::inject
