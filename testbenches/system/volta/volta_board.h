// A small Volta chip that runs programs of sm_70, checked by the emulator.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driver/device.h"
#include "toolchain/cubin/module.h"

namespace gt200::model {
class volta_sm;
}

namespace gt200::support {

struct volta_grid {
  launch::grid_size blocks;
  std::array<std::uint32_t, 3> threads = {1, 1, 1};
  std::uint32_t out_words = 0;
  bool has_textures = false;  // those of system/checked/test_textures.h, with `in` as their buffer
};

struct volta_outcome {
  std::string error;  // a difference to the emulator, or why the launch did not end well; empty: fine
  std::uint64_t cycles = 0;
  std::uint64_t issued = 0;   // warp instructions
  std::uint64_t hazards = 0;  // instructions that break the compiler's contract
  std::uint64_t held = 0;     // cycles for which operands held the path
  std::uint64_t reuse_hits = 0;
  std::vector<std::uint32_t> out;

  // Everything as text, to compare runs with each other.
  std::string text() const;
};

// in[i], the input of every program here.
std::uint32_t volta_input(std::uint32_t i);
inline constexpr std::uint32_t volta_input_words = 65536;

// The head of a program with the parameters `out` and `in`, 64 bits each. R2 and R3 become the address of the
// thread's word of `out`, R0 the thread's number in the grid; P6 is false.
std::string volta_program(const std::string& body, const std::string& directives = "");
// Ends such a program: stores R4 there.
extern const char* const store_r4;

// Runs the first kernel of a program. Once per process. `prepare` is called for every SM before the launch.
volta_outcome run_on_volta(const std::string& program, const volta_grid& grid, const device_options& options = {},
                           const std::vector<std::string>& overrides = {},
                           const std::function<void(model::volta_sm&)>& prepare = {});
volta_outcome run_on_volta(const cubin::module& module, const volta_grid& grid, const device_options& options = {},
                           const std::vector<std::string>& overrides = {},
                           const std::function<void(model::volta_sm&)>& prepare = {});
// Sums of 256 words of `in` per block, in shared memory; every block atomically adds its sum to out[block % 4].
// Loops, barriers, divergence, constants, loads, stores, atomics; blocks of 256 threads.
extern const char* const block_sums;

// The same in a process of its own, as text().
std::string run_volta_apart(const std::string& program, const volta_grid& grid, const device_options& options = {},
                            const std::vector<std::string>& overrides = {});
// Expects the same cycles and bytes in every order and way of clocking; no error and no hazard. Each run has a
// process of its own. Returns what all of them say.
std::string expect_alike_in_every_order(const std::string& program, const volta_grid& grid,
                                        const std::vector<std::string>& overrides = {});
// And the same bytes with stalls.
void expect_alike_in_every_way(const std::string& program, const volta_grid& grid,
                               const std::vector<std::string>& overrides = {});
// What such a text says.
struct volta_figures {
  std::string error;
  std::uint64_t cycles = 0, issued = 0, hazards = 0, held = 0, reuse_hits = 0;
  std::vector<std::uint32_t> out;
};
volta_figures figures_of(const std::string& text);

}  // namespace gt200::support
