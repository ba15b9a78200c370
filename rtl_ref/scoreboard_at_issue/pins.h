// A scoreboard in RTL that takes entries when instructions issue, driven cycle by cycle from C++. Depends on
// neither SystemC nor Verilator: the code that simulates the RTL derives from it. The protocol is that of
// scoreboard_at_issue.sv. Everything here is inline: a library of RTL needs nothing of the program that loads it.
//
// Within a cycle each call uses a port of its kind, in order, and is answered at once. edge() ends the cycle.
// Cycles without calls need no edge(): the clock may stand still.
//
// The RTL needs the operands of instructions in the buffer: with each issue and each release comes what is buffered
// of the warp, oldest first.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rtl_ref/block_pins.h"
#include "rtl_ref/pin_viewer.h"
#include "rtl_ref/scoreboard/pins.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::rtl {

struct scoreboard_at_issue_size {
  unsigned warps;
  unsigned entries;  // per warp
  unsigned buffer;   // instructions of a warp in the instruction buffer
};

class scoreboard_at_issue_pins : public block_pins {
 public:
  using instruction_list = std::vector<const isa::instruction*>;
  using region = scoreboard_pins::region;
  using viewer = pin_viewer;

  struct answer {
    std::uint64_t dependencies = 0;  // bit e: entry e of the warp
    bool room = false;               // the warp has enough free entries at the coming edge
    bool operator==(const answer& o) const { return dependencies == o.dependencies && room == o.room; }
  };
  struct allocation {
    std::uint64_t taken = 0;      // bit e: entry e of the warp
    std::vector<answer> younger;  // in the order of the list: what has just been taken, and room
  };
  struct completion {
    std::uint64_t cleared = 0;  // bits to be cleared in the vectors of the warp
    std::vector<bool> room;     // in the order of the list
  };

  // Instructions that can issue and complete in one cycle; any number unless overridden.
  virtual unsigned issue_ports() const { return ~0u; }
  virtual unsigned release_ports() const { return ~0u; }

  // These three throw std::logic_error when the ports of the cycle are used up, a range is longer than the pins
  // allow, or a list is longer than the buffer.
  virtual answer enter(unsigned warp, const isa::instruction& instruction) = 0;
  // The oldest instruction of the warp issues; `younger`: those behind it.
  virtual allocation issue(unsigned warp, const isa::instruction& instruction, const instruction_list& younger) = 0;
  // `waiting`: all instructions of the warp in the buffer.
  virtual completion release(unsigned warp, std::uint64_t entries, const instruction_list& waiting) = 0;
  // True if the warp will have no free entry after the edge, given the calls of the cycle so far.
  virtual bool full_next(unsigned warp) const = 0;
  virtual void edge() = 0;
  // As of the last edge.
  virtual region inspect(unsigned warp) = 0;
  // Shows the pins, always the same ones in the same order, with zeros for unused ports. Shows none unless
  // overridden.
  virtual void show(viewer&) const {}
};

}  // namespace gt200::rtl
