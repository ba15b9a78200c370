#include "sc_models/memory_path/cosimulation/half_warp_text.h"

#include <fmt/format.h>

namespace gt200::model {

std::string text_of(const rtl::coalescer_pins::transaction& transaction) {
  if (!transaction.valid) return "none";
  return fmt::format("{} bytes at {:#x}, lanes {:#06x}{}{}", transaction.bytes, transaction.address,
                     transaction.lanes, transaction.in_sequence ? ", in sequence" : "",
                     transaction.last ? ", last" : "");
}

std::string text_of(const rtl::coalescer_pins::half_warp& half, rtl::coalescer_rule rule) {
  return half.separate ? fmt::format("separate words of {} bytes, lanes {:#06x}", half.word_bytes, half.active)
                       : fmt::format("words of {} bytes, lanes {:#06x}, by rule {}", half.word_bytes, half.active,
                                     rtl::name_of(rule));
}

std::string addresses_of(const rtl::coalescer_pins::half_warp& half) {
  std::string text;
  for (unsigned n = 0; n < rtl::coalescer_pins::lanes; ++n) {
    if (n % 8 == 0) text += fmt::format("  {:<20}", fmt::format("lanes {} to {}:", n, n + 7));
    text += (half.active >> n & 1) != 0 ? fmt::format(" {:#x}", half.address[n]) : " -";
    if (n % 8 == 7) text += "\n";
  }
  return text;
}

}  // namespace gt200::model
