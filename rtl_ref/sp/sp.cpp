#include <string>

#include "rtl_ref/sp/pins.h"
#include "rtl_ref/sp/variants.h"
#include "toolchain/error.h"

namespace gt200::rtl {

std::unique_ptr<sp_pins> make_sp(unsigned depth) {
  std::string depths;
  for (const sp_variant& v : sp_variants()) {
    if (v.depth == depth) return v.make();
    depths += (depths.empty() ? "" : ", ") + std::to_string(v.depth);
  }
  if (depths.empty())
    throw input_error(
        "RTL of the SP is not available: this build was configured without Verilator; install it and run cmake "
        "again");
  throw input_error("RTL of the SP is not available with a depth of " + std::to_string(depth) + ", only of " +
                    depths + "; the CMake variable GT200_RTL_SP_DEPTHS lists them");
}

std::vector<unsigned> sp_depths() {
  std::vector<unsigned> depths;
  for (const sp_variant& v : sp_variants()) depths.push_back(v.depth);
  return depths;
}

}  // namespace gt200::rtl
