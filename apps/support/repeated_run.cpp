#include "apps/support/repeated_run.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "toolchain/error.h"

namespace gt200::apps {
namespace {

using words = std::vector<std::string>;
using steady = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<char*>& arguments, const std::string& folder, bool silent,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(1);
  if (silent) {
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0)
      for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  }
  execv("/proc/self/exe", arguments.data());
  _exit(1);
}

}  // namespace

words without_options(const words& all, const std::map<std::string, unsigned>& options) {
  words result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto whole = options.find(all[i]);
    if (whole != options.end())
      i += whole->second;
    else if (options.count(all[i].substr(0, all[i].find('='))) == 0)
      result.push_back(all[i]);
  }
  return result;
}

std::string as_shell_words(const words& all) {
  std::string text;
  for (const std::string& word : all) {
    if (!text.empty()) text += ' ';
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_=./:,+@%") == std::string::npos;
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

int repeat(const repetition& what) {
  if (!what.folder.empty() && !std::filesystem::is_directory(what.folder))
    throw input_error(what.folder, 0, "the folder of the first run cannot be entered");
  words all = {"gt200"};
  all.insert(all.end(), what.words.begin(), what.words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) throw input_error("this program", 0, std::string("cannot be started: ") + std::strerror(errno));
  if (process == 0) become(arguments, what.folder, what.silent, parent);
  const steady::time_point began = steady::now();
  constexpr std::chrono::seconds grace(3);  // it stops in order, or is killed
  int status = 0;
  std::optional<steady::time_point> told;
  for (;;) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process || (ended < 0 && errno != EINTR)) break;
    const bool late = what.seconds > 0 && steady::now() - began > std::chrono::duration<double>(what.seconds);
    if (!told && (late || (what.stop != nullptr && *what.stop != 0))) {
      kill(process, SIGTERM);
      told = steady::now();
    }
    if (told && steady::now() - *told > grace) kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace gt200::apps
