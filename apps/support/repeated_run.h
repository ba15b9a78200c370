// Runs this program once more, with the command of a run that it has kept.
#pragma once

#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace gt200::apps {

// The words of a command line without these options. Each is given with the number of words that follow it; the
// form --option=value has none.
std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::map<std::string, unsigned>& options);

// The words as a shell reads them.
std::string as_shell_words(const std::vector<std::string>& words);

struct repetition {
  std::vector<std::string> words;                    // after the name of the program
  std::string folder;                                // in which it runs; empty: this one
  bool silent = false;                               // nothing of what it prints is shown
  double seconds = 0;                                // it is ended then; 0: no limit
  const volatile std::sig_atomic_t* stop = nullptr;  // it is ended when this is set
};
// Returns its exit code, or 128 and the number of the signal that ended it. The process does not outlive this one.
// Throws input_error if it cannot be started.
int repeat(const repetition& what);

}  // namespace gt200::apps
