#include "apps/support/isolated.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>

#include "toolchain/error.h"

namespace gt200::apps {
namespace {

// The first byte of what the process sends.
constexpr char answer_mark = 'r', refusal = 'i', failure = 'f';

void send(int to, char kind, const std::string& text) {
  std::string all(1, kind);
  all += text;
  for (std::size_t done = 0; done < all.size();) {
    const ssize_t n = write(to, all.data() + done, all.size() - done);
    if (n <= 0 && errno != EINTR) return;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void run_child(const std::function<std::string()>& act, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // not longer than the campaign
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  try {
    send(to, answer_mark, act());
  } catch (const input_error& error) {
    send(to, refusal, error.what());
  } catch (const std::exception& error) {
    send(to, failure, error.what());
  }
  _exit(0);
}

isolated_end ending_of(int status, const std::string& sent) {
  isolated_end end;
  if (WIFSIGNALED(status)) {
    end.reason = fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else if (sent.empty()) {
    end.reason = fmt::format("ended with exit code {}", WEXITSTATUS(status));
  } else if (sent[0] == answer_mark) {
    end.ok = true;
    end.text = sent.substr(1);
  } else {
    end.refused = sent[0] == refusal;
    end.reason = sent.substr(1);
  }
  return end;
}

}  // namespace

isolated_end run_isolated(const std::function<std::string()>& act, double seconds,
                          const volatile std::sig_atomic_t* stop) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw input_error(std::string("no pipe: ") + std::strerror(errno));
  const pid_t process = fork();
  if (process < 0) throw input_error(std::string("no process: ") + std::strerror(errno));
  if (process == 0) {
    close(ends[0]);
    run_child(act, ends[1]);
  }
  close(ends[1]);
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + std::chrono::duration<double>(seconds);
  std::string sent;
  bool late = false, stopped = false;
  for (;;) {
    late = clock::now() > until;
    stopped = stop != nullptr && *stop != 0;
    if (late || stopped) {
      kill(process, SIGKILL);
      break;
    }
    pollfd watched{ends[0], POLLIN, 0};
    if (poll(&watched, 1, 100) <= 0) continue;
    char buffer[65536];
    const ssize_t n = read(ends[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    sent.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  isolated_end end = ending_of(status, late || stopped ? std::string() : sent);
  if (late) end.reason = fmt::format("did not end within {} s", seconds);
  end.stopped = stopped;
  end.late = late;
  return end;
}

}  // namespace gt200::apps
