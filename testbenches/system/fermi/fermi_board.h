// A small Fermi chip that runs programs of sm_20, checked by the emulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/device.h"

namespace gt200::support {

struct fermi_grid {
  launch::grid_size blocks;
  std::array<std::uint32_t, 3> threads = {1, 1, 1};
  std::uint32_t out_words = 0;
};

struct fermi_outcome {
  std::string error;  // a difference to the emulator, or why the launch did not end well; empty: fine
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  std::uint64_t cycles = 0;
  std::uint64_t issued = 0;  // warp instructions
  std::vector<std::uint32_t> out;

  // Everything as text, to compare runs with each other.
  std::string text() const;
};

// in[i], the input of every program here.
std::uint32_t fermi_input(std::uint32_t i);
inline constexpr std::uint32_t fermi_input_words = 65536;

std::string fermi_program(const std::string& name);  // of the folder programs

// Runs the first kernel of a program with the parameters `out` and `in`, addresses of two buffers. Once per
// process.
fermi_outcome run_on_fermi(const std::string& program, const fermi_grid& grid, const device_options& options = {},
                           const std::vector<std::string>& overrides = {});
// The same in a process of its own, as text.
std::string run_apart(const std::string& program, const fermi_grid& grid, const device_options& options = {},
                      const std::vector<std::string>& overrides = {});

}  // namespace gt200::support
