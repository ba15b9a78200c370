#include "apps/support/kept_files.h"

#include <algorithm>

namespace gt200::apps {

std::string check_kept(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (std::none_of(kept_files.begin(), kept_files.end(), [&](const kept_file& f) { return word == f.word; }))
      return "'" + word + "' is none of stats, csv, config, figures";
  return {};
}

}  // namespace gt200::apps
