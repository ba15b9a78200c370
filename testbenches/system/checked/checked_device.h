// A simulated board that runs kernels in assembly, checked by the emulator.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"
#include "observe/checker/checker.h"
#include "testbenches/support/tesla_sm.h"

namespace gt200::support {

// The beginning of every program here: parameters `out` and `in`, addresses of two buffers; $r1 = number of the
// thread in its block, $r0 = in the grid, $r3 and $r4 = addresses of its words of `in` and `out`.
std::string checked_program(const std::string& body, const std::string& directives = "");

class checked_device {
 public:
  static constexpr unsigned buffer_words = 65536;

  // Once per process. `in` holds a pattern, `out` zeros.
  void build(const std::string& program, const std::vector<std::string>& overrides = {},
             const device_options& options = {}, const std::string& preset = "gt200_small");
  // `afterwards` runs between the end of the launch and the checker's final comparison.
  launch_result run(
      unsigned blocks, unsigned threads, const std::function<void()>& afterwards = [] {});

  std::string difference() const {
    return checker->difference() ? observe::describe(*checker->difference()) : "no difference";
  }
  model::tesla_sm& sm() { return first_sm(board->chip()); }

  cubin::module module;
  std::unique_ptr<device> board;
  std::unique_ptr<observe::checker> checker;
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  const cubin::kernel* kernel = nullptr;  // to be launched; null = the first of `module`
};

}  // namespace gt200::support
