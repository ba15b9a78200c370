// Faults of a simulated program. A fault is a value: it ends the launch and is reported with its place;
// it is never an exception or an abort of the simulator.
#pragma once

#include <cstdint>
#include <string>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

enum class fault_kind : std::uint8_t {
  none,
  // control flow; the first two are the traps of the hardware's stack (envytools mp.xml)
  stack_mismatch,         // join, brk or quadpop found an entry of another type on top
  stack_underflow,        // join, brk or quadpop with an empty stack
  stack_overflow,         // more entries than the configured stack memory holds
  wrong_convention,       // join or .S where the configured rules of divergence do not expect it
  trap,                   // more entries than the configured stack memory can hold
  breakpoint,             // brkpt instruction
  barrier_not_allocated,  // bar with a number above the highest one the kernel declares
  divergent_barrier,      // bar while lanes of the warp wait on another path; undefined on hardware
  illegal_instruction,    // words that decode to nothing
  invalid_pc,             // fetch outside the loaded code
  // memory
  unmapped_address,    // outside every allocation, or beyond the end of s[], l[] or a constant space
  protected_address,   // a store or atomic to a page that may only be read
  misaligned_address,  // not a multiple of the access size
  // resources
  texture_not_bound,  // texture instruction without a texture
  section_not_held,   // a register of the shared section is used without holding one
  section_unwritten,  // what depends on one that has not been written since the acquire shows (emulator alone)
  section_kept,       // the warp ends and has not given its section back
  unsupported,        // an instruction this execution cannot perform (the detail names it)
  machine_check,      // a state that no program can bring about: the machine itself is damaged
  // supervision
  missed_hazard,      // an operand was read before its producer wrote it (stepwise execution only)
  instruction_limit,  // the watchdog's instruction limit is reached
  deadlock,           // no warp of a block can make progress because of a barrier or a lock
  interrupted         // the user ended the run
};

const char* name_of(fault_kind kind);

struct fault {
  fault_kind kind = fault_kind::none;
  std::string kernel;
  isa::code_address pc = 0;  // byte offset from the first instruction of the kernel
  std::string disassembly;
  std::uint32_t line = 0;  // of the source the assembler saw; 0 = unknown
  std::uint32_t block_x = 0;
  std::uint32_t block_y = 0;
  unsigned warp = 0;          // within the block
  isa::lane_mask lanes = 0;   // the lanes at fault
  std::uint64_t address = 0;  // of the lowest lane at fault, memory faults only
  std::string id;             // identifies the instruction in logs and views; may be empty
  std::string detail;         // one sentence; may be empty

  explicit operator bool() const { return kind != fault_kind::none; }
};

// The fault as one line: kind, kernel, place, lanes, address, instruction.
std::string describe(const fault& f);

}  // namespace gt200::arch_state
