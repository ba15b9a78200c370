// What the program says of an error that is not the user's input.
#pragma once

#include <exception>
#include <string>

namespace gt200::apps {

// "internal error: ...". Of a report of SystemC with its id and the simulated time, and with the process if the id
// is not one of this project, whose texts have a place. If plug-ins are loaded, it says that one of them may be
// wrong.
std::string text_of_internal_error(const std::exception& error);

}  // namespace gt200::apps
