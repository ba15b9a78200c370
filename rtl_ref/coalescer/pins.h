// A coalescer in RTL, driven cycle by cycle from C++. Depends on neither SystemC nor Verilator: the code that
// simulates the RTL derives from it. The protocol is that of coalescer.sv.
//
// offer() begins a half-warp. In this cycle and in the following ones, next() gives one of its transactions, until
// the last one has been taken; then the next half-warp may be offered, in the next cycle at the earliest. edge()
// ends the cycle. Cycles in which no half-warp waits need no edge(): the clock may stand still.
#pragma once

#include <cstdint>

#include "rtl_ref/block_pins.h"
#include "rtl_ref/pin_viewer.h"

namespace gt200::rtl {

// Named after the compute capability that introduced it; 1.1 and 1.3 follow 1.0 and 1.2.
enum class coalescer_rule : std::uint8_t { cc_1_0, cc_1_2 };
inline const char* name_of(coalescer_rule rule) { return rule == coalescer_rule::cc_1_0 ? "1.0" : "1.2"; }

class coalescer_pins : public block_pins {
 public:
  static constexpr unsigned lanes = 16;

  struct half_warp {
    const std::uint32_t* address = nullptr;  // of the 16 lanes; multiples of word_bytes in the active ones
    std::uint16_t active = 0;                // lanes, not 0
    unsigned word_bytes = 4;                 // 1, 2, 4, 8 or 16
    bool separate = false;                   // a transaction per lane, of one word (atomics)
  };
  struct transaction {
    bool valid = false;  // false: the RTL gives none in this cycle, and the rest has no meaning
    std::uint32_t address = 0;
    unsigned bytes = 0;
    std::uint16_t lanes = 0;
    bool in_sequence = false;
    bool last = false;
    bool operator==(const transaction& o) const {
      return valid == o.valid && address == o.address && bytes == o.bytes && lanes == o.lanes &&
             in_sequence == o.in_sequence && last == o.last;
    }
  };
  using viewer = pin_viewer;

  // The addresses need not outlive the call.
  virtual void offer(const half_warp& half) = 0;
  // The transaction of this cycle. `ready`: it is taken at the coming edge. Call it once per cycle.
  virtual transaction next(bool ready) = 0;
  virtual void edge() = 0;
  // Lanes of the half-warp that no transaction before this cycle has served.
  virtual std::uint16_t lanes_left() const = 0;
  // Shows the pins. Shows none unless overridden.
  virtual void show(viewer&) const {}
};

}  // namespace gt200::rtl
