// A streaming processor in RTL, driven clock by clock from C++: one lane of the unit classes sp and sp_mul. Depends
// on neither SystemC nor Verilator: the code that simulates the RTL derives from it. The protocol is that of sp.sv.
//
// In a cycle of the shader clock: result() gives what has come out of the pipeline, start() puts an operation in,
// and edge() ends the cycle. The result of an operation is there after depth() edges. Cycles in which nothing is in
// the pipeline need no edge(): the clock may stand still.
#pragma once

#include <cstdint>

#include "rtl_ref/block_pins.h"
#include "rtl_ref/sp/control.h"

namespace gt200::rtl {

// No operation of an SP has sources or results of more than one word.
struct lane_operands {
  std::uint32_t source[3] = {0, 0, 0};
  std::uint8_t flags_in = 0;
  std::uint16_t address_in = 0;
};

// results_of() says which of them an instruction has.
struct lane_result {
  std::uint32_t destination = 0;
  std::uint8_t flags_out = 0;
  std::uint16_t address_out = 0;
};

class sp_pins : public block_pins {
 public:
  virtual unsigned depth() const = 0;
  // At most once per cycle.
  virtual void start(const sp_control& control, const lane_operands& operands) = 0;
  virtual void edge() = 0;
  // The result that is there in this cycle; null if there is none.
  virtual const lane_result* result() const = 0;
};

}  // namespace gt200::rtl
