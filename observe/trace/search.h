// Finds warp instructions and memory transactions in the log of a traced run: by SM, warp, program counter, time,
// address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "observe/trace/log_reader.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::observe {

// Every condition that is there must hold. A transaction has SM, warp and program counter of the instruction that
// caused it; one without an instruction has none.
struct log_search {
  std::optional<unsigned> sm;    // in the chip, as ids have it
  std::optional<unsigned> warp;  // warp slot
  std::optional<isa::code_address> pc;
  // A byte that a transaction reads or writes: a physical address, as waves and the DRAM have it. In a log with
  // operands also a lane's address as the program computes it; the aligned word around it counts.
  std::optional<std::uint64_t> address;
  // Core cycles: something happened to it from `begin` up to, not including, `end`.
  tlm_bus::cycle_t begin = 0;
  tlm_bus::cycle_t end = tlm_bus::no_cycle;
};

// Writes a line for each that was found, ordered by the time of the first event and by id; the end line says how
// many there were. Returns that number. Read the log from its beginning: its reader must not have been used.
std::size_t write_found(log_reader& log, const log_search& wanted, std::ostream& to);

}  // namespace gt200::observe
