#include "apps/support/resources.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>

#include "apps/exit_code.h"
#include "toolchain/left_behind.h"

namespace gt200::apps {
namespace {

constexpr const char* out_of_memory = "out of memory (ulimit -v shows whether there is a limit)";

// Input from what can only be written and output to what can only be read fail, as with a closed stream.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
      const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      if (opened != stream && opened >= 0) close(opened);
    }
}

// An exception that has no memory for itself comes here, too, and then there is none.
[[noreturn]] void end_without_memory() {
  bool memory = memory_is_used_up();
  if (const std::exception_ptr error = std::current_exception()) try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      memory = true;
    } catch (...) {
    }
  if (!memory) std::abort();
  for (const char* const part : {"gt200: ", out_of_memory, "\n"})
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  clear_away();
  _exit(static_cast<int>(exit_code::no_memory));
}

}  // namespace

void prepare_for_limits() {
  open_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(end_without_memory);
}

std::string text_of_missing_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
      std::strstr(error.what(), std::bad_alloc().what()) != nullptr)
    return out_of_memory;
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system == nullptr) return {};
  const int code = system->code().value();
  if (code == ENOMEM) return out_of_memory;
  if (code == EMFILE || code == ENFILE)
    return fmt::format("no further file can be opened (ulimit -n): {}", system->what());
  return code == EAGAIN ? fmt::format("no further thread or process (ulimit -u): {}", system->what())
                        : std::string();
}

std::string text_of_too_few_files() {
  constexpr rlim_t least = 32;  // the loader of plug-ins, a log, a wave, results, a worker and its pipes
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= least) return {};
  files.rlim_cur = std::min(files.rlim_max, least);
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur == least) return {};
  return fmt::format("only {} files may be open at a time (ulimit -n), {} are needed", files.rlim_cur, least);
}

std::string text_of_failed_output(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system == nullptr) return {};
  const int code = system->code().value();
  for (const int of_write : {EPIPE, ENOSPC, EFBIG, EIO, EBADF, EDQUOT})
    if (code == of_write) return fmt::format("standard output: cannot be written: {}", std::strerror(code));
  return {};
}

bool nobody_reads_output() {
  pollfd output = {STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

bool memory_is_used_up() {
  constexpr std::size_t little = std::size_t{1} << 20;
  void* const tried = mmap(nullptr, little, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (tried == MAP_FAILED) return true;
  munmap(tried, little);
  return false;
}

}  // namespace gt200::apps
