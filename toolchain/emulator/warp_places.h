// Positions of the warps of a block, for a launch that was ended before its end.
#pragma once

#include <fmt/format.h>

#include <string>

namespace gt200::emulator {

// "warps 0-2 at 0x30, 3 at 0x48 with lanes 0x00000001, 4 at 0x60 waits, 5-7 ended". `waits(w)`: at a barrier.
template <class block_type, class function>
std::string places_of_warps(const block_type& block, function waits) {
  constexpr std::uint32_t all_lanes = 0xffffffffu;
  std::string text = "warps ";
  std::string place;
  unsigned first = 0;
  const auto add = [&](unsigned end) {
    if (end == first) return;
    text += first == 0 ? "" : ", ";
    text += end - first == 1 ? fmt::format("{} {}", first, place) : fmt::format("{}-{} {}", first, end - 1, place);
  };
  for (unsigned w = 0; w < block.warps(); ++w) {
    std::string own = "ended";
    if (!block.finished(w)) {
      own = fmt::format("at {:#x}", block.flow(w).pc());
      const std::uint32_t lanes = block.flow(w).active_mask();
      if (lanes != all_lanes) own += fmt::format(" with lanes {:#010x}", lanes);
      if (waits(w)) own += " waits";
    }
    if (own == place) continue;
    add(w);
    first = w;
    place = own;
  }
  add(block.warps());
  return text;
}

}  // namespace gt200::emulator
