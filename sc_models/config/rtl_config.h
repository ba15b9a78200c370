// Which blocks run as reference RTL in place of the SystemC model or beside it, and where: the keys `model` of
// these blocks, and tpc.sm.rtl.
#pragma once

#include <cstdint>

#include "sc_models/config/cycles.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

enum class model_kind : std::uint8_t { systemc, rtl, lockstep };
template <>
inline constexpr std::array<const char*, 3> choice_names<model_kind> = {"systemc", "rtl", "lockstep"};

enum class rtl_clock : std::uint8_t { gated, free_running };
template <>
inline constexpr std::array<const char*, 2> choice_names<rtl_clock> = {"gated", "free_running"};

// tpc.sm.rtl: for the blocks whose `model` is not systemc
struct rtl_config {
  std::uint64_t sms{};
  timed::core_cycles run_on_cycles{};
  rtl_clock clock{};

  // The RTL's clock has an edge in every cycle, and not only in those in which it is used.
  bool free_running() const { return clock == rtl_clock::free_running; }
  bool concerns(unsigned sm_in_chip) const { return sms == 0 || (sm_in_chip < 64 && (sms >> sm_in_chip & 1) != 0); }

  void describe(visitor& v) {
    v.number("sms", sms, unit::none, any_64_bits(),
             "bit n: SM n of the chip, and the coalescer of its TPC, have the models named rtl or lockstep, the "
             "others systemc; 0: every SM",
             assumption("all alike"));
    v.cycles("run_on_cycles", run_on_cycles, between(0, 1000000000),
             "lockstep: from the first difference to the stop", assumption("the first difference is the cause"));
    v.choice(
        "clock", clock,
        "whether the RTL's clock stands still while nothing happens, or has an edge in every cycle of its domain: "
        "those of idle cycles together, before it is used again",
        assumption("the reference RTL changes no state in an idle cycle"));
  }
};

}  // namespace gt200::config
