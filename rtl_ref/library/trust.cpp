#include "rtl_ref/library/trust.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "toolchain/error.h"

namespace gt200::rtl {
namespace {

namespace fs = std::filesystem;

constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw input_error(path, 0,
                    reason +
                        ": RTL of the cache is not loaded, because somebody else could have put it there; "
                        "set GT200_RTL_CACHE to a folder of your own");
}

struct stat status_of(const std::string& path) {
  struct stat is {};
  if (lstat(path.c_str(), &is) != 0) throw input_error(path, 0, std::strerror(errno));
  return is;
}

void require_own_entry(const std::string& path) {
  const struct stat is = status_of(path);
  if (S_ISLNK(is.st_mode)) refuse(path, "is a link");
  if (!S_ISDIR(is.st_mode) && !S_ISREG(is.st_mode)) refuse(path, "is neither a file nor a folder");
  if (is.st_uid != geteuid() && is.st_uid != 0)
    refuse(path, fmt::format("belongs to user {}, not to user {}", is.st_uid, geteuid()));
  if ((is.st_mode & writable_by_others) != 0)
    refuse(path,
           fmt::format("can be written by others (mode {:04o}; chmod go-w takes that away)", is.st_mode & 07777));
}

void require_no_exchange(const fs::path& folder) {
  const struct stat is = status_of(folder.string());
  if ((is.st_mode & S_IWOTH) != 0 && (is.st_mode & S_ISVTX) == 0)
    refuse(folder.string(), fmt::format("can be written by everybody (mode {:04o})", is.st_mode & 07777));
  if (folder.has_parent_path() && folder != folder.root_path()) require_no_exchange(folder.parent_path());
}

template <class function>
void for_each_below(const std::string& folder, function act) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    act(at->path().string());
  if (error) throw input_error(folder, 0, error.message());
}

}  // namespace

void require_own(const std::string& folder) {
  require_own_entry(folder);
  for_each_below(folder, require_own_entry);
}

void require_own_folder(const std::string& folder) {
  std::error_code error;
  // With links resolved: it is the place where they lead that matters.
  const fs::path real = fs::canonical(folder, error);
  if (error) throw input_error(folder, 0, error.message());
  require_own_entry(real.string());
  require_no_exchange(real.parent_path());
}

void keep_for_owner(const std::string& folder) {
  const auto keep = [](const std::string& path) {
    const struct stat is = status_of(path);
    if (!S_ISLNK(is.st_mode)) chmod(path.c_str(), is.st_mode & 07777 & ~writable_by_others);
  };
  keep(folder);
  for_each_below(folder, keep);
}

}  // namespace gt200::rtl
