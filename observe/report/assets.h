// Parts that the pages embed, read when the program is built: styles, scripts, and Vega from Debian's libjs-vega.
#pragma once

#include <string_view>

namespace gt200::observe::report {

// Draws charts: Vega and its loader. Empty if the program was built without libjs-vega.
std::string_view charts_library();
std::string_view explorer_script();
std::string_view explorer_style();

}  // namespace gt200::observe::report
