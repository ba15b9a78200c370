// Messages between a process that runs a study and its run_host: lists of words over a socket.
#pragma once

#include <string>
#include <vector>

namespace gt200::apps::study {

// A word is anything without a byte 0, as on a command line.
std::string packed_message(const std::vector<std::string>& message);

// Takes the first whole message off `received`; false when there is none.
bool take_message(std::string& received, std::vector<std::string>& message);

// Writes all of it, also in several parts. False when the other end is gone.
bool send_all(int socket, const std::string& bytes);

}  // namespace gt200::apps::study
