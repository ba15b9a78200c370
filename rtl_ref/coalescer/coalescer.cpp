#include "rtl_ref/coalescer/pins.h"
#include "rtl_ref/coalescer/variants.h"
#include "toolchain/error.h"

namespace gt200::rtl {

const char* name_of(coalescer_rule rule) { return rule == coalescer_rule::cc_1_0 ? "1.0" : "1.2"; }

std::unique_ptr<coalescer_pins> make_coalescer(coalescer_rule rule) {
  std::string rules;
  for (const coalescer_variant& v : coalescer_variants()) {
    if (v.rule == rule) return v.make();
    rules += (rules.empty() ? "" : ", ") + std::string(name_of(v.rule));
  }
  if (rules.empty())
    throw input_error(
        "RTL of the coalescer is not available: this build was configured without Verilator; install it and run "
        "cmake again");
  throw input_error("RTL of the coalescer is not available for rule " + std::string(name_of(rule)) + ", only for " +
                    rules + "; the CMake variable GT200_RTL_COALESCER_RULES lists them");
}

std::vector<coalescer_rule> coalescer_rules() {
  std::vector<coalescer_rule> rules;
  for (const coalescer_variant& v : coalescer_variants()) rules.push_back(v.rule);
  return rules;
}

}  // namespace gt200::rtl
