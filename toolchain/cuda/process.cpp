#include "toolchain/cuda/process.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <system_error>
#include <utility>

#include "toolchain/ended_process.h"
#include "toolchain/error.h"

namespace gt200::cuda {

namespace fs = std::filesystem;

// Holds all signals that end a program, so that none comes between two steps that belong together.
class held_signals {
 public:
  held_signals() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~held_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

namespace {

constexpr const char* lock_name = "lock";
constexpr const char* prefix = "gt200-";
constexpr std::time_t oldest_without_lock = 600;  // seconds

// Negative if somebody else holds it, or has removed it in the meantime.
int lock_of(const fs::path& folder, int flags) {
  const int file = open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  struct stat is {};
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &is) == 0 && is.st_nlink != 0) return file;
  if (file >= 0) close(file);
  return -1;
}

// True if a folder's name, gt200-PID-XXXXXX, holds the number of a process that has ended.
bool is_of_the_dead(const std::string& name, std::time_t changed) {
  pid_t owner = 0;
  const char* const last = name.data() + name.size();
  const auto [stopped, wrong] = std::from_chars(name.data() + std::strlen(prefix), last, owner);
  return wrong == std::errc() && stopped != last && *stopped == '-' && has_ended(owner, changed);
}

// Removes folders of processes of this user that were killed: nobody holds their locks any more.
void remove_those_of_the_dead(const fs::path& all) {
  std::error_code error;
  for (fs::directory_iterator at(all, error), end; !error && at != end; at.increment(error)) {
    const fs::path& folder = at->path();
    struct stat is {};
    if (folder.filename().string().rfind(prefix, 0) != 0 || lstat(folder.c_str(), &is) != 0 ||
        !S_ISDIR(is.st_mode) || is.st_uid != geteuid())
      continue;
    const int lock = lock_of(folder, 0);
    if (lock < 0) {
      // Killed before it had a lock: empty. A process of another container may not be seen; it makes one more
      // folder.
      if (is_of_the_dead(folder.filename().string(), is.st_mtime) ||
          std::time(nullptr) - is.st_mtime > oldest_without_lock)
        rmdir(folder.c_str());
      continue;
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    close(lock);
  }
}

fs::path folder_of_all() {
  std::error_code error;
  const fs::path all = fs::temp_directory_path(error);
  if (!error) return all;
  const char* const named = std::getenv("TMPDIR");
  throw input_error(named != nullptr ? std::string("TMPDIR: ") + named : std::string("/tmp"), 0,
                    "is no folder for temporary files: " + error.message());
}

// The lock comes before anything else, so that nobody takes the folder for one of the dead. Where another process
// has been faster, there is one more try.
std::pair<fs::path, int> locked_folder() {
  const fs::path all = folder_of_all();
  remove_those_of_the_dead(all);
  constexpr int tries = 3;
  std::string reason;
  for (int k = 0; k < tries; ++k) {
    std::string form = (all / (prefix + std::to_string(getpid()) + "-XXXXXX")).string();
    if (mkdtemp(form.data()) == nullptr) {
      reason = std::strerror(errno);
      break;
    }
    const int lock = lock_of(form, O_CREAT | O_EXCL);
    if (lock >= 0) return {form, lock};
    reason = std::strerror(errno);
    std::error_code ignored;
    fs::remove_all(form, ignored);
  }
  throw input_error(all.string(), 0,
                    "no folder for temporary files can be made (TMPDIR names another place): " + reason);
}

[[noreturn]] void run_child(const std::vector<std::string>& words, const std::string& log, pid_t parent,
                            const sigset_t& mask) {
  const auto redirect = [](const char* path, int flags, int to) {
    const int file = open(path, flags, 0600);  // NOLINT(android-cloexec-open): for the program
    if (file < 0) return;
    if (file != to) {
      dup2(file, to);
      close(file);
    }
  };
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  if (!log.empty()) {
    redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
    redirect(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  }
  become_ordinary_child(parent, SIGTERM);  // compilers remove what they have begun
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

temporary_folder::temporary_folder() : temporary_folder(held_signals()) {}
temporary_folder::temporary_folder(const held_signals&) : temporary_folder(locked_folder()) {}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

void become_ordinary_child(int parent, int signal) {
  // Restores signals that this program ignores; handlers of its own end by themselves.
  for (const int ignored : {SIGXFSZ, SIGPIPE}) std::signal(ignored, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(127);
}

int run_program(const std::vector<std::string>& words, const std::string& log) {
  adopt_orphans();
  const pid_t own = getpid();
  const held_signals held;
  const pid_t child = fork();
  if (child == 0) run_child(words, log, own, held.before());
  if (child < 0) throw input_error(words.front(), 0, std::string("cannot be started: ") + std::strerror(errno));
  pthread_sigmask(SIG_SETMASK, &held.before(), nullptr);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

std::string refusal_to_write(const fs::path& folder) {
  std::string name = (folder / "room-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return std::strerror(errno);
  const std::array<char, 65536> content{};
  std::string reason;
  if (write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size()))
    reason = std::strerror(errno == 0 ? ENOSPC : errno);
  close(file);
  unlink(name.c_str());
  return reason;
}

}  // namespace gt200::cuda
