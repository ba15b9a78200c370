// An issue arbiter in RTL, driven cycle by cycle from C++. Depends on neither SystemC nor Verilator: the code that
// simulates the RTL derives from it. The protocol is that of issue_arbiter.sv.
//
// Within a cycle, grant() may be called any number of times; then accept() and start() say what the edge will do.
// Cycles without these calls need no edge(): the clock may stand still.
#pragma once

#include <cstdint>

#include "rtl_ref/block_pins.h"

namespace gt200::rtl {

enum class arbiter_order : std::uint8_t { round_robin, greedy_then_oldest };

struct arbiter_kind {
  unsigned warps;
  arbiter_order order;
};

class arbiter_pins : public block_pins {
 public:
  static constexpr int nobody = -1;

  // The granted warp among the requesting ones (not 0); `nobody` when the RTL grants none, which is wrong.
  virtual int grant(std::uint64_t requests) = 0;
  // Effective at the coming edge: accept() issues the granted warp, start() puts a new warp into the slot. Each at
  // most once per cycle and warp.
  virtual void accept(unsigned warp) = 0;
  virtual void start(unsigned warp) = 0;
  virtual void edge() = 0;
};

}  // namespace gt200::rtl
