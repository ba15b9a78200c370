#include "apps/study/cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "apps/study/ending.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;

class cache : public testing::Test {
 protected:
  cache() : folder_(testing::TempDir() + "cache." + std::to_string(getpid())), cache_(folder_ + "/cache") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~cache() override { fs::remove_all(folder_); }

  // A result with a file of `size` times the letter.
  std::string result(const std::string& name, char letter, std::size_t size, int code = 0) const {
    const std::string folder = folder_ + "/" + name;
    fs::create_directories(folder);
    std::ofstream(folder + "/data") << std::string(size, letter);
    std::ofstream(folder + "/more") << letter;
    write_ending(folder, {code, "", 1.5, 7, false}, key_, {});
    return folder;
  }
  std::string fetched(std::string* content = nullptr) const {
    const std::string target = folder_ + "/target";
    fs::remove_all(target);
    fs::create_directories(target);
    const auto found = cache_.fetch(key_, target);
    if (content != nullptr) {
      std::ifstream file(target + "/data");
      *content = {std::istreambuf_iterator<char>(file), {}};
    }
    if (!found.hit) return fs::is_empty(target) ? "miss" : "miss with files";
    return "hit";
  }

  const std::string folder_, key_ = std::string(64, 'e');
  const result_cache cache_;
};

TEST_F(cache, loses_first_what_was_not_used_for_the_longest_time) {
  const std::vector<std::string> keys = {std::string(64, '1'), std::string(64, '2'), std::string(64, '3')};
  for (const std::string& key : keys) {
    const std::string folder = folder_ + "/" + key.substr(0, 1);
    fs::create_directories(folder);
    std::ofstream(folder + "/data") << std::string(10'000, 'x');
    write_ending(folder, {0, "", 1, 7, false}, key, {});
    cache_.store(key, folder);
  }
  const auto age = [&](const std::string& key, int hours) {
    fs::last_write_time(cache_.place_of(key), fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (int i = 0; i < 3; ++i) age(keys[static_cast<std::size_t>(i)], 30 - i);
  fs::create_directories(folder_ + "/target");
  EXPECT_TRUE(cache_.fetch(keys[0], folder_ + "/target").hit);  // used now
  const std::string kept = folder_ + "/cache";
  EXPECT_EQ(use_of_cache(kept).results, 3u);
  const std::uint64_t each = use_of_cache(kept).bytes / 3;
  EXPECT_GT(each, 10'000u);
  EXPECT_EQ(prune_cache(kept, 2 * each).results, 1u);
  EXPECT_FALSE(fs::exists(cache_.place_of(keys[1]))) << "the one not used for the longest time";
  EXPECT_EQ(prune_cache(kept, 2 * each - 1).bytes, each);
  EXPECT_TRUE(fs::exists(cache_.place_of(keys[0])));
  EXPECT_EQ(prune_cache(kept, 0).results, 1u);
  EXPECT_EQ(use_of_cache(kept).results, 0u);
  EXPECT_TRUE(fs::exists(folder_ + "/1/data")) << "what a study has stays";
}

TEST_F(cache, a_folder_that_cannot_keep_results_is_told) {
  EXPECT_EQ(check_cache(folder_ + "/new/cache"), "");
  std::ofstream(folder_ + "/file") << "x";
  EXPECT_NE(check_cache(folder_ + "/file"), "");
  EXPECT_NE(check_cache(folder_ + "/file/below"), "");
}

TEST_F(cache, gives_back_what_was_stored) {
  EXPECT_EQ(fetched(), "miss");
  cache_.store(key_, result("a", 'x', 1000));
  std::string content;
  EXPECT_EQ(fetched(&content), "hit");
  EXPECT_EQ(content, std::string(1000, 'x'));
  EXPECT_FALSE(fs::exists(folder_ + "/target/ending.json"));
}

TEST_F(cache, keeps_the_first_of_two_results) {
  cache_.store(key_, result("a", 'x', 10));
  cache_.store(key_, result("b", 'y', 10));
  std::string content;
  fetched(&content);
  EXPECT_EQ(content, std::string(10, 'x'));
}

TEST_F(cache, a_damaged_entry_is_no_result_and_goes_away) {
  cache_.store(key_, result("a", 'x', 10));
  const std::string file = cache_.place_of(key_) + "/data";
  fs::remove(file);
  std::ofstream(file) << std::string(10, 'z');
  EXPECT_EQ(fetched(), "miss");
  EXPECT_FALSE(fs::exists(cache_.place_of(key_)));
  cache_.store(key_, result("b", 'y', 10));
  EXPECT_EQ(fetched(), "hit");
}

TEST_F(cache, keeps_results_alone) {
  cache_.store(key_, result("a", 'x', 10, 70));
  EXPECT_EQ(fetched(), "miss");
}

TEST_F(cache, an_entry_of_another_key_is_no_result) {
  const std::string other(64, 'd');
  cache_.store(key_, result("a", 'x', 10));
  fs::create_directories(fs::path(cache_.place_of(other)).parent_path());
  fs::rename(cache_.place_of(key_), cache_.place_of(other));
  const std::string target = folder_ + "/target";
  fs::create_directories(target);
  EXPECT_FALSE(cache_.fetch(other, target).hit);
}

TEST_F(cache, without_a_folder_keeps_nothing) {
  const result_cache none("");
  none.store(key_, result("a", 'x', 10));
  EXPECT_FALSE(none.fetch(key_, folder_).hit);
}

TEST_F(cache, that_cannot_be_written_is_no_error) {
  std::ofstream(folder_ + "/file") << "in the way";
  const result_cache blocked(folder_ + "/file");
  blocked.store(key_, result("a", 'x', 10));
  EXPECT_FALSE(blocked.fetch(key_, folder_ + "/a").hit);
}

// All writers have the same key and different content, so that a mixture would show.
TEST_F(cache, concurrent_writers_leave_one_whole_entry) {
  for (int round = 0; round < 20; ++round) {
    fs::remove_all(folder_ + "/cache");
    std::vector<std::string> results;
    for (const char letter : {'a', 'b', 'c', 'd'})
      results.push_back(result(std::string(1, letter), letter, 100'000));
    std::vector<pid_t> writers;
    for (const std::string& from : results) {
      writers.push_back(fork());
      if (writers.back() == 0) {
        cache_.store(key_, from);
        _exit(0);
      }
    }
    // A reader meanwhile finds nothing or a whole entry.
    std::string content;
    while (fetched(&content) == "miss") {
    }
    EXPECT_EQ(content, std::string(100'000, content.at(0)));
    for (const pid_t writer : writers) waitpid(writer, nullptr, 0);
    EXPECT_EQ(fetched(&content), "hit");
    EXPECT_EQ(content, std::string(100'000, content.at(0)));
    std::size_t left = 0;
    for (const auto& entry : fs::directory_iterator(folder_ + "/cache"))
      left += entry.path().filename() == "points" ? 0 : 1;
    EXPECT_EQ(left, 0u);
  }
}

}  // namespace
}  // namespace gt200::apps::study
