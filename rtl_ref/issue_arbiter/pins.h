// An issue arbiter in RTL, driven cycle by cycle from C++. Knows nothing of SystemC and nothing of Verilator:
// whoever simulates the RTL derives from it. The protocol is that of issue_arbiter.sv.
//
// Within a cycle grant() may be asked any number of times, then accept() and start() say what the edge is to do.
// Cycles without them need no edge(): the clock may stand still.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gt200::rtl {

enum class arbiter_order : std::uint8_t { round_robin, greedy_then_oldest };

struct arbiter_kind {
  unsigned warps;
  arbiter_order order;
};

class arbiter_pins {
 public:
  static constexpr int nobody = -1;

  virtual ~arbiter_pins() = default;

  // Who of the requesting warps (not 0) is granted; `nobody` when the RTL grants none, which is wrong.
  virtual int grant(std::uint64_t requests) = 0;
  // At the coming edge: a granted warp goes, a new warp occupies the slot. A warp each at most once per cycle.
  virtual void accept(unsigned warp) = 0;
  virtual void start(unsigned warp) = 0;
  virtual void edge() = 0;
};

// The Verilated issue_arbiter.sv, reset. Throws gt200::input_error, which says what to do, when the build has no
// Verilator or not this kind.
std::unique_ptr<arbiter_pins> make_issue_arbiter(const arbiter_kind& kind);

// Kinds of this build; none without Verilator.
std::vector<arbiter_kind> issue_arbiter_kinds();

}  // namespace gt200::rtl
