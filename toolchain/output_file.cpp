#include "toolchain/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "toolchain/ended_process.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw input_error(path, 0, "cannot be written: " + reason);
}

// The new file beside `path`. Anything but a regular file is written directly.
std::string file_to_write(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) fail(path, "is a folder");
  const bool special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  return special ? path : fmt::format("{}.{}.tmp", path, getpid());
}

// The new files beside `path`, and logs from which it was to be made, whose processes are gone: those of this
// computer do not exist any more, and those of others would hold a lock.
void remove_those_of_the_dead(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path whole(path);
  const std::string name = whole.filename().string() + ".";
  std::error_code error;
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string there = at->path().filename().string();
    if (there.compare(0, name.size(), name) != 0) continue;
    pid_t owner = 0;
    const char* const last = there.data() + there.size();
    const auto [stopped, wrong] = std::from_chars(there.data() + name.size(), last, owner);
    const std::string_view ending(stopped, static_cast<std::size_t>(last - stopped));
    if (wrong != std::errc() || (ending != ".tmp" && ending != ".log.tmp")) continue;
    const int file = open(at->path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    struct stat is {};
    if (fstat(file, &is) == 0 && has_ended(owner, is.st_mtime) && flock(file, LOCK_EX | LOCK_NB) == 0) {
      unlink(at->path().c_str());
      unlink((at->path().string() + ".hier").c_str());  // of a file of waves (fst_writer.cpp)
    }
    close(file);
  }
}

}  // namespace

new_file::new_file(const std::string& path) : path_(path), written_(file_to_write(path)) {
  if (written_ == path_) return;
  remove_those_of_the_dead(path_);
  unfinished_.emplace(written_);
  lock_ = open(written_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ >= 0) flock(lock_, LOCK_SH | LOCK_NB);
}

new_file::~new_file() {
  if (!committed_) discard();
  if (lock_ >= 0) close(lock_);
}

void new_file::discard() {
  if (written_ != path_) discard_file(written_);
}

void new_file::commit() {
  std::error_code error;
  if (written_ != path_) std::filesystem::rename(written_, path_, error);
  if (error) fail(path_, error.message());
  unfinished_.reset();
  committed_ = true;
}

growing_file::growing_file(const std::string& path)
    : path_(path), file_(path), stream_(file_.path(), std::ios::binary | std::ios::trunc) {
  if (!stream_) fail(path_, std::strerror(errno));
}

void growing_file::close() {
  stream_.close();
  if (!stream_) {
    file_.discard();
    fail(path_, std::strerror(errno));
  }
  file_.commit();
}

void write_file(const std::string& path, std::string_view content) {
  growing_file file(path);
  file.stream().write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
}

void require_writable(const std::string& path) {
  if (file_to_write(path) != path) {
    const growing_file tried(path);  // what nobody closes is removed again
  } else if (access(path.c_str(), W_OK) != 0) {
    fail(path, std::strerror(errno));
  }
}

void discard_file(const std::string& path) {
  const int reason = errno;
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) std::filesystem::remove(path, error);
  errno = reason;
}

void remove_file(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) throw input_error(path, 0, "the file of an earlier run cannot be removed: " + error.message());
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw input_error(path, 0, "the folder cannot be made: " + error.message());
}

}  // namespace gt200
