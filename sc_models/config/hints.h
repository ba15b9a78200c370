// What a changed configuration does not say by itself: that another key caps the changed one, or that the changed
// one has no effect while another stands as it does. A hint is no error: the configuration is what was asked for.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::config {

// Whether copies of buffers take simulated time: `gt200 run --copies`.
enum class buffer_copies : std::uint8_t { at_once, timed };

// Hints on the keys in which `after` differs from `before`, one line each, such as
//   tpc.sm.sp.lanes = 16: with an s[] operand instructions still begin every 6 shader cycles: raise ...
// In the order of the rules; empty if there is nothing to say. They hold for the policies that keys choose, not for
// those that config::choose_at() gives to modules by name.
std::vector<std::string> hints(const gpu_config& before, const gpu_config& after,
                               buffer_copies copies = buffer_copies::at_once);

// The keys that have no effect while the others stand as they do.
std::set<std::string> keys_without_effect(const gpu_config& config);

}  // namespace gt200::config
