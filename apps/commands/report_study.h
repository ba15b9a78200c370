// `gt200 report STUDY`: the page of a sweep, and those of its points.
#pragma once

#include <functional>
#include <string>

#include "apps/sweep/sweep_folder.h"
#include "observe/report/study_page.h"

namespace gt200::apps {

// True if the folder is one of `gt200 sweep`.
bool is_study(const std::string& folder);

// The figures of the points that have ended. `link`: the address of a point, by its number in the study.
observe::report::study_figures figures_of(const sweep::planned_sweep& plan,
                                          const std::function<std::string(std::size_t number)>& link);

// Writes the page, and report.html into the folder of each point that keeps stats.json, in studies of up to
// `most_point_pages` points; the page links to them. Throws input_error.
inline constexpr std::size_t most_point_pages = 200;
void write_study_page(const std::string& folder, const std::string& file, observe::report::page_style style);

}  // namespace gt200::apps
