// The folders of a study's points: unfinished ones aside, finished ones under their names, whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/study/cache.h"
#include "apps/study/study.h"

namespace gt200::apps::study {

// Watches the files that points read.
class input_watch {
 public:
  // Throws input_error for a file that is not as planned.
  explicit input_watch(const std::vector<input_file>& inputs);
  // The first file that is no longer as planned; empty if all are. Cheap while nobody touches them.
  std::string changed();

 private:
  struct watched {
    input_file file;
    std::vector<std::int64_t> signature;  // of the file system
  };
  std::vector<watched> files_;
};

class point_store {
 public:
  explicit point_store(const study& work) : work_(work), cache_(work.how.cache) {}

  // A new empty folder for a run of the point. Throws input_error.
  std::string begin(const point& of) const;
  // The same, filled with the files of an equal result; nothing if there is none.
  struct cached_result {
    std::string folder;  // empty: none
    ending end;
  };
  cached_result from_cache(const point& of) const;

  // Completes the folder with ending.json and gives it the point's name. A result that is there already stays, and
  // the new one is dropped: two runs of a point have the same result, and it is never mixed. Throws input_error.
  void publish(const point& of, const std::string& folder, const ending& end) const;
  // Drops the folder of a run without a result.
  void abandon(const std::string& folder) const;

  // Removes the ending of a point, if it has one: it is to run again.
  void forget(const point& of) const;

  // Removes folders of killed processes: all of them, or those that ran on this machine.
  void clean(bool all) const;
  // Names of the points that have an unfinished folder.
  std::vector<std::string> unfinished() const;

 private:
  const study& work_;
  result_cache cache_;
};

}  // namespace gt200::apps::study
