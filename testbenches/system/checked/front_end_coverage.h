// Coverage of the front end: every issued instruction falls into a bin of operation, format, unit, depth of
// divergence, full collector, full scoreboard and warps at a barrier.
//
// The recorder wraps the mechanism of a scoreboard, because every issued instruction passes there. It changes
// nothing.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sc_models/sm/tesla/sm.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::support {

inline constexpr unsigned coverage_depths = 4;  // 0 = all lanes together; 3 = three or more regions

enum class coverage_format : std::uint8_t { short_, long_, immediate, control };

struct coverage_bin {
  isa::tesla::opcode op = isa::tesla::opcode::nop;
  coverage_format format = coverage_format::long_;
  isa::unit_class unit = isa::unit_class::none;
  std::uint8_t depth = 0;
  bool collector_full = false;   // its class has no collector unit left after it
  bool scoreboard_full = false;  // the warp has no entry left
  bool at_barrier = false;       // another warp of the SM waits at a barrier

  auto key() const { return std::make_tuple(op, format, unit, depth, collector_full, scoreboard_full, at_barrier); }
  bool operator<(const coverage_bin& other) const { return key() < other.key(); }
};

using coverage = std::map<coverage_bin, std::uint64_t>;  // issued instructions

// One line per bin, with fields separated by tabs: bin, operation, format, unit, depth, collector, scoreboard,
// barrier, count.
std::string describe(const coverage& bins);
// The same for each operation, format and unit of the opcode table: row, operation, format, unit.
std::string describe_instruction_set();

// For the running program: the divergent regions around the instruction at a code address.
using depth_of_code = std::vector<std::uint8_t>;  // by address / 4

// Puts a recorder into the SM; `depths` and `bins` must outlive it.
void record_coverage(model::tesla_sm& sm, const depth_of_code& depths, coverage& bins);

}  // namespace gt200::support
