// Allocates registers: colours them (colour.cpp) and makes room (spill.h) until every register has its place.
#include <cstddef>
#include <optional>

#include "toolchain/ptx/passes.h"
#include "toolchain/ptx/spill.h"

namespace gt200::ptx {
namespace {

constexpr int patient_rounds = 64;  // after these, speed counts more than each access saved
constexpr std::size_t rivals_per_victim = 24;
constexpr std::size_t rivals_per_victim_in_haste = 4;

}  // namespace

std::optional<allocation> allocate_registers(machine_function& f, unsigned max_registers) {
  renumber_registers(f);
  spiller room(f);
  // Every round spills registers that no later round can spill again, so the loop ends.
  for (int round = 0;; ++round) {
    const allocation result = colour_registers(f, max_registers);
    if (result.uncoloured < 0) return result;
    if (!room.make_room(result, round < patient_rounds ? rivals_per_victim : rivals_per_victim_in_haste))
      return std::nullopt;
  }
}

}  // namespace gt200::ptx
