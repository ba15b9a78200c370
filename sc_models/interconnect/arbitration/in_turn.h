// Outputs choose one after the other among the inputs that are still free. Which one chooses first turns with the
// cycle, so that none has the first pick of the inputs for ever.
#pragma once

#include "sc_models/interconnect/arbitration/arbitration.h"
#include "toolchain/bits.h"

namespace gt200::model {

// `choose(output, candidates)` returns one of the inputs; -1 when there is no candidate.
template <class chooser>
void match_in_turn(const switch_requests& r, switch_matches& matches, chooser choose) {
  std::uint64_t free = r.free_inputs;
  const auto first = static_cast<unsigned>(r.now % r.outputs);
  for (const std::uint64_t half :
       {r.ready_outputs & (~std::uint64_t{0} << first), r.ready_outputs & ((std::uint64_t{1} << first) - 1)})
    for (const unsigned output : set_bits(half)) {
      const int input = choose(output, r.inputs_for[output] & free);
      if (input < 0) continue;
      free &= ~(std::uint64_t{1} << input);
      matches.add(static_cast<unsigned>(input), output);
    }
}

}  // namespace gt200::model
