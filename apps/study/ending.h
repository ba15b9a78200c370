// ending.json: how a point ended, and which files it left. It is the last file written into a folder of a result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "apps/study/study.h"

namespace gt200::apps::study {

inline constexpr const char* ending_file = "ending.json";
inline constexpr const char* messages_file = "messages.txt";

struct stored_file {
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct stored_ending {
  ending end;
  std::string key;
  words command;
  std::map<std::string, stored_file> files;  // all but ending.json; no folders
};

// Lists the files of the folder with their hashes and writes ending.json. Throws input_error.
void write_ending(const std::string& folder, const ending& end, const std::string& key, const words& command);

// How thoroughly read_ending() looks at the files: their sizes, also the hashes of files up to 64 KiB, or all
// hashes.
enum class verify : std::uint8_t { sizes, small_files, all };

// Nothing when the folder has no ending.json, a damaged one, or files other than it says.
std::optional<stored_ending> read_ending(const std::string& folder, verify how);

// The content of a file of a result if it has the hash that ending.json says.
std::optional<std::string> verified_content(const std::string& folder, const stored_ending& end,
                                            const std::string& name);

// The command as it reads back: bytes that are no UTF-8 are replaced.
words as_stored(const words& command);

}  // namespace gt200::apps::study
