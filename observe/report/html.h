// Building blocks of a self-contained page: styles and drawings are inline, and there is no script.
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
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                  std::size_t texts = 1);

// A bar that fills `fraction` (0..1) of the cell; for `colour` see colour_of().
std::string bar(double fraction, const std::string& colour);
// Returns distinguishable colours by number.
std::string colour_of(std::size_t number);

std::string page(const std::string& title, const std::string& body);

}  // namespace gt200::observe::report
