#include "apps/sweep/jobs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "toolchain/error.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace gt200::apps::sweep {
namespace {

pid_t start(const job& what) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, what.messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0666);
  // A process group of its own: Ctrl-C on the terminal reaches this program alone, which then passes it on.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  for (const std::string& word : what.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawn(&process, words[0], &files, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw input_error(what.command[0], 0, std::string("cannot be started: ") + std::strerror(error));
  return process;
}

// The exit code a shell would show for an ended process.
int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

void run_jobs(const std::vector<job>& jobs, unsigned at_once, const volatile std::sig_atomic_t* stop,
              const std::function<void(std::size_t, int)>& ended) {
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0;
  bool told = false;
  while (true) {
    while (*stop == 0 && running.size() < at_once && next < jobs.size()) {
      running[start(jobs[next])] = next;
      ++next;
    }
    if (running.empty()) return;
    if (*stop != 0 && !told) {
      for (const auto& [process, number] : running) kill(process, SIGINT);
      told = true;
    }
    // Polls: a signal between the test of *stop and a blocking wait would go unnoticed.
    int status = 0;
    const pid_t process = waitpid(-1, &status, WNOHANG);
    if (process <= 0) {
      usleep(5'000);
      continue;
    }
    const auto found = running.find(process);
    if (found == running.end()) continue;
    const std::size_t number = found->second;
    running.erase(found);
    try {
      ended(number, code_of(status));
    } catch (...) {
      for (const auto& [other, ignored] : running) kill(other, SIGINT);
      for (const auto& [other, ignored] : running) waitpid(other, nullptr, 0);
      throw;
    }
  }
}

}  // namespace gt200::apps::sweep
