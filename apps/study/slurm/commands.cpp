#include "apps/study/slurm/commands.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include "toolchain/error.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace gt200::apps::study::slurm {
namespace {

constexpr unsigned default_max_array_size = 1001;
constexpr const char* pending = "PENDING";
// Reasons of tasks that wait for room, for their turn, or for the limit of their own array.
constexpr std::array<const char*, 6> usual_reasons = {"None",      "Priority", "Resources",
                                                      "BeginTime", "Prolog",   "JobArrayTaskLimit"};

struct pipe_ends {
  pipe_ends() {
    if (pipe2(fd.data(), O_CLOEXEC) != 0)
      throw input_error(std::string("no pipe can be made: ") + std::strerror(errno));
  }
  ~pipe_ends() {
    close(fd[0]);
    close_writing_end();
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  void close_writing_end() {
    if (fd[1] >= 0) close(fd[1]);
    fd[1] = -1;
  }

  std::array<int, 2> fd{-1, -1};
};

// Both at once: a program that fills one pipe while we wait at the other would never end.
void read_all(pipe_ends& out, std::string& out_text, pipe_ends& err, std::string& err_text) {
  std::array<pollfd, 2> open = {pollfd{out.fd[0], POLLIN, 0}, pollfd{err.fd[0], POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&out_text, &err_text};
  std::array<char, 4096> part{};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    if (poll(open.data(), open.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0) continue;
      const ssize_t count = read(open[i].fd, part.data(), part.size());
      if (count > 0)
        texts[i]->append(part.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        open[i].fd = -1;
    }
  }
}

std::optional<unsigned> number(const std::string& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

answer call(const std::vector<std::string>& command) {
  pipe_ends out, err;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out.fd[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.fd[1], STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t process = 0;
  const int error = posix_spawnp(&process, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    throw input_error(
        command[0], 0,
        std::string("cannot be started: ") + std::strerror(error) + "; the engine slurm needs Slurm's commands");
  out.close_writing_end();
  err.close_writing_end();
  answer result;
  read_all(out, result.out, err, result.err);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::optional<state_counts> queue_of(const std::string& job_name) {
  // -r: one line for each element of an array.
  const answer queue = call({"squeue", "--me", "-h", "-r", "--name=" + job_name, "-o", "%T|%r"});
  if (queue.exit_code != 0) return std::nullopt;
  state_counts result;
  std::istringstream lines(queue.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    std::string state = line.substr(0, bar);
    if (state.empty()) continue;
    if (state == pending && bar != std::string::npos) state += " (" + line.substr(bar + 1) + ")";
    const auto found = std::find_if(result.begin(), result.end(), [&](const auto& c) { return c.first == state; });
    if (found == result.end())
      result.emplace_back(state, 1);
    else
      ++found->second;
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string obstacle_in(const state_counts& counts) {
  std::string text;
  for (const auto& [state, count] : counts) {
    if (state.rfind(pending, 0) != 0) return "";
    const std::string& waiting = state;
    const auto usual = [&](const char* reason) { return waiting == std::string(pending) + " (" + reason + ")"; };
    if (state == pending || std::any_of(usual_reasons.begin(), usual_reasons.end(), usual)) return "";
    text += fmt::format("{}{} tasks {}", text.empty() ? "" : ", ", count, state);
  }
  return text;
}

std::size_t total_of(const state_counts& counts) {
  std::size_t sum = 0;
  for (const auto& [state, count] : counts) sum += count;
  return sum;
}

void cancel(const std::string& job_name) {
  const answer cancelled = call({"scancel", "--me", "--name=" + job_name});
  if (cancelled.exit_code != 0) throw input_error("scancel: " + cancelled.first_line_of_err());
}

unsigned max_array_size() {
  const answer config = call({"scontrol", "show", "config"});
  const std::size_t key = config.out.find("MaxArraySize");
  if (config.exit_code != 0 || key == std::string::npos) return default_max_array_size;
  const std::size_t value = config.out.find_first_not_of("= ", config.out.find('=', key));
  if (value == std::string::npos) return default_max_array_size;
  return number(config.out.substr(value, 12)).value_or(default_max_array_size);
}

}  // namespace gt200::apps::study::slurm
