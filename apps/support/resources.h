// Handles a computer, or a limit that somebody has set (ulimit), that gives the program no more.
#pragma once

#include <exception>
#include <string>

namespace gt200::apps {

// At the start of the program: standard streams that the caller has closed become ones that cannot be used, so that
// no file of ours gets their numbers; a pipe that nobody reads and a file that grows too large are errors of the
// write, not signals; and a std::terminate() for want of memory ends with one line and exit_code::no_memory.
void prepare_for_limits();

// Names what is missing: "out of memory", or why there can be no further thread or open file. Empty if the
// error is something else. SystemC's reports of what a process has thrown are included.
std::string text_of_missing_memory(const std::exception& error);

// Why this process may open too few files for any command, after it has raised its limit as far as it may; else
// empty.
std::string text_of_too_few_files();

// Why the standard output cannot be written; empty if the error is something else.
std::string text_of_failed_output(const std::exception& error);

// True if the standard output is a pipe that its reader has closed, as `head` does when it has enough.
bool nobody_reads_output();

// True if this process can have no further memory to speak of. For signal handlers, too.
bool memory_is_used_up();

}  // namespace gt200::apps
