// gt200 sweep cache: how large the cache of results is, and making it smaller.
#pragma once

#include "apps/commands/commands.h"

namespace gt200::apps {

// Adds it to `gt200 sweep`.
void add_sweep_cache(CLI::App& sweep, action& chosen);

}  // namespace gt200::apps
