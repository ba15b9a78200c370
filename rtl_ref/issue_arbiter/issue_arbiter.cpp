#include "rtl_ref/issue_arbiter/issue_arbiter.h"

#include "rtl_ref/library/library.h"

namespace gt200::rtl {

// made by CMake
extern const char* const issue_arbiter_interface;
extern const char* const issue_arbiter_digest;

request issue_arbiter_rtl(const arbiter_kind& kind, const std::string& description) {
  return {{"issue_arbiter", "arbiter_pins", "rtl_ref/issue_arbiter/pins.h", issue_arbiter_interface,
           issue_arbiter_digest},
          {{"warps", kind.warps}, {"order", static_cast<std::uint64_t>(kind.order)}},
          std::to_string(kind.warps) + (kind.order == arbiter_order::round_robin ? "-lrr" : "-gto"),
          description};
}

std::unique_ptr<arbiter_pins> make_issue_arbiter(const arbiter_kind& kind, const std::string& description) {
  return make<arbiter_pins>(issue_arbiter_rtl(kind, description));
}

}  // namespace gt200::rtl
