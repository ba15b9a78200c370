// Things that a process would leave if a signal ended it in the middle of its work: new files, folders for
// temporary files, and programs that it has started.
#pragma once

#include <cstddef>
#include <string>

namespace gt200 {

// A file, or a folder with all it holds, that clear_away() removes while the object exists. The object itself
// removes nothing. Of the process that made it: a child of fork() leaves it alone. A process can have 64 at a time;
// further ones are not remembered.
class unfinished_path {
 public:
  explicit unfinished_path(const std::string& path);
  ~unfinished_path();
  unfinished_path(const unfinished_path&) = delete;
  unfinished_path& operator=(const unfinished_path&) = delete;

 private:
  std::size_t slot_;
};

// From now on, children of a program that this process has started become children of this process when that
// program ends: kill_children() reaches them.
void adopt_orphans();

// Sends all children of this process a signal; they are not collected. For signal handlers, as the next two: they
// call async-signal-safe functions alone.
void signal_children(int signal);

// Ends all children of this process, and theirs after adopt_orphans(), and collects them. They are asked first
// (SIGTERM), so that compilers can remove what they have begun, and killed after two seconds.
void end_children();

// The same, and then removes what is unfinished.
void clear_away();

}  // namespace gt200
