// The picture of a campaign: a bar per structure with the shares of the outcomes, and the 95 % interval of what was
// not masked.
#pragma once

#include <string>
#include <vector>

#include "apps/campaign/table.h"

namespace gt200::apps::campaign {

// SVG by itself. Structures without an injection have no bar. Bars with too few injections are hatched.
std::string structures_svg(const std::string& title, const std::vector<structure_counts>& counts);

}  // namespace gt200::apps::campaign
