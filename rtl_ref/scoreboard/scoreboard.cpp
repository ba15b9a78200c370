#include "rtl_ref/scoreboard/scoreboard.h"

#include "rtl_ref/library/library.h"

namespace gt200::rtl {

// made by CMake
extern const char* const scoreboard_interface;
extern const char* const scoreboard_digest;

request scoreboard_rtl(const scoreboard_size& size, const std::string& description) {
  return {{"scoreboard", "scoreboard_pins", "rtl_ref/scoreboard/pins.h", scoreboard_interface, scoreboard_digest},
          {{"warps", size.warps}, {"entries", size.entries}},
          std::to_string(size.warps) + "x" + std::to_string(size.entries),
          description};
}

std::unique_ptr<scoreboard_pins> make_scoreboard(const scoreboard_size& size, const std::string& description) {
  return make<scoreboard_pins>(scoreboard_rtl(size, description));
}

}  // namespace gt200::rtl
