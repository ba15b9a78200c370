#include "cuda/runtime/board.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

extern char** environ;

namespace gt200::cudart {
namespace {

std::string worker_program() {
  if (const char* named = std::getenv("GT200_PROGRAM"); named != nullptr && *named != '\0') return named;
  Dl_info own = {};
  if (dladdr(reinterpret_cast<const void*>(&worker_program), &own) == 0 || own.dli_fname == nullptr) return "gt200";
  const std::string library = own.dli_fname;
  const std::size_t slash = library.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
  for (const char* place : {"/gt200", "/../gt200", "/../bin/gt200", "/../../bin/gt200"})
    if (access((folder + place).c_str(), X_OK) == 0) return folder + place;
  return "gt200";
}

}  // namespace

bool board::start() {
  if (channel_ != nullptr) return true;
  if (gone_) return false;
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const std::string program = worker_program();
  const std::string number = std::to_string(number_);
  const std::string generation = std::to_string(generation_);
  constexpr int worker_socket = 3;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // A descriptor that already has the number would keep its close-on-exec flag: it goes by way of another one.
  if (ends[1] == worker_socket) ends[1] = fcntl(ends[1], F_DUPFD_CLOEXEC, worker_socket + 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], worker_socket);
  std::vector<std::string> words = {program,    "worker", "--socket",     "3",
                                    "--device", number,   "--generation", generation};
  std::vector<char*> arguments;
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  const int failed = posix_spawnp(&worker_, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    std::fprintf(stderr, "gt200: '%s' cannot be started; GT200_PROGRAM names the program gt200\n", program.c_str());
    close(ends[0]);
    worker_ = 0;
    gone_ = true;
    return false;
  }
  channel_ = std::make_unique<channel>(ends[0]);
  return true;
}

status board::ask(command what, const message_writer& content, message_reader& reply) {
  if (!start()) return status::unknown;
  std::uint32_t kind = 0;
  std::vector<std::uint8_t> answer;
  if (!channel_->send(static_cast<std::uint32_t>(what), content.content()) || !channel_->receive(kind, answer)) {
    if (!gone_) std::fprintf(stderr, "gt200: the worker of device %u has ended\n", number_);
    gone_ = true;
    return status::unknown;
  }
  reply = message_reader(std::move(answer));
  return static_cast<status>(static_cast<std::int32_t>(kind));
}

status board::ask(command what, const message_writer& content) {
  message_reader ignored;
  return ask(what, content, ignored);
}

status board::describe(device_description& description) {
  if (!described_) {
    message_reader reply;
    const status result = ask(command::describe, {}, reply);
    if (result != status::success) return result;
    description_ = reply.get<device_description>();
    described_ = true;
  }
  description = description_;
  return status::success;
}

status board::load(const void* container, std::uint64_t bytes) {
  if (modules_.count(container) != 0) return status::success;
  message_writer content;
  content.bytes(container, bytes);
  message_reader reply;
  const status result = ask(command::load_module, content, reply);
  if (result != status::success) return result;
  module loaded;
  loaded.number = reply.get<std::uint32_t>();
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
    const std::string name = reply.text();
    known_kernel kernel;
    kernel.module = loaded.number;
    kernel.needs = reply.get<kernel_needs>();
    kernel.parameters.resize(reply.get<std::uint32_t>());
    for (known_kernel::parameter& p : kernel.parameters) {
      p.offset = reply.get<std::uint32_t>();
      p.size = reply.get<std::uint32_t>();
    }
    loaded.kernels.emplace(name, std::move(kernel));
  }
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
    const std::string name = reply.text();
    known_symbol symbol;
    symbol.module = loaded.number;
    symbol.bytes = reply.get<std::uint64_t>();
    symbol.is_constant = reply.get<std::uint32_t>() != 0;
    loaded.symbols.emplace(name, symbol);
  }
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
    const std::string name = reply.text();
    loaded.refused.emplace(name, reply.text());
  }
  modules_.emplace(container, std::move(loaded));
  return status::success;
}

const known_kernel* board::kernel(const void* container, const std::string& name) const {
  const auto loaded = modules_.find(container);
  if (loaded == modules_.end()) return nullptr;
  const auto found = loaded->second.kernels.find(name);
  return found == loaded->second.kernels.end() ? nullptr : &found->second;
}

const known_symbol* board::symbol(const void* container, const std::string& name) const {
  const auto loaded = modules_.find(container);
  if (loaded == modules_.end()) return nullptr;
  const auto found = loaded->second.symbols.find(name);
  return found == loaded->second.symbols.end() ? nullptr : &found->second;
}

std::string board::refusal(const void* container, const std::string& name) const {
  const auto loaded = modules_.find(container);
  if (loaded == modules_.end()) return "";
  const auto found = loaded->second.refused.find(name);
  return found == loaded->second.refused.end() ? "" : found->second;
}

std::uint32_t board::module_of(const void* container) const { return modules_.at(container).number; }

void board::reset() {
  if (channel_ != nullptr) {
    if (!gone_) ask(command::wait);
    channel_.reset();
    int ignored = 0;
    while (waitpid(worker_, &ignored, 0) < 0 && errno == EINTR) {
    }
    ++generation_;
  }
  worker_ = 0;
  gone_ = false;
  modules_.clear();
}

void board::forget() {
  channel_.reset();
  worker_ = 0;
  gone_ = false;
  modules_.clear();
}

}  // namespace gt200::cudart
