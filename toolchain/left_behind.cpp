#include "toolchain/left_behind.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

namespace gt200 {
namespace {

struct place {
  std::atomic<pid_t> owner{0};  // 0: free
  std::atomic<bool> is_whole{false};
  std::array<char, PATH_MAX> path{};
};
std::array<place, 64> places;

// An entry that getdents64() returns.
struct directory_entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t bytes;
  std::uint8_t type;
  char name[1];
};

// Calls act(name) for what is in an open folder; names may come twice while it changes.
template <class function>
void for_each_name(int folder, function act) {
  alignas(directory_entry) std::array<char, 8192> part;
  lseek(folder, 0, SEEK_SET);
  for (;;) {
    const long count = syscall(SYS_getdents64, folder, part.data(), part.size());
    if (count <= 0) return;
    for (long at = 0; at < count;) {
      const auto* entry = reinterpret_cast<const directory_entry*>(part.data() + at);
      at += entry->bytes;
      if (std::strcmp(entry->name, ".") != 0 && std::strcmp(entry->name, "..") != 0) act(entry->name);
    }
  }
}

constexpr int deepest = 16;  // folders of ours have hardly any below them

// Follows no link. Files that somebody adds in the meantime are seen by the next try.
void remove_tree(int parent, const char* name, int depth) {
  constexpr int tries = 4;
  if (unlinkat(parent, name, 0) == 0 || errno == ENOENT || depth == deepest) return;
  for (int k = 0; k < tries; ++k) {
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return;
    for_each_name(folder, [&](const char* below) { remove_tree(folder, below, depth + 1); });
    close(folder);
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY) return;
  }
}

// The parent of a process by its number in digits; 0 if there is none.
pid_t parent_of(int proc, const char* number) {
  std::array<char, 512> text{};
  std::array<char, 32> file{};
  std::size_t at = 0;
  for (; number[at] != 0; ++at) {
    if (number[at] < '0' || number[at] > '9' || at > 16) return 0;
    file[at] = number[at];
  }
  std::memcpy(file.data() + at, "/stat", 5);
  const int stat = openat(proc, file.data(), O_RDONLY | O_CLOEXEC);
  if (stat < 0) return 0;
  const ssize_t count = read(stat, text.data(), text.size() - 1);
  close(stat);
  if (count <= 0) return 0;
  // "12 (name) S 1 ...": a name may hold brackets.
  const char* c = std::strrchr(text.data(), ')');
  if (c == nullptr || std::strlen(c) < 5) return 0;
  pid_t parent = 0;
  for (c += 4; *c >= '0' && *c <= '9'; ++c) parent = parent * 10 + (*c - '0');
  return parent;
}

pid_t number_of(const char* digits) {
  pid_t number = 0;
  for (; *digits >= '0' && *digits <= '9'; ++digits) number = number * 10 + (*digits - '0');
  return number;
}

// The processes whose parent is this one.
class children {
 public:
  children() : proc_(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}
  ~children() {
    if (proc_ >= 0) close(proc_);
  }
  children(const children&) = delete;
  children& operator=(const children&) = delete;

  template <class function>
  void for_each(function act) const {
    if (proc_ < 0) return;
    for_each_name(proc_, [&](const char* name) {
      if (parent_of(proc_, name) == getpid()) act(number_of(name));
    });
  }

 private:
  int proc_;
};

}  // namespace

unfinished_path::unfinished_path(const std::string& path) : slot_(places.size()) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t k = 0; k < places.size(); ++k) {
    pid_t before = places[k].owner.load();
    // A place of the process that forked this one is free here.
    if (before == getpid() || !places[k].owner.compare_exchange_strong(before, getpid())) continue;
    places[k].is_whole = false;
    std::memcpy(places[k].path.data(), path.c_str(), path.size() + 1);
    places[k].is_whole = true;
    slot_ = k;
    return;
  }
}

unfinished_path::~unfinished_path() {
  if (slot_ == places.size() || places[slot_].owner != getpid()) return;
  places[slot_].is_whole = false;
  places[slot_].owner = 0;
}

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void signal_children(int signal) {
  const children all;
  all.for_each([&](pid_t child) { kill(child, signal); });
}

void end_children() {
  constexpr int most_polls = 200;
  constexpr timespec pause = {0, 10'000'000};  // ns
  signal_children(SIGTERM);
  for (int k = 0; k < most_polls; ++k) {
    pid_t ended = 0;
    do ended = waitpid(-1, nullptr, WNOHANG);
    while (ended > 0 || (ended < 0 && errno == EINTR));
    if (ended < 0) return;  // there are none
    // Those that were theirs, and have not heard of it.
    if (k % 10 == 9) signal_children(SIGTERM);
    nanosleep(&pause, nullptr);
  }
  const children all;
  for (bool found = true; found;) {
    found = false;
    all.for_each([&](pid_t child) {
      // One that has ended, and that nobody has collected, counts as well: its children are ours only then.
      kill(child, SIGKILL);
      while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
      found = true;
    });
  }
}

void clear_away() {
  const int before = errno;
  end_children();
  for (const place& p : places)
    if (p.owner == getpid() && p.is_whole) remove_tree(AT_FDCWD, p.path.data(), 0);
  errno = before;
}

}  // namespace gt200
