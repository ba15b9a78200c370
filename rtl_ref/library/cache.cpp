#include "rtl_ref/library/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "rtl_ref/library/trust.h"
#include "toolchain/error.h"

namespace gt200::rtl {
namespace {

namespace fs = std::filesystem;

// Ends of names of folders that are not complete.
constexpr const char* building_kind = ".building";
constexpr const char* failed_kind = ".failed";

[[noreturn]] void refuse(const std::string& path, int error) {
  throw input_error("RTL is compiled into a cache, and " + path + " cannot be written: " + std::strerror(error) +
                    "; set GT200_RTL_CACHE to a folder that can");
}

// An exclusive lock on a file, which it makes.
class file_lock {
 public:
  explicit file_lock(std::string path) : path_(std::move(path)) {}
  ~file_lock() {
    if (file_ >= 0) close(file_);
  }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  // False if another process has it.
  bool try_to_take() { return take(LOCK_EX | LOCK_NB); }
  void wait() { take(LOCK_EX); }

 private:
  bool take(int operation) {
    while (true) {
      if (file_ >= 0) close(file_);
      // Inherited by programs this process starts.
      file_ = open(path_.c_str(), O_RDWR | O_CREAT, 0666);  // NOLINT(android-cloexec-open)
      if (file_ < 0) refuse(path_, errno);
      while (flock(file_, operation) != 0) {
        if (errno == EWOULDBLOCK) return false;
        if (errno != EINTR) refuse(path_, errno);
      }
      // clear_cache() may have removed the file meanwhile: then others lock another one.
      struct stat mine {
      }, now{};
      if (fstat(file_, &mine) == 0 && stat(path_.c_str(), &now) == 0 && mine.st_ino == now.st_ino) return true;
    }
  }

  std::string path_;
  int file_ = -1;
};

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

void rename_to(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) refuse(to, errno);
}

// The cache as well as the folder in it. Where a umask lets a group write new folders, that right is taken from the
// usual place of the cache; a folder that the user has named stays as it is.
const std::string& trusted(const std::string& path) {
  require_own(path);
  const std::string all = cache_folder();
  struct stat is {};
  if (value_of("GT200_RTL_CACHE").empty() && lstat(all.c_str(), &is) == 0 && is.st_uid == geteuid())
    chmod(all.c_str(), is.st_mode & 07777 & ~(S_IWGRP | S_IWOTH));
  require_own_folder(all);
  return path;
}

}  // namespace

std::string cache_folder() {
  if (const std::string named = value_of("GT200_RTL_CACHE"); !named.empty()) return fs::absolute(named).string();
  if (const std::string caches = value_of("XDG_CACHE_HOME"); !caches.empty()) return caches + "/gt200";
  if (const std::string home = value_of("HOME"); !home.empty()) return home + "/.cache/gt200";
  throw input_error(
      "RTL is compiled into a cache, and none of GT200_RTL_CACHE, XDG_CACHE_HOME and HOME names a place; set "
      "GT200_RTL_CACHE to a folder");
}

std::string cached(const std::string& name, const std::function<void(const std::string& folder)>& fill,
                   const std::function<void()>& wait) {
  const std::string path = cache_folder() + "/" + name;
  if (is_folder(path)) return trusted(path);
  std::error_code error;
  const mode_t before = umask(S_IWGRP | S_IWOTH);
  fs::create_directories(cache_folder(), error);
  umask(before);
  if (error) refuse(cache_folder(), error.value());
  file_lock lock(path + ".lock");
  if (!lock.try_to_take()) {
    wait();
    lock.wait();
  }
  if (is_folder(path)) return trusted(path);
  const std::string building = path + building_kind;
  const std::string failed = path + failed_kind;
  fs::remove_all(building, error);
  if (mkdir(building.c_str(), 0777) != 0) refuse(building, errno);
  try {
    fill(building);
  } catch (const build_failure& failure) {
    fs::remove_all(failed, error);
    rename_to(building, failed);
    throw input_error(std::string(failure.what()) + " (all messages: " + failed + "/" + failure.log() + ")");
  } catch (...) {
    fs::remove_all(building, error);
    throw;
  }
  keep_for_owner(building);
  rename_to(building, path);
  fs::remove_all(failed, error);
  return trusted(path);
}

std::vector<std::string> cached_with(const std::string& file) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache_folder(), error)) {
    // A name may hold a dot: that of a coalescer has the number of its rule.
    const fs::path kind = entry.path().extension();
    if (kind != building_kind && kind != failed_kind && fs::exists(entry.path() / file, error))
      paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::uint64_t clear_cache() {
  std::uint64_t freed = 0;
  std::error_code error;
  std::vector<fs::path> locks, notes;
  for (const auto& entry : fs::directory_iterator(cache_folder(), error)) {
    if (entry.path().extension() == ".lock") locks.push_back(entry.path());
    if (entry.path().filename().string().rfind(version_note, 0) == 0) notes.push_back(entry.path());
  }
  for (const fs::path& file : notes) fs::remove(file, error);
  for (const fs::path& file : locks) {
    file_lock lock(file.string());
    if (!lock.try_to_take()) continue;
    for (const char* kind : {"", building_kind, failed_kind}) {
      const fs::path folder = fs::path(file).replace_extension(kind);
      for (const auto& below : fs::recursive_directory_iterator(folder, error))
        if (below.is_regular_file(error)) freed += below.file_size(error);
      fs::remove_all(folder, error);
    }
    fs::remove(file, error);
  }
  return freed;
}

}  // namespace gt200::rtl
