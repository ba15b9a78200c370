#include "observe/checker/mismatch.h"

#include <fmt/format.h>

#include "sc_models/ids.h"

namespace gt200::observe {

std::string describe(const mismatch& m) {
  std::string text = fmt::format("model and emulator differ in core cycle {}", m.cycle);
  if (!m.place.empty()) text += " at " + m.place;
  text += fmt::format(": {}\n  kernel    {}", m.what, m.kernel);
  if (m.has_instruction) {
    const std::string z = m.block_z != 0 ? fmt::format(", {}", m.block_z) : "";
    text += fmt::format(", block ({}, {}{}), warp {} (slot {})", m.block_x, m.block_y, z, m.warp, m.slot.index());
    if (m.lane >= 0) text += fmt::format(", lane {}", m.lane);
    text += fmt::format("\n  at        {:#06x}", m.pc);
    if (m.line != 0) text += fmt::format(" (line {})", m.line);
    text += ": " + m.disassembly + ", instruction " + model::text_of_id(m.id);
  }
  return text + "\n  emulator  " + m.expected + "\n  model     " + m.got;
}

}  // namespace gt200::observe
