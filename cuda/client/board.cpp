#include "cuda/client/board.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "cuda/client/host_time.h"
#include "cuda/client/state.h"
#include "toolchain/cuda/kernel_library.h"

extern char** environ;

namespace gt200::cudart {
namespace {

// A folder can be entered, which access() calls executable too: beside an installed library lies one of that name.
bool is_program(const std::string& file) {
  struct stat known = {};
  return stat(file.c_str(), &known) == 0 && S_ISREG(known.st_mode) && access(file.c_str(), X_OK) == 0;
}

std::string worker_program() {
  if (const char* named = std::getenv("GT200_PROGRAM"); named != nullptr && *named != '\0') return named;
  Dl_info own = {};
  if (dladdr(reinterpret_cast<const void*>(&worker_program), &own) == 0 || own.dli_fname == nullptr) return "gt200";
  const std::string library = own.dli_fname;
  const std::size_t slash = library.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
  for (const char* place : {"/gt200", "/../gt200", "/../bin/gt200", "/../../bin/gt200"})
    if (is_program(folder + place)) return folder + place;
  return "gt200";
}

// Numbers of workers, of the process and of each device.
std::uint64_t next_epoch() {
  static std::uint64_t last = 0;
  return ++last;
}
unsigned next_generation(unsigned device) {
  static std::map<unsigned, unsigned> workers;
  return workers[device]++;
}

constexpr int worker_socket = 3;  // its number in the worker

// Collects a process that has closed its connection, or has lost it: one that does not end within two seconds is
// killed. Negative if somebody else has collected it.
pid_t end_of(pid_t process, int& how) {
  constexpr int most_polls = 200;
  constexpr timespec pause = {0, 10'000'000};  // ns
  pid_t ended = 0;
  for (int k = 0; k < most_polls && ended == 0; ++k) {
    ended = waitpid(process, &how, WNOHANG);
    if (ended == 0) nanosleep(&pause, nullptr);
  }
  if (ended != 0) return ended;
  kill(process, SIGKILL);
  while ((ended = waitpid(process, &how, 0)) < 0 && errno == EINTR) {
  }
  return ended;
}

// Both ends of a connection while a worker is started. Neither is a standard stream, which a program may have
// closed: what it prints would be sent. The worker's end is closed in this process whatever happens; as long as one
// was open here, a worker that has died would look like one that is busy.
class connection {
 public:
  connection() = default;
  ~connection() {
    for (const int end : ends_)
      if (end >= 0) close(end);
  }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  // False, and errno says why.
  bool open() {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()) != 0) return false;
    for (int& end : ends_)
      if (end <= worker_socket) {
        // A descriptor that already has the worker's number would keep its close-on-exec flag there.
        const int moved = fcntl(end, F_DUPFD_CLOEXEC, worker_socket + 1);
        if (moved < 0) {
          if (errno == EINVAL) errno = EMFILE;  // no such number is allowed
          return false;
        }
        close(end);
        end = moved;
      }
    return true;
  }

  // 0, or an error of errno.
  int spawn(pid_t& process, std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (std::string& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    if (const int failed = posix_spawn_file_actions_init(&actions); failed != 0) return failed;
    int failed = posix_spawn_file_actions_adddup2(&actions, ends_[1], worker_socket);
    if (failed == 0) failed = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
  }

  int take_own() { return std::exchange(ends_[0], -1); }

 private:
  std::array<int, 2> ends_ = {-1, -1};  // of this process, of the worker
};

}  // namespace

void board::fail(const std::string& why) {
  if (!gone_) std::fprintf(stderr, "gt200: %s\n", why.c_str());
  gone_ = true;
}

bool board::start() {
  if (channel_ != nullptr) return true;
  if (gone_) return false;
  connection ends;
  if (!ends.open()) {
    fail(std::string("no connection to a worker can be made: ") + std::strerror(errno));
    return false;
  }
  const std::string program = worker_program();
  const std::string number = std::to_string(number_);
  const std::string generation = std::to_string(next_generation(number_));
  std::vector<std::string> words = {program,    "worker", "--socket",     std::to_string(worker_socket),
                                    "--device", number,   "--generation", generation};
  const int failed = ends.spawn(worker_, words);
  if (failed != 0) {
    worker_ = 0;
    fail("'" + program + "' cannot be started (" + std::strerror(failed) +
         "); GT200_PROGRAM names the program gt200");
    return false;
  }
  channel_ = std::make_unique<channel>(ends.take_own());
  epoch_ = next_epoch();
  return true;
}

// The end of the worker is collected here, so that the message can name a signal.
void board::lose_worker() {
  if (gone_) return;
  channel_->hang_up();
  int how = 0;
  const pid_t ended = end_of(worker_, how);
  std::string text = "the worker of device " + std::to_string(number_) + " has ended";
  if (ended == worker_ && WIFSIGNALED(how))
    text += ": signal " + std::to_string(WTERMSIG(how)) + " (" + strsignal(WTERMSIG(how)) + ")";
  worker_ = 0;
  fail(text);
}

void board::show_output() {
  message_reader reply;
  if (ask(command::printed, {}, reply) != status::success) return;
  const std::string text = reply.text();
  const std::string assertions = reply.text();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fwrite(assertions.data(), 1, assertions.size(), stderr);
}

