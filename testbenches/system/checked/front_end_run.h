// Runs one program under one combination of front-end options, checked by the emulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbenches/system/checked/front_end_combination.h"
#include "testbenches/system/checked/front_end_coverage.h"

namespace gt200::support {

struct checked_program_text {
  std::string text;                      // one kernel with the parameters `out` and `in`
  std::vector<std::uint8_t> line_depth;  // by line, from 1: divergent regions; may be empty
  unsigned blocks = 1;
  unsigned threads = 32;
  bool race_free = true;  // its results must be those of the emulator alone
  bool faults = false;    // it must end in a fault
};

struct front_end_outcome {
  std::string error;               // empty: model and emulator agree, and the program ended as it should
  std::uint64_t instructions = 0;  // warp instructions
  std::uint64_t cycles = 0;        // core
  std::uint64_t answers = 0;       // of RTL, compared with those of the model
  unsigned rtl_sms = 0;            // SMs with some of them
  coverage bins;
};

// Simulates; once per process. Binds test_textures; those in a buffer to `out` if the program has races, else to
// `in`.
front_end_outcome run_checked(const checked_program_text& program, const front_end_combination& combination);
// The same on this chip with these overrides.
front_end_outcome run_checked(const checked_program_text& program, const std::vector<std::string>& overrides,
                              const std::string& preset = "gt200_small");

}  // namespace gt200::support
