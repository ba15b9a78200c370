// The results of a run that a user may choose to keep: `--keep stats,csv`, `keep` of a study file.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace gt200::apps {

struct kept_file {
  const char* word;  // of the user
  const char* name;  // in the folder of --out
};
inline constexpr std::array<kept_file, 4> kept_files = {
    {{"stats", "stats.json"}, {"csv", "stats.csv"}, {"config", "config.toml"}, {"figures", "figures.json"}}};

// Complains of these words in one line; empty when each of them is one of kept_files.
std::string check_kept(const std::vector<std::string>& words);

}  // namespace gt200::apps
