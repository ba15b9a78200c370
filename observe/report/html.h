// Building blocks of a self-contained page: styles and drawings are inline. page() has no script; explorer.h has.
#pragma once

#include <string>
#include <vector>

namespace gt200::observe::report {

std::string escaped(const std::string& text);

// A <section> with a heading; empty if there is no content.
std::string section(const std::string& title, const std::string& content);
// Collapsed until the reader opens it.
std::string folded(const std::string& title, const std::string& content);

// Cells are HTML. The first `texts` columns are left-aligned; the others hold numbers and are right-aligned.
// A table with a name (letters and underscores) can be sorted and filtered where the page has a script.
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                  std::size_t texts = 1, const std::string& name = "");

// A bar that fills `fraction` (0..1) of the cell; for `colour` see colour_of() in causes.h.
std::string bar(double fraction, const std::string& colour);

// The name of a cause, which opens its definition.
std::string cause_name(const std::string& cause);
// Says that the program was built without the library for pages with charts that respond.
std::string static_note();

std::string page(const std::string& title, const std::string& body);

}  // namespace gt200::observe::report
