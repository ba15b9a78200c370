// A scoreboard in RTL, driven cycle by cycle from C++. Depends on neither SystemC nor Verilator: the code that
// simulates the RTL derives from it. The protocol is that of scoreboard.sv. Everything here is inline: a library of
// RTL needs nothing of the program that loads it.
//
// Within a cycle each call uses a port, in order: an entering instruction takes the next look-up port, a completed
// one the next release port. Each call is answered at once. edge() ends the cycle. Cycles without calls need no
// edge(): the clock may stand still.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rtl_ref/block_pins.h"
#include "rtl_ref/pin_viewer.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::rtl {

struct scoreboard_size {
  unsigned warps;
  unsigned entries;  // per warp
};

class scoreboard_pins : public block_pins {
 public:
  struct answer {
    bool accepted = false;
    std::uint64_t dependencies = 0;  // bit e: entry e of the warp
    std::uint64_t allocated = 0;
    bool operator==(const answer& o) const {
      return accepted == o.accepted && dependencies == o.dependencies && allocated == o.allocated;
    }
  };
  struct entry {
    unsigned index;
    isa::register_range range;
  };
  struct region {
    bool taken_whole = false;  // an instruction with more destinations than entries has it: `entries` has no ranges
    std::uint64_t pending = 0;   // bit e: entry e is in use
    std::vector<entry> entries;  // the entries in use
  };

  using viewer = pin_viewer;

  // Instructions that can complete in one cycle; any number unless overridden.
  virtual unsigned release_ports() const { return ~0u; }
  // Core cycles from a look-up to its answer. 0, as in scoreboard.sv: combinational. Otherwise answers come out of
  // registers, but they, the entries taken and full_next still describe the cycle of the look-up.
  virtual unsigned latency() const { return 0; }
  // Throws std::logic_error when the ports of the cycle are used up or a range is longer than the pins allow. RTL
  // with a latency has ask() instead.
  virtual answer enter(unsigned warp, const isa::instruction& instruction) = 0;
  // For RTL with a latency: the port of the look-up, and later the answer at that port, which is valid after
  // latency() edges until the next edge.
  virtual unsigned ask(unsigned, const isa::instruction&) { throw std::logic_error(unanswered); }
  virtual answer answered(unsigned) const { throw std::logic_error(unanswered); }
  // These three return the entries to be cleared in the dependency vectors of the warp.
  virtual std::uint64_t release(unsigned warp, std::uint64_t entries) = 0;
  virtual std::uint64_t squash(unsigned warp, std::uint64_t entries) = 0;
  virtual std::uint64_t flush(unsigned warp) = 0;
  // True if the warp will have no free entry after the edge, given the calls of the cycle so far.
  virtual bool full_next(unsigned warp) const = 0;
  virtual void edge() = 0;
  // As of the last edge.
  virtual region inspect(unsigned warp) = 0;
  // Shows the pins, always the same ones in the same order, with zeros for unused ports. Shows none unless
  // overridden.
  virtual void show(viewer&) const {}

 private:
  static constexpr const char* unanswered = "scoreboard pins: look-ups are answered within the cycle";
};

}  // namespace gt200::rtl
