#include "rtl_ref/scoreboard/pins.h"

#include <stdexcept>

#include "rtl_ref/scoreboard/variants.h"
#include "toolchain/error.h"

namespace gt200::rtl {

unsigned scoreboard_pins::ask(unsigned, const isa::instruction&) {
  throw std::logic_error("scoreboard pins: look-ups are answered within the cycle");
}
scoreboard_pins::answer scoreboard_pins::answered(unsigned) const {
  throw std::logic_error("scoreboard pins: look-ups are answered within the cycle");
}

std::unique_ptr<scoreboard_pins> make_scoreboard(const scoreboard_size& size) {
  std::string sizes;
  for (const scoreboard_variant& v : scoreboard_variants()) {
    if (v.size.warps == size.warps && v.size.entries == size.entries) return v.make();
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(v.size.warps) + "x" + std::to_string(v.size.entries);
  }
  if (sizes.empty())
    throw input_error(
        "RTL of the scoreboard is not available: this build was configured without Verilator; install "
        "it and run cmake again");
  throw input_error("RTL of the scoreboard is not available for " + std::to_string(size.warps) + " warps of " +
                    std::to_string(size.entries) + " entries, only for " + sizes +
                    "; the CMake variable GT200_RTL_SCOREBOARD_SIZES lists them");
}

std::vector<scoreboard_size> scoreboard_sizes() {
  std::vector<scoreboard_size> sizes;
  for (const scoreboard_variant& v : scoreboard_variants()) sizes.push_back(v.size);
  return sizes;
}

}  // namespace gt200::rtl
