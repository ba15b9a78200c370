// Pieces of a page that needs nothing but itself: style and drawings are part of it, and there is no script.
#pragma once

#include <string>
#include <vector>

namespace gt200::observe::report {

std::string escaped(const std::string& text);

// <section> with a heading; nothing when there is no content.
std::string section(const std::string& title, const std::string& content);
// Folded until the reader opens it.
std::string folded(const std::string& title, const std::string& content);

// Cells are HTML. The first `texts` columns are to the left, the others, numbers, to the right.
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows,
                  std::size_t texts = 1);

// A bar as long as `fraction` (0..1) of the cell; `colour`: see colour_of().
std::string bar(double fraction, const std::string& colour);
// Colours that can be told apart, by number.
std::string colour_of(std::size_t number);

std::string page(const std::string& title, const std::string& body);

}  // namespace gt200::observe::report
