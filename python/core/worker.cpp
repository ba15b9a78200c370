#include "python/core/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "apps/exit_code.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace gt200::session {
namespace {

constexpr int internal = static_cast<int>(apps::exit_code::internal);
constexpr int bad_input = static_cast<int>(apps::exit_code::bad_input);

std::string content_of(int file) {
  std::string text;
  char piece[4096];
  off_t at = 0;
  for (ssize_t count = 0; (count = pread(file, piece, sizeof piece, at)) > 0; at += count)
    text.append(piece, static_cast<std::size_t>(count));
  return text;
}

// The last line that `gt200` wrote, without its name in front.
std::string message_in(const std::string& text) {
  constexpr const char* name = "gt200: ";
  const std::size_t at = text.rfind(name);
  if (at == std::string::npos) return text.substr(0, text.find('\n'));
  const std::size_t begin = at + std::strlen(name);
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Why there is no process: most reasons are that the computer, or a limit, gives no more.
int code_of(int error) {
  for (const int no_more : {EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN})
    if (error == no_more) return static_cast<int>(apps::exit_code::no_memory);
  return internal;
}

pid_t wait_for(pid_t process, int& status) {
  pid_t ended = 0;
  while ((ended = waitpid(process, &status, 0)) < 0 && errno == EINTR) {
  }
  return ended;
}

}  // namespace

worker::worker(const std::string& program, const std::vector<std::string>& options) : owner_(getpid()) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw failure(code_of(errno), std::string("no connection to a device: ") + std::strerror(errno));
  channel_ = std::make_unique<cudart::channel>(ends[0]);
  messages_ = memfd_create("gt200-messages", MFD_CLOEXEC);
  constexpr int socket = 3;
  // Descriptors that already have their number would keep the close-on-exec flag: they go by way of another one.
  for (int* end : {&ends[1], &messages_})
    if (*end <= socket) {
      const int moved = *end < 0 ? -1 : fcntl(*end, F_DUPFD_CLOEXEC, socket + 1);
      if (moved < 0) {
        const int error = errno == EINVAL ? EMFILE : errno;  // no such number is allowed
        for (const int open : {ends[1], messages_})
          if (open >= 0) ::close(open);
        throw failure(code_of(error), std::string("no connection to a device: ") + std::strerror(error));
      }
      ::close(*end);
      *end = moved;
    }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, messages_, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, ends[1], socket);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words = {program, "session", "--socket", std::to_string(socket)};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& w : words) pointers.push_back(w.data());
  pointers.push_back(nullptr);
  const int error = posix_spawn(&process_, program.c_str(), &files, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  if (error == 0) return;
  process_ = 0;
  ::close(messages_);
  const int code = code_of(error) == internal ? bad_input : code_of(error);
  throw failure(code, program + ": cannot be started: " + std::strerror(error));
}

worker::~worker() {
  close();
  if (messages_ >= 0) ::close(messages_);
}

void worker::close() {
  const std::lock_guard<std::mutex> one_at_a_time(busy_);
  channel_.reset();  // the process sees it, and ends
  if (process_ == 0 || getpid() != owner_) return;
  int ignored = 0;
  wait_for(process_, ignored);
  process_ = 0;
}

bool worker::wait_for_reply(const std::function<bool()>& waiting) {
  constexpr int tenth_of_a_second = 100;  // ms
  bool told = false;
  for (;;) {
    pollfd end = {channel_->socket(), POLLIN, 0};
    const int ready = poll(&end, 1, tenth_of_a_second);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (!waiting()) continue;
    kill(process_, told ? SIGKILL : SIGINT);
    told = true;
  }
}

// Says why the process has ended, in its own words if it has left some.
void worker::report_end() {
  int status = 0;
  channel_.reset();
  if (process_ != 0) wait_for(process_, status);
  process_ = 0;
  const std::string message = message_in(content_of(messages_));
  if (WIFSIGNALED(status))
    throw failure(internal, "the process of the device was ended by signal " + std::to_string(WTERMSIG(status)));
  const int code = WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : internal;
  throw failure(code, message.empty() ? "the process of the device has ended" : message);
}

cudart::message_reader worker::ask(command what, const cudart::message_writer& content,
                                   const std::function<bool()>& waiting) {
  const std::lock_guard<std::mutex> one_at_a_time(busy_);
  if (getpid() != owner_) throw failure(bad_input, "the device belongs to the process that this one is a copy of");
  if (channel_ == nullptr) throw failure(bad_input, "the device is closed");
  std::uint32_t code = 0;
  std::vector<std::uint8_t> reply;
  if (!channel_->send(static_cast<std::uint32_t>(what), content.content()) || !wait_for_reply(waiting) ||
      !channel_->receive(code, reply))
    report_end();
  cudart::message_reader reader(std::move(reply));
  if (code != 0) throw failure(static_cast<int>(code), reader.text());
  return reader;
}

}  // namespace gt200::session
