#include "apps/study/run_host.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

#include "apps/study/messages.h"
#include "apps/study/run_host_process.h"
#include "toolchain/error.h"
#include "toolchain/real_number.h"

namespace gt200::apps::study {
namespace {

struct prepared_host {
  std::unique_ptr<run_host> host;
  pid_t owner = 0;
};

prepared_host& prepared() {
  static prepared_host one;
  return one;
}

[[noreturn]] void fail(const char* what) { throw input_error(std::string(what) + ": " + std::strerror(errno)); }

}  // namespace

run_host::run_host() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("no socket can be made");
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t parent = getpid();
  // A signal to the group must not end the new process before it ignores it.
  sigset_t ending, before;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  sigprocmask(SIG_BLOCK, &ending, &before);
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    serve_runs(ends[1], parent);
  }
  const int error = errno;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  socket_ = ends[0];
  if (process_ > 0) return;
  close(socket_);
  errno = error;
  fail("no process can be made");
}

run_host::~run_host() {
  close(socket_);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void run_host::send(const words& message) {
  if (!send_all(socket_, packed_message(message))) throw input_error("the process that starts the runs was killed");
}

// Waits for the host, at most so long; `unblocked` null: blocks no signal.
void run_host::fill(int timeout_ms, const sigset_t* unblocked) {
  pollfd watched{socket_, POLLIN, 0};
  const timespec longest{timeout_ms / 1000, (timeout_ms % 1000) * 1'000'000L};
  if (ppoll(&watched, 1, timeout_ms < 0 ? nullptr : &longest, unblocked) <= 0) return;
  std::array<char, 65536> part{};
  const ssize_t count = recv(socket_, part.data(), part.size(), 0);
  if (count > 0)
    received_.append(part.data(), static_cast<std::size_t>(count));
  else if (count == 0 || errno != EINTR)
    throw input_error("the process that starts the runs was killed");
}

void run_host::load(const std::vector<shared_program>& programs) {
  words message = {message::load, std::filesystem::current_path().string()};
  for (const shared_program& program : programs)
    message.insert(message.end(), {program.path, std::to_string(program.capability), program.hash});
  send(message);
  while (!take_message(received_, message)) fill(-1, nullptr);
  if (message.at(0) == message::refused) throw input_error(message.at(1));
}

void run_host::begin(std::size_t number, const words& command, const std::string& folder,
                     const std::string& published) {
  words message = {message::begin, std::to_string(number), folder, published};
  message.insert(message.end(), command.begin(), command.end());
  send(message);
}

std::vector<run_host::ended_run> run_host::wait(const sigset_t& unblocked) {
  constexpr int longest_ms = 1000;
  std::vector<ended_run> result;
  words message;
  fill(longest_ms, &unblocked);
  while (take_message(received_, message)) {
    if (message.at(0) == message::refused) throw input_error(message.at(1));
    result.push_back({std::stoul(message.at(1)), std::stoi(message.at(2)), read_real<double>(message.at(3)).value,
                      std::stoul(message.at(4))});
  }
  return result;
}

void run_host::interrupt() { send({message::interrupt}); }

void prepare_runs() { prepared() = {std::make_unique<run_host>(), getpid()}; }

std::unique_ptr<run_host> take_run_host() {
  prepared_host taken = std::exchange(prepared(), {});
  if (taken.host != nullptr && taken.owner == getpid()) return std::move(taken.host);
  static_cast<void>(taken.host.release());  // that of the process which forked this one
  return std::make_unique<run_host>();
}

}  // namespace gt200::apps::study
