// The other end of run_host: what the forked process does.
#pragma once

#include <sys/types.h>

namespace gt200::apps::study {

// First words of the messages to the host, and of its answers.
namespace message {
// Working folder; then path, capability and hash of each program. Answered.
inline constexpr const char* load = "load";
// Number, folder, published folder; then the words of the command.
inline constexpr const char* begin = "begin";
inline constexpr const char* interrupt = "interrupt";
inline constexpr const char* loaded = "loaded";
// Reason.
inline constexpr const char* refused = "refused";
// Number, status, seconds, KiB.
inline constexpr const char* ended = "ended";
}  // namespace message

// Serves `parent` until it closes the socket or ends.
[[noreturn]] void serve_runs(int socket, pid_t parent);

}  // namespace gt200::apps::study