status board::ask(command what, const message_writer& content, message_reader& reply) {
  if (!start()) return status::unknown;
  if (gone_) return status::unknown;
  if (what != command::describe) is_in_use_ = true;
  call_context call = this_thread().call;
  call.host_time = host_time();
  std::uint32_t kind = 0;
  std::vector<std::uint8_t> answer;
  if (!channel_->send(static_cast<std::uint32_t>(what), call, content.content()) ||
      !channel_->receive(kind, answer)) {
    lose_worker();
    return status::unknown;
  }
  reply = message_reader(std::move(answer));
  pass_host_time_to(reply.get<std::uint64_t>());
  // Where CUDA empties the buffer: copies and calls that wait. The launches before have ended.
  const bool empties = what == command::wait || what == command::read || what == command::write ||
                       what == command::copy || what == command::time;
  if (prints_ && empties) show_output();
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

// A program whose code is for other devices goes on until it launches a kernel.
static status code_or_absence(status result, const std::string& log, loaded_module& loaded) {
  if (result != status::no_image_for_device) return result;
  loaded.absence = log;
  return status::success;
}

status board::begin() {
  if (!start()) return status::unknown;
  is_in_use_ = true;
  return status::success;
}

status board::load(const void* container, std::uint64_t bytes) {
  if (modules_.count(container) != 0) return status::success;
  loaded_module loaded;
  std::string log;
  const status result = code_or_absence(load_image(container, bytes, {}, loaded, log), log, loaded);
  if (result == status::success)
    modules_.emplace(container, std::move(loaded));
  else if (!log.empty())
    std::fprintf(stderr, "gt200: %s\n", log.c_str());
  return result;
}

status board::load(const std::vector<piece>& linked) {
  const bool is_loaded = std::all_of(linked.begin(), linked.end(),
                                     [this](const piece& p) { return modules_.count(p.container) != 0; });
  if (linked.empty() || is_loaded) return status::success;
  std::string image;
  for (const piece& p : linked) image.append(static_cast<const char*>(p.container), p.bytes);
  loaded_module loaded;
  std::string log;
  const status result = code_or_absence(load_image(image.data(), image.size(), {}, loaded, log), log, loaded);
  if (result == status::success)
    for (const piece& p : linked) modules_[p.container] = loaded;
  else if (!log.empty())
    std::fprintf(stderr, "gt200: %s\n", log.c_str());
  return result;
}

status board::load_image(const void* image, std::uint64_t bytes, const image_options& options,
                         loaded_module& loaded, std::string& log) {
  message_reader reply;
  const status result = ask(command::load_module, message_writer().put(options).bytes(image, bytes), reply);
  if (result != status::success) {
    if (reply.has_more()) log = reply.text();
    return result;
  }
  loaded.number = reply.get<std::uint32_t>();
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
    const std::string name = reply.text();
    known_kernel kernel;
    kernel.module = loaded.number;
    kernel.needs = reply.get<kernel_needs>();
    for (auto count = reply.get<std::uint32_t>(); count > 0; --count) {
      const auto offset = reply.get<std::uint32_t>();
      kernel.parameters.push_back({offset, reply.get<std::uint32_t>()});
    }
    loaded.kernels.emplace(name, std::move(kernel));
  }
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
    const std::string name = reply.text();
    known_symbol symbol;
    symbol.module = loaded.number;
    symbol.bytes = reply.get<std::uint64_t>();
    loaded.symbols.emplace(name, symbol);
    if (name == cuda::print_name) prints_ = true;
  }
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) {
    const std::string name = reply.text();
    loaded.refused.emplace(name, reply.text());
  }
  for (auto left = reply.get<std::uint32_t>(); left > 0; --left) loaded.textures.push_back(reply.text());
  return status::success;
}

status board::allocate(std::uint64_t bytes, std::uint64_t& address) {
  message_reader reply;
  const status result = ask(command::allocate, message_writer().put(bytes), reply);
  if (result == status::success) {
    address = reply.get<std::uint64_t>();
    allocations_[address] = bytes;
  }
  return result;
}

status board::release(std::uint64_t address) {
  // Variables of the program are memory as well, but not the program's to free.
  if (allocations_.count(address) == 0) return status::invalid_device_pointer;
  const status result = ask(command::release, message_writer().put(address));
  if (result == status::success) allocations_.erase(address);
  return result;
}

bool board::allocation_at(std::uint64_t address, std::uint64_t& base, std::uint64_t& bytes) const {
  auto found = allocations_.upper_bound(address);
  if (found == allocations_.begin()) return false;
  --found;
  if (address - found->first >= found->second) return false;
  base = found->first;
  bytes = found->second;
  return true;
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

std::string board::absence(const void* container) const {
  const auto loaded = modules_.find(container);
  return loaded == modules_.end() ? "" : loaded->second.absence;
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
    while (worker_ != 0 && waitpid(worker_, &ignored, 0) < 0 && errno == EINTR) {
    }
  }
  worker_ = 0;
  gone_ = false;
  is_in_use_ = false;
  prints_ = false;
  modules_.clear();
  allocations_.clear();
}

void board::forget() {
  channel_.reset();
  worker_ = 0;
  gone_ = false;
  is_in_use_ = false;
  prints_ = false;
  modules_.clear();
  allocations_.clear();
}

}  // namespace gt200::cudart
