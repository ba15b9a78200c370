#include "rtl_ref/scoreboard_at_issue/scoreboard_at_issue.h"

#include "rtl_ref/library/library.h"

namespace gt200::rtl {

// made by CMake
extern const char* const scoreboard_at_issue_interface;
extern const char* const scoreboard_at_issue_digest;

request scoreboard_at_issue_rtl(const scoreboard_at_issue_size& size, const std::string& description) {
  return {{"scoreboard_at_issue", "scoreboard_at_issue_pins", "rtl_ref/scoreboard_at_issue/pins.h",
           scoreboard_at_issue_interface, scoreboard_at_issue_digest},
          {{"warps", size.warps}, {"entries", size.entries}, {"buffer", size.buffer}},
          std::to_string(size.warps) + "x" + std::to_string(size.entries) + "x" + std::to_string(size.buffer),
          description};
}

std::unique_ptr<scoreboard_at_issue_pins> make_scoreboard_at_issue(const scoreboard_at_issue_size& size,
                                                                   const std::string& description) {
  return make<scoreboard_at_issue_pins>(scoreboard_at_issue_rtl(size, description));
}

}  // namespace gt200::rtl
