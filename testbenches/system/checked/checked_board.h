// Kernels in assembly on a simulated board, with the emulator beside the model.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "observe/checker/checker.h"
#include "sc_models/device.h"

namespace gt200::support {

// What every program here begins with: parameters `out` and `in`, addresses of two buffers; $r1 = number of the
// thread in its block, $r0 = in the grid, $r3 and $r4 = addresses of its words of `in` and `out`.
std::string checked_program(const std::string& body, const std::string& directives = "");

// A write-after-read hazard as the body of a program: scattered stores hold the last one up in its collector, with
// the overrides beside it, until the younger addition has written back.
inline constexpr const char* write_past_a_store = R"(
  shl b32 $r6 $r0 0x8
  add b32 $r6 b32 s[out] $r6
  add b32 $r5 $r1 $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r6] $r1
  st b32 g14[$r4] $r5
  add b32 $r5 $r1 0x7
)";
std::vector<std::string> narrow_way_to_memory();

class checked_board : public ::testing::Test {
 protected:
  static constexpr unsigned buffer_words = 65536;

  // Once per test. `in` holds a pattern, `out` zeros.
  void build(const std::string& program, const std::vector<std::string>& overrides = {},
             const device_options& options = {}, const std::string& preset = "gt200_small");
  // `afterwards` happens between the launch and the checker's look at its end.
  launch_result run(
      unsigned blocks, unsigned threads, const std::function<void()>& afterwards = [] {});
  // The same, and the emulator agrees in every instruction.
  void run_alike(unsigned blocks, unsigned threads);

  std::string difference() const {
    return checker->difference() ? observe::describe(*checker->difference()) : "no difference";
  }
  model::sm& sm() { return board->chip().tpcs[0].sms[0]; }

  cubin::module module;
  std::unique_ptr<device> board;
  std::unique_ptr<observe::checker> checker;
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  const cubin::kernel* kernel = nullptr;  // to be launched; null = the first of `module`
};

}  // namespace gt200::support
