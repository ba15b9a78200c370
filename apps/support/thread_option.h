// The option --threads: how many threads of the host run the chip.
#pragma once

#include <string>

#include "tlm_bus/processors.h"

namespace gt200::config {
struct gpu_config;
}

namespace gt200::apps {

using tlm_bus::max_threads;
inline constexpr const char* threads_help = "threads of the host that run the chip, or auto: as many as processors";

// "N" from 1 to max_threads, or "auto". check_threads() returns what is wrong with the text, or nothing: the form
// CLI11 asks for. thread_count() throws input_error with that reason.
std::string check_threads(const std::string& text);
unsigned thread_count(const std::string& text);

// The same for the chip of this configuration. "auto" is 1 if several threads cannot run it; the reason is then
// printed to the standard error stream, unless there is one processor only.
unsigned thread_count(const std::string& text, const config::gpu_config& config);

}  // namespace gt200::apps
