#include "apps/study/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/study/ending.h"
#include "apps/study/own_name.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;

// A second name for the file, or a copy where that is impossible.
bool share(const fs::path& from, const fs::path& to) {
  (void)chmod(from.c_str(), 0444);
  if (link(from.c_str(), to.c_str()) == 0) return true;
  std::error_code error;
  return fs::copy_file(from, to, error) && !error;
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
}

// Moves the folder aside and removes it: others must not find half of it.
void remove_aside(const std::string& cache, const fs::path& place) {
  const std::string aside = cache + "/damaged." + own_name();
  std::error_code error;
  fs::rename(place, aside, error);
  if (!error) remove_folder(aside);
}

struct kept_result {
  fs::path place;
  fs::file_time_type used;
  std::uint64_t bytes = 0;
};

std::vector<kept_result> results_in(const std::string& folder) {
  std::vector<kept_result> result;
  std::error_code error;
  for (const auto& part : fs::directory_iterator(folder + "/points", error))
    for (const auto& place : fs::directory_iterator(part.path(), error)) {
      kept_result kept{place.path(), place.last_write_time(error), 0};
      for (const auto& file : fs::directory_iterator(place.path(), error)) {
        const std::uintmax_t size = file.file_size(error);
        if (!error) kept.bytes += size;
      }
      result.push_back(std::move(kept));
    }
  return result;
}

}  // namespace

std::string default_cache_folder() {
  for (const auto& [variable, below] : {std::pair{"GT200_RESULT_CACHE", ""}, std::pair{"XDG_CACHE_HOME", "/gt200"},
                                        std::pair{"HOME", "/.cache/gt200"}})
    if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0')
      return std::string(value) + below;
  return {};
}

std::string check_cache(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder + "/points", error);
  if (error) return error.message();
  const std::string test = folder + "/new." + own_name();
  if (!fs::create_directory(test, error)) return error.message();
  fs::remove(test, error);
  return "";
}

cache_use use_of_cache(const std::string& folder) {
  cache_use all;
  for (const kept_result& kept : results_in(folder)) {
    ++all.results;
    all.bytes += kept.bytes;
  }
  return all;
}

cache_use prune_cache(const std::string& folder, std::uint64_t bytes) {
  std::error_code error;
  std::vector<fs::path> left_over;  // by processes that were killed
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_left_over(entry.path().filename().string())) left_over.push_back(entry.path());
  for (const fs::path& path : left_over) remove_folder(path);
  std::vector<kept_result> all = results_in(folder);
  std::sort(all.begin(), all.end(), [](const kept_result& a, const kept_result& b) { return a.used < b.used; });
  std::uint64_t left = 0;
  for (const kept_result& kept : all) left += kept.bytes;
  cache_use removed;
  for (const kept_result& kept : all) {
    if (left <= bytes) break;
    remove_aside(folder, kept.place);
    left -= kept.bytes;
    ++removed.results;
    removed.bytes += kept.bytes;
  }
  return removed;
}

std::string result_cache::place_of(const std::string& key) const {
  return folder_ + "/points/" + key.substr(0, 2) + "/" + key;
}

result_cache::found result_cache::fetch(const std::string& key, const std::string& target) const {
  if (!keeps(key)) return {};
  const std::string place = place_of(key);
  std::error_code error;
  if (!fs::exists(place, error)) return {};
  const auto stored = read_ending(place, verify::all);
  if (!stored || stored->key != key || !is_result(stored->end.exit_code)) {
    // Another process may have replaced it by a good one since; that one is made again when it is needed.
    remove_aside(folder_, place);
    return {};
  }
  for (const auto& [name, file] : stored->files)
    if (!share(place + "/" + name, target + "/" + name)) {
      for (const auto& entry : fs::directory_iterator(target, error)) fs::remove(entry, error);
      return {};
    }
  (void)utimensat(AT_FDCWD, place.c_str(), nullptr, 0);  // used now: see prune_cache()
  return {true, stored->end.exit_code, stored->end.seconds, stored->end.peak_kib, stored->end.reason};
}

void result_cache::store(const std::string& key, const std::string& folder) const {
  if (!keeps(key)) return;
  const std::string place = place_of(key);
  std::error_code error;
  if (fs::exists(place, error)) return;
  const std::string aside = folder_ + "/new." + own_name();
  fs::create_directories(fs::path(place).parent_path(), error);
  if (error || !fs::create_directories(aside, error)) return;
  bool whole = true;
  for (const auto& entry : fs::directory_iterator(folder, error))
    whole = whole && share(entry.path(), fs::path(aside) / entry.path().filename());
  // Fails when another process was faster: a folder with files in it is not replaced.
  if (whole && !error) fs::rename(aside, place, error);
  if (!whole || error) remove_folder(aside);
}

}  // namespace gt200::apps::study
