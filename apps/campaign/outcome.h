// Outcome of a flipped bit: the run is compared with the one without it.
#pragma once

#include <array>
#include <cstdint>

namespace gt200::apps::campaign {

enum class outcome : std::uint8_t {
  detected,  // the simulated machine reported a fault
  hang,      // the watchdog ended it, or it took more than 10 times the cycles
  silent,    // it ended, and an output buffer differs
  masked,    // it ended, and all are equal
  defect     // the simulator failed: an exception, a crash, or no end
};
inline constexpr std::array<outcome, 5> outcomes = {outcome::detected, outcome::hang, outcome::silent,
                                                    outcome::masked, outcome::defect};
inline constexpr unsigned hang_factor = 10;

constexpr const char* name_of(outcome o) {
  switch (o) {
    case outcome::detected: return "detected";
    case outcome::hang: return "hang";
    case outcome::silent: return "silent";
    case outcome::masked: return "masked";
    case outcome::defect: return "defect";
  }
  return "";
}

}  // namespace gt200::apps::campaign
