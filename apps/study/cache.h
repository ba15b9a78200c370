// Results of all studies, found by the hash of everything that decides them.
//
// A result is a folder FOLDER/points/KK/KEY with the files of the point and ending.json. It appears whole, by
// rename; when several processes store the same result, one wins and the others drop theirs. Every file is checked
// against its hash on use; a damaged result is removed and does not count. Files are hard links where the file
// system has them, so a result in the cache costs no room beside that in the study; hence they are made read-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gt200::apps::study {

// $GT200_RESULT_CACHE, else $XDG_CACHE_HOME/gt200, else $HOME/.cache/gt200; empty if none of them is set.
std::string default_cache_folder();

// Makes the folder. Empty when results can be kept there; else why not.
std::string check_cache(const std::string& folder);

struct cache_use {
  std::size_t results = 0;
  std::uint64_t bytes = 0;  // of their files, also of those that studies share
};
cache_use use_of_cache(const std::string& folder);
// Removes results until at most `bytes` are left, those first that no study has taken or stored for the longest
// time. Returns what it removed. Files that a study has stay there. Other processes may use the cache meanwhile.
cache_use prune_cache(const std::string& folder, std::uint64_t bytes);

class result_cache {
 public:
  // `folder` empty: a cache that keeps nothing.
  explicit result_cache(std::string folder) : folder_(std::move(folder)) {}

  // Puts the files of the result into `target`, an empty folder, without ending.json. False when there is none.
  // `seconds` and `peak_kib` are those of the run that made it.
  struct found {
    bool hit = false;
    int exit_code = 0;
    double seconds = 0;
    std::uint64_t peak_kib = 0;
    std::string reason;
  };
  found fetch(const std::string& key, const std::string& target) const;

  // Keeps the result in `folder`, which has its ending.json. Does nothing when there is one already. A cache that
  // cannot be written is no error: the next study runs the point again.
  void store(const std::string& key, const std::string& folder) const;

  std::string place_of(const std::string& key) const;

 private:
  bool keeps(const std::string& key) const { return !folder_.empty() && key.size() == 64; }

  std::string folder_;
};

}  // namespace gt200::apps::study
