#include "rtl_ref/issue_arbiter/pins.h"
#include "rtl_ref/issue_arbiter/variants.h"
#include "toolchain/error.h"

namespace gt200::rtl {

std::unique_ptr<arbiter_pins> make_issue_arbiter(const arbiter_kind& kind) {
  std::string sizes;
  for (const arbiter_variant& v : arbiter_variants()) {
    if (v.kind.order != kind.order) continue;
    if (v.kind.warps == kind.warps) return v.make();
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(v.kind.warps);
  }
  if (sizes.empty())
    throw input_error(
        "RTL of the issue arbiter is not available: this build was configured without Verilator; install it and "
        "run "
        "cmake again");
  throw input_error("RTL of the issue arbiter is not available for " + std::to_string(kind.warps) +
                    " warps, only for " + sizes + "; the CMake variable GT200_RTL_ARBITER_WARPS lists them");
}

std::vector<arbiter_kind> issue_arbiter_kinds() {
  std::vector<arbiter_kind> kinds;
  for (const arbiter_variant& v : arbiter_variants()) kinds.push_back(v.kind);
  return kinds;
}

}  // namespace gt200::rtl
