// The scoreboard that takes entries at issue, in RTL, of any size (rtl_ref/library).
#pragma once

#include <memory>
#include <string>

#include "rtl_ref/library/request.h"
#include "rtl_ref/scoreboard_at_issue/pins.h"

namespace gt200::rtl {

// `description`: of RTL of your own (rtl_ref/library/description.h), which may name `warps`, `entries` and
// `buffer`. Empty: scoreboard_at_issue.sv.
request scoreboard_at_issue_rtl(const scoreboard_at_issue_size& size, const std::string& description = "");

// A new one, reset. Throws input_error (rtl_ref/library/library.h).
std::unique_ptr<scoreboard_at_issue_pins> make_scoreboard_at_issue(const scoreboard_at_issue_size& size,
                                                                   const std::string& description = "");

}  // namespace gt200::rtl
