// How pages present the causes of issue slots. Python's gt200.plot has the same colours; a test compares them.
#pragma once

#include <cstddef>
#include <string>

namespace gt200::observe::report {

// The position of a cause of stats.json in the order of causes; the number of causes if it is unknown.
std::size_t number_of_cause(const std::string& cause);
// The displayed name of a cause of stats.json; `cause` itself if it is unknown.
std::string text_of_cause(const std::string& cause);
// By number; grey if it is unknown.
std::string colour_of(std::size_t number);
// The meaning of the cause, and the help against it; empty if it is unknown.
std::string definition_of(std::size_t number);

}  // namespace gt200::observe::report
