// Traced runs on disks that are full: one line says which file failed, no part of it stays, and the results are
// whole.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

using trace_disk = traced_run;

// Limits the size of files of processes started meanwhile: a write beyond it fails as on a full disk.
class small_disk {
 public:
  explicit small_disk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~small_disk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// One of --out, and whole.
bool is_result(const std::filesystem::path& file) {
  if (file.filename() == "stats.json") return nlohmann::json::accept(std::ifstream(file));
  return file.filename() == "stats.csv" || file.filename() == "config.toml";
}

TEST_F(trace_disk, a_full_disk_gives_one_line_with_the_users_file_and_no_part_of_it) {
  for (const rlim_t bytes : {4'000u, 400'000u}) {  // when the log begins, and while the chip runs
    const bool ran = bytes != 4'000u;
    for (const auto& [name, options] :
         std::vector<std::pair<std::string, arguments>>{{"w.vcd", {"--waves", path("w.vcd")}},
                                                        {"w.fst", {"--waves", path("w.fst")}},
                                                        {"p.kanata", {"--pipeline-view", path("p.kanata")}},
                                                        {"t.json", {"--timeline", path("t.json")}},
                                                        {"out/trace.log", {"--trace"}}}) {
      std::filesystem::remove_all(path("out"));
      const small_disk disk(bytes);
      const outcome o = run(options);
      EXPECT_EQ(o.code, 1) << name << " " << o.err;
      EXPECT_TRUE(is_one_clear_line(o.err)) << name;
      EXPECT_EQ(o.err, "gt200: " + path(name) + ": cannot be written: File too large\n");
      EXPECT_EQ(o.out.find("not checked: ") != std::string::npos, ran) << o.out;
      if (ran) EXPECT_NE(o.out.find("instructions"), std::string::npos) << "what has been computed is shown";
      for (const auto& left : std::filesystem::recursive_directory_iterator(path("")))
        EXPECT_TRUE(left.is_directory() || (ran && is_result(left.path()))) << left.path();
    }
  }
}

TEST_F(trace_disk, a_view_that_cannot_be_written_at_the_end_takes_no_result_along) {
  const arguments views = {"--waves", path("w.vcd"), "--pipeline-view", path("p.kanata")};
  ASSERT_EQ(run(views).code, 0);
  const nlohmann::json whole = stats("out");
  const auto bytes = [&](const char* file) { return std::filesystem::file_size(path(file)); };
  const std::uintmax_t largest_other =
      std::max({bytes("p.kanata"), bytes("out/stats.json"), bytes("out/stats.csv")});
  ASSERT_GT(bytes("w.vcd"), largest_other + 1000);
  const std::string pipeline = content_of(path("p.kanata"));
  const std::uintmax_t limit = bytes("w.vcd") - 1;
  std::filesystem::remove_all(path("out"));
  std::filesystem::remove(path("w.vcd"));
  std::filesystem::remove(path("p.kanata"));

  const small_disk disk(limit);
  const outcome o = run(views);
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.err, "gt200: " + path("w.vcd") + ": cannot be written: File too large\n");
  EXPECT_NE(o.out.find("result        correct"), std::string::npos) << o.out;
  EXPECT_EQ(stats("out"), whole) << "but for times of the host";
  EXPECT_TRUE(exists("out/stats.csv") && exists("out/config.toml"));
  EXPECT_EQ(content_of(path("p.kanata")), pipeline) << "the other view is written as well";
  EXPECT_FALSE(exists("w.vcd"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("")), {}), 2) << "parts of w.vcd";
}

TEST_F(trace_disk, a_view_that_does_not_fit_on_the_disk_is_not_left_in_part) {
  ASSERT_EQ(run({"--trace", "--wave-window", "3500:4500"}).code, 0);
  for (const auto& [option, name] : {std::pair{"--waves", "w.vcd"}, std::pair{"--waves", "w.fst"},
                                     std::pair{"--timeline", "t.json"}, std::pair{"--pipeline-view", "p.kanata"}}) {
    const small_disk disk(20'000);
    const outcome o = gt200_run({"trace", "convert", path("out"), option, path(name)});
    EXPECT_EQ(o.code, 1) << name << " " << o.err;
    EXPECT_EQ(o.err.rfind("gt200: " + path(name) + ": cannot be written: ", 0), 0u) << o.err;
    EXPECT_FALSE(exists(name));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("")), {}), 1) << "parts of " << name;
  }
}

