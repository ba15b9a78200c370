// Reads value change dumps for tests: every signal with its values over time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gt200::support {

struct vcd_signal {
  std::string type;   // wire, reg, real, string
  unsigned bits = 0;  // as declared
  std::vector<std::pair<std::uint64_t, std::string>>
      changes;  // numbers in binary, without leading zeros; reals and texts unchanged

  // The value after all changes at this time; empty before the first change.
  const std::string& at(std::uint64_t time) const;
};

struct vcd_file {
  std::string timescale;
  std::map<std::string, vcd_signal> signals;  // by path, joined by dots
  std::uint64_t first_time = 0;
  std::uint64_t last_time = 0;
};

// Throws std::runtime_error for anything the format does not allow.
vcd_file read_vcd(const std::string& path);

}  // namespace gt200::support
