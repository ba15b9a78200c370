#include "apps/study/point_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "apps/study/ending.h"
#include "apps/study/own_name.h"
#include "apps/study/sha256.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> signature_of(const std::string& path) {
  struct stat is {};
  if (stat(path.c_str(), &is) != 0) return {};
  return {static_cast<std::int64_t>(is.st_dev),
          static_cast<std::int64_t>(is.st_ino),
          static_cast<std::int64_t>(is.st_size),
          is.st_mtim.tv_sec,
          is.st_mtim.tv_nsec,
          is.st_ctim.tv_sec,
          is.st_ctim.tv_nsec};
}

void remove_folder(const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
}

std::string unfinished_folder(const study& work) { return work.folder + "/unfinished"; }

// The name of the point in the name of an unfinished folder, NAME~HOST.PID.N.
std::string point_name_of(const std::string& name) { return name.substr(0, name.find('~')); }

}  // namespace

input_watch::input_watch(const std::vector<input_file>& inputs) {
  for (const input_file& file : inputs) {
    // Before the content: a change between the two is seen later.
    files_.push_back({file, signature_of(file.path)});
    const auto hash = sha256_of_file(file.path);
    if (!hash) throw input_error(file.path, 0, "cannot be read any more; points of the study depend on it");
    if (*hash != file.sha256)
      throw input_error(file.path, 0,
                        "has changed since the study was planned; start the study again to plan it anew");
  }
}

std::string input_watch::changed() {
  for (watched& w : files_) {
    auto now = signature_of(w.file.path);
    if (now == w.signature) continue;
    if (sha256_of_file(w.file.path) != w.file.sha256) return w.file.path;
    w.signature = std::move(now);  // touched, or replaced by the same content
  }
  return {};
}

std::string point_store::begin(const point& of) const {
  const std::string folder = unfinished_folder(work_) + "/" + of.name + "~" + own_name();
  make_folder(folder);
  return folder;
}

point_store::cached_result point_store::from_cache(const point& of) const {
  if (of.key.empty() || work_.how.cache.empty()) return {};
  std::error_code error;
  if (!fs::exists(cache_.place_of(of.key), error)) return {};
  const std::string folder = begin(of);
  const result_cache::found found = cache_.fetch(of.key, folder);
  if (!found.hit) {
    abandon(folder);
    return {};
  }
  return {folder, {found.exit_code, found.reason, found.seconds, found.peak_kib, true}};
}

void point_store::publish(const point& of, const std::string& folder, const ending& end) const {
  write_ending(folder, end, of.key, of.command);
  const bool result = is_result(end.exit_code);
  const std::string target = point_folder(work_, of);
  make_folder(work_.folder + "/points");
  // Each turn loses against another process at most; the next one sees what it left.
  for (int turn = 0; turn < 100; ++turn) {
    if (std::rename(folder.c_str(), target.c_str()) == 0) {
      if (result && !end.cached) cache_.store(of.key, target);
      return;
    }
    if (errno != ENOTEMPTY && errno != EEXIST)
      throw input_error(target, 0, std::string("cannot be made: ") + std::strerror(errno));
    const auto there = read_ending(target, verify::sizes);
    const bool there_is_result =
        there && there->key == of.key && is_result(there->end.exit_code) && there->command == as_stored(of.command);
    if (there_is_result) return abandon(folder);
    forget(of);
  }
  throw input_error(target, 0, "is in the way of a result and cannot be moved");
}

void point_store::abandon(const std::string& folder) const { remove_folder(folder); }

void point_store::forget(const point& of) const {
  const std::string target = point_folder(work_, of);
  std::error_code error;
  if (!fs::exists(target, error)) return;
  // Aside first, so that others see all of it or nothing.
  make_folder(unfinished_folder(work_));
  const std::string aside = unfinished_folder(work_) + "/" + of.name + "~" + own_name();
  if (std::rename(target.c_str(), aside.c_str()) == 0) remove_folder(aside);
}

void point_store::clean(bool all) const {
  std::error_code error;
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(unfinished_folder(work_), error))
    if (const std::string name = entry.path().filename().string();
        all || is_left_over(name.substr(name.find('~') + 1)))
      left.push_back(entry.path());
  for (const fs::path& folder : left) remove_folder(folder.string());
}

std::vector<std::string> point_store::unfinished() const {
  std::vector<std::string> result;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(unfinished_folder(work_), error))
    result.push_back(point_name_of(entry.path().filename().string()));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace gt200::apps::study
