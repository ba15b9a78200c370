#pragma once

#include "observe/observers/cycle_window.h"

namespace gt200::apps {

using observe::max_option_cycles;

}  // namespace gt200::apps
