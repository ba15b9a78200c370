// Folders that are made once and then only read: each is complete or not there. What is in them is loaded into this
// process: the cache and its folders are made so that their owner alone may write them, and are used only if that
// is so and the owner is this user or root (trust.h).
//
// The cache is $GT200_RTL_CACHE, else $XDG_CACHE_HOME/gt200, else $HOME/.cache/gt200. A folder is filled under the
// name NAME.building and then renamed, under a lock on the file NAME.lock. The kernel releases the lock when the
// last process of a build has ended, however it ended: programs that a build starts inherit it, so nobody writes
// into the folder of a killed build beside them.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gt200::rtl {

// Begin of the names of small files with the versions of tools (tools.h).
inline constexpr const char* version_note = "version-";

// Throws input_error if no variable names a place.
std::string cache_folder();

// A program failed in the folder being made.
class build_failure : public std::runtime_error {
 public:
  // `log`: file in the folder with what the program printed.
  build_failure(const std::string& reason, std::string log) : std::runtime_error(reason), log_(std::move(log)) {}
  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

// Returns the path of the folder `name`; first lets `fill` make its content if it is not there. `wait` is called
// before that if another process is making it. Throws input_error if the cache cannot be written, if others could
// have written the folder, or if `fill` throws build_failure; then NAME.failed keeps the content for the user.
std::string cached(const std::string& name, const std::function<void(const std::string& folder)>& fill,
                   const std::function<void()>& wait);

// Paths of the folders in the cache that have a file `file`, sorted.
std::vector<std::string> cached_with(const std::string& file);

// Removes everything that no process is making. Returns the number of bytes freed.
std::uint64_t clear_cache();

}  // namespace gt200::rtl
