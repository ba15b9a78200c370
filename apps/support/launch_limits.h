// Limits of a launch of a CUDA program, as variables of the environment pass them to the worker.
#pragma once

#include <cstdint>
#include <string>

namespace gt200::apps {

inline constexpr const char* variable_max_cycles = "GT200_MAX_CYCLES";
inline constexpr const char* variable_max_instructions = "GT200_MAX_INSTRUCTIONS";
inline constexpr const char* variable_max_seconds = "GT200_MAX_SECONDS";

inline constexpr double max_option_seconds = 1e8;

// Complaint about the text, or nothing: the form that CLI11 asks for. The first takes whole numbers from 0 on, the
// second decimal numbers of seconds.
std::string check_limit(const std::string& text);
std::string check_seconds(const std::string& text);

// The value of such a variable; 0, no limit, if it is not set or empty. Throws input_error.
std::uint64_t limit_of(const char* variable);
double seconds_of(const char* variable);

}  // namespace gt200::apps
