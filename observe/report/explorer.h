// Pages with a script: tables that can be sorted and filtered, charts, and views that follow what is chosen.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gt200::observe::report {

// False if the program was built without the library that draws the charts; then pages are static.
bool has_explorer();

// A self-contained page. `body` is HTML; the script finds `data` by its member "kind", and fills the element
// `explorer` of the body.
std::string explorer_page(const std::string& title, const std::string& body, const nlohmann::ordered_json& data);

}  // namespace gt200::observe::report
