#include "testbenches/support/own_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace gt200::support {

namespace {

[[noreturn]] void run_child(int out, const std::function<std::string()>& simulate) {
  std::string result;
  try {
    result = simulate();
  } catch (const std::exception& e) {
    result = std::string("error: ") + e.what();
  }
  const char* from = result.data();
  std::size_t left = result.size();
  while (left != 0) {
    const ssize_t n = write(out, from, left);
    if (n <= 0) _exit(1);
    from += n;
    left -= static_cast<std::size_t>(n);
  }
  _exit(0);  // without destructors: the parent's state is not the child's to clean up
}

}  // namespace

std::string in_own_process(const std::function<std::string()>& simulate) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("pipe() failed");
  std::fflush(nullptr);  // or the child would write the buffers a second time
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork() failed");
  if (child == 0) {
    close(ends[0]);
    run_child(ends[1], simulate);
  }
  close(ends[1]);
  std::string result;
  std::array<char, 4096> buffer{};
  for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
    result.append(buffer.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "error: the simulation crashed";
  return result;
}

}  // namespace gt200::support
