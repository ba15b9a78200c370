// A strict reader of Kanata logs (version 4, the format of the pipeline viewer Konata), for tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gt200::support {

struct kanata_stage {
  unsigned lane = 0;
  std::string name;
  std::uint64_t begin = 0;  // cycles
  std::uint64_t end = 0;    // 0: the log ends first
};

struct kanata_line {
  std::uint64_t thread = 0;
  std::string label;
  std::string detail;
  std::vector<kanata_stage> stages;  // in the order in which they begin
  std::vector<std::uint64_t> producers;
  bool retired = false;
  bool flushed = false;
};

// Keyed by number in the file. Throws std::runtime_error, with the line number, for anything the format does not
// allow: unknown commands or fields, instructions that were not introduced or have left, stages that overlap in a
// lane or end without a beginning, cycles that go back.
std::map<std::uint64_t, kanata_line> read_kanata(const std::string& path);

}  // namespace gt200::support
