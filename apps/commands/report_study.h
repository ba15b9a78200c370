// `gt200 report STUDY`: the page of a sweep, and those of its points.
#pragma once

#include <string>

#include "observe/report/pages.h"

namespace gt200::apps {

// True if the folder is one of `gt200 sweep`.
bool is_study(const std::string& folder);

// Writes the page, and report.html into the folder of each point that keeps stats.json, in studies of up to
// `most_point_pages` points; the page links to them. Throws input_error.
inline constexpr std::size_t most_point_pages = 200;
void write_study_page(const std::string& folder, const std::string& file, observe::report::page_style style);

}  // namespace gt200::apps
