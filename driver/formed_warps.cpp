#include "driver/formed_warps.h"

#include <fmt/format.h>

#include "toolchain/isa/tesla/codec.h"

namespace gt200 {
namespace {

// A barrier that also ends or joins threads cannot leave the warp twice.
bool joins_lanes(const isa::tesla::instruction& i) {
  using isa::tesla::control_kind;
  using isa::tesla::opcode;
  return i.op == opcode::vote_any || i.op == opcode::vote_all || i.op == opcode::quadop ||
         i.control == control_kind::quadon || i.control == control_kind::quadpop ||
         (i.unit == isa::unit_class::barrier && i.concerns_divergence());
}

}  // namespace

std::string needs_static_warps(const cubin::kernel& kernel) {
  for (std::size_t i = 0; i + 1 < kernel.code.size(); i += isa::tesla::length_of(kernel.code[i]) / 4) {
    isa::tesla::decode_error error;
    const auto instruction = isa::tesla::decode(kernel.code[i], kernel.code[i + 1], error);
    if (!instruction || !joins_lanes(*instruction)) continue;
    return fmt::format(
        "'{}' at {:#x} combines the lanes of a warp, and tpc.sm.warp_formation changes which threads these are; "
        "with "
        "--warp-synchronous, or warp_synchronous = true in a launch description, it keeps static warps",
        isa::tesla::disassemble(*instruction), 4 * i);
  }
  return "";
}

}  // namespace gt200