// Those of processes that live, here or on another computer, stay: they hold a lock on them, or have the number.
TEST_F(trace_disk, what_a_killed_run_has_left_goes_with_the_next_one) {
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  waitpid(dead, nullptr, 0);
  const auto place = [&](const char* name, pid_t owner, const char* ending) {
    return file(name + ("." + std::to_string(owner)) + ending, "left");
  };
  for (const char* name : {"w.vcd", "w.fst"}) {
    const std::vector<std::string> left = {place(name, dead, ".tmp"), place(name, dead, ".tmp.hier"),
                                           place(name, dead, ".log.tmp")};
    const std::vector<std::string> others = {place(name, getpid(), ".log.tmp"), place(name, dead, ".own.tmp")};
    ASSERT_EQ(run({"--waves", path(name)}).code, 0);
    for (const std::string& f : left) EXPECT_FALSE(std::filesystem::exists(f)) << f;
    for (const std::string& f : others) EXPECT_TRUE(std::filesystem::exists(f)) << f;
  }
}

// Runs the program on a disk of its own, of that size, mounted at "disk"; what it leaves there is copied to "left".
// The code is -1 where a test may not mount anything.
class full_disk : public traced_run {
 protected:
  int run_on_disk(const std::string& size, const std::string& options) const {
    if (std::system("unshare -m true 2> /dev/null") != 0) return -1;
    std::filesystem::create_directory(path("disk"));
    std::filesystem::remove_all(path("left"));
    const std::string script =
        "mount -t tmpfs -o size=" + size + " tmpfs " + path("disk") + " || exit 99\n" + gt200_program() + " run " +
        source_path("kernels/vector_add") + " --config gt200_small " + options + " > " + path("out.txt") + " 2> " +
        path("err.txt") + "\ncode=$?\ncp -r " + path("disk") + " " + path("left") + "\nexit $code\n";
    return WEXITSTATUS(std::system(("unshare -m sh " + file("script", script)).c_str()));
  }
  void expect_whole_results() const {
    EXPECT_TRUE(is_result(path("left/out/stats.json"))) << "stats.json";
    EXPECT_TRUE(exists("left/out/stats.csv"));
    EXPECT_TRUE(exists("left/out/config.toml"));
  }
};

TEST_F(full_disk, the_log_that_has_filled_it_makes_room_for_the_results) {
  const int code = run_on_disk("1m", "--param N=4096 --trace --out " + path("disk/out"));
  if (code == -1) GTEST_SKIP() << "no disk can be mounted here";
  EXPECT_EQ(code, 1);
  EXPECT_EQ(content_of(path("err.txt")),
            "gt200: " + path("disk/out/trace.log") + ": cannot be written: No space left on device\n");
  expect_whole_results();
  EXPECT_FALSE(exists("left/out/trace.log"));
}

TEST_F(full_disk, views_that_do_not_fit_make_room_for_the_results_and_for_buffers) {
  for (const char* size : {"1m", "3m"}) {  // for the log of the waves, and for the waves beside it
    const int code =
        run_on_disk(size, "--param N=4096 --waves " + path("disk/w.vcd") + " --out " + path("disk/out"));
    if (code == -1) GTEST_SKIP() << "no disk can be mounted here";
    EXPECT_EQ(code, 1);
    EXPECT_EQ(content_of(path("err.txt")),
              "gt200: " + path("disk/w.vcd") + ": cannot be written: No space left on device\n");
    expect_whole_results();
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("left")), {}), 1) << "parts of w.vcd";
  }
}

TEST_F(full_disk, a_buffer_that_does_not_fit_takes_no_result_along) {
  const int code =
      run_on_disk("400k", "--param N=131072 --dump C=" + path("disk/c.bin") + " --out " + path("disk/out"));
  if (code == -1) GTEST_SKIP() << "no disk can be mounted here";
  EXPECT_EQ(code, 1);
  EXPECT_EQ(content_of(path("err.txt")),
            "gt200: " + path("disk/c.bin") + ": cannot be written: No space left on device\n");
  EXPECT_NE(content_of(path("out.txt")).find("result        correct"), std::string::npos);
  expect_whole_results();
  EXPECT_FALSE(exists("left/c.bin"));
}

}  // namespace
}  // namespace gt200::cli
