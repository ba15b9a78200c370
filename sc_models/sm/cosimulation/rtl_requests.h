// The RTL that a configuration asks for, so that it can be made before the chip is.
#pragma once

#include <vector>

#include "rtl_ref/coalescer/pins.h"
#include "rtl_ref/issue_arbiter/pins.h"
#include "rtl_ref/library/request.h"
#include "sc_models/config/chip_config.h"

namespace gt200::model {

// RTL that runs in the chip: of the blocks whose model is not systemc, if any SM has it.
std::vector<rtl::request> rtl_in_use(const config::gpu_config& config);
// RTL that could: of every block of the chip that has RTL, whatever its model is.
std::vector<rtl::request> rtl_available(const config::gpu_config& config);

// Of a policy that has RTL (lrr, gto).
inline rtl::arbiter_order order_of(config::warp_policy policy) {
  return policy == "gto" ? rtl::arbiter_order::greedy_then_oldest : rtl::arbiter_order::round_robin;
}

inline rtl::coalescer_rule rule_of(config::coalescing_rule rule) {
  return rule == config::coalescing_rule::cc_1_0 ? rtl::coalescer_rule::cc_1_0 : rtl::coalescer_rule::cc_1_2;
}

}  // namespace gt200::model
