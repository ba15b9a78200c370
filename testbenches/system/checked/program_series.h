// Programs one after the other on one board: each is checked in every instruction, and leaves in memory what the
// emulator leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbenches/system/checked/checked_device.h"

namespace gt200::support {

struct series_settings {
  std::uint64_t first_seed = 0;
  unsigned count = 0;  // of programs
  std::vector<std::string> overrides;
  std::uint64_t shuffle = 0;  // order of the modules; 0: the usual one
  bool audit = false;
};

struct series_outcome {
  std::string error;  // of the first program that is wrong, with its seed and text; empty: none is
  unsigned programs = 0;
  std::uint64_t instructions = 0;  // warp instructions compared
  std::uint64_t events = 0;        // of what the series is about
};

// One per process.
class program_series : public checked_device {
 public:
  explicit program_series(const series_settings& settings) : settings_(settings) {}

 protected:
  static constexpr std::uint32_t words = 1024;

  // Runs `program`, which must leave what `reference` does in the emulator; both must outlive the series. Returns
  // the error, empty if there is none. `text` explains it.
  std::string error_of(const cubin::module& program, const cubin::module& reference, unsigned blocks,
                       unsigned threads, std::uint64_t seed, const std::string& text);
  const series_settings& settings() const { return settings_; }

 private:
  series_settings settings_;
};

}  // namespace gt200::support
