// The issue arbiter in RTL, for any number of warps (rtl_ref/library).
#pragma once

#include <memory>
#include <string>

#include "rtl_ref/issue_arbiter/pins.h"
#include "rtl_ref/library/request.h"

namespace gt200::rtl {

// `description`: of RTL of your own (rtl_ref/library/description.h), which may name `warps` and `order` (0 round
// robin, 1 greedy then oldest). Empty: issue_arbiter.sv.
request issue_arbiter_rtl(const arbiter_kind& kind, const std::string& description = "");

// A new one, reset. Throws input_error (rtl_ref/library/library.h).
std::unique_ptr<arbiter_pins> make_issue_arbiter(const arbiter_kind& kind, const std::string& description = "");

}  // namespace gt200::rtl
