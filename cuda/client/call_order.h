// The order in which calls of several threads are taken: kept with the results, and repeated.
//
// With GT200_OUT, a program that calls from more than one thread leaves the order in the file `calls` of that
// folder. With GT200_REPLAY=FILE its calls are taken in that order: a thread waits until it is its turn. After the
// end of the file calls are taken as they come. A file that cannot be read, is damaged or has no calls ends the
// program before it begins: what it would do is not what was asked for. If no call comes for a while that the file
// has next, the program is another one, or other choices led it elsewhere: a message says so, and calls are taken
// as they come.
//
// A line of the file is the name of a thread and how many calls of it follow each other. Threads are named by who
// created them: 0 is the first one, 0.2 the second that it creates, 0.2.1 the first of that one
// (cuda/client/thread_names.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace gt200::cudart {

class call_order {
 public:
  // By the environment.
  call_order();
  // Of a file's content, for tests.
  explicit call_order(const std::string& content);

  bool is_repeated() const { return !wanted_.empty(); }
  bool is_kept() const { return !folder_.empty(); }

  // Waits until a call of this thread is the next one, at most so many milliseconds for others to come forward.
  void wait_for_turn(const std::string& thread, unsigned milliseconds = 30'000);
  void end_turn();
  // Within the call: it is the next one that is taken.
  void note(const std::string& thread);

  // Lines of the file; empty if one thread alone has called.
  std::string text() const;
  void write() const;
  // In the child of a fork(): the order is its parent's.
  void forget();

 private:
  struct run {
    std::string thread;
    std::uint64_t calls = 0;
  };
  // False, with a message, if the text is damaged.
  bool read(const std::string& content);

  std::string folder_;
  std::vector<run> taken_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<run> wanted_;
  std::size_t next_ = 0;     // in wanted_
  std::uint64_t left_ = 0;   // calls of it
  std::uint64_t ended_ = 0;  // turns so far
  bool is_in_turn_ = false;  // a call may take long
  bool is_given_up_ = false;
};

}  // namespace gt200::cudart
