// The option --threads: how many threads of the host run the chip.
#pragma once

#include <string>

namespace gt200::apps {

inline constexpr unsigned max_threads = 256;
inline constexpr const char* threads_help = "threads of the host that run the chip, or auto: as many as processors";

// "N" from 1 to max_threads, or "auto". check_threads() returns what is wrong with the text, or nothing: the form
// CLI11 asks for. thread_count() throws input_error with that reason.
std::string check_threads(const std::string& text);
unsigned thread_count(const std::string& text);

}  // namespace gt200::apps
