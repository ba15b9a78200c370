// Message for an error that is not the user's input.
#pragma once

#include <exception>
#include <string>

namespace gt200::apps {

// "internal error: ...". Of a report of SystemC with its id and the simulated time, and with the process if the id
// is not one of this project, whose texts have a place. What comes from code that a user has given (plug-ins, RTL)
// is no internal error but "fault of plug-in mine (libmine.so)", with the reason, and the place and the simulated
// time if it runs. If that is not known for certain, the text says which plug-ins are loaded.
std::string text_of_internal_error(const std::exception& error);
// The same for the exception being handled, which is no std::exception.
std::string text_of_unknown_exception();

}  // namespace gt200::apps
