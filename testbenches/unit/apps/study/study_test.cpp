// Points run by the local engine: whole results, each once, whatever ends the process that runs them.
#include "apps/study/study.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "apps/study/sha256.h"
#include "toolchain/error.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What points of these tests do instead of gt200: `do LOG CODE MILLISECONDS --out FOLDER` notes its folder in the
// log, waits, and leaves two files.
int scripted(const words& command, const words& shown) {
  const std::string log = command.at(2), folder = command.back();
  const int file = open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const std::string line = shown.back() + "\n";
  if (write(file, line.data(), line.size()) < 0) return 1;
  close(file);
  std::ofstream(folder + "/first.txt") << "first";
  std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(command.at(4))));
  if (command.at(1) == "kill") std::raise(SIGKILL);
  if (command.at(1) == "kill_host") kill(getppid(), SIGKILL);
  if (command.at(1) == "throw") throw std::runtime_error("out of order");
  std::cerr << "the reason\nand more\n";
  std::ofstream(folder + "/second.txt") << "second " << shown.back();
  return std::stoi(command.at(3));
}

class local_study : public testing::Test {
 protected:
  local_study() : folder_(testing::TempDir() + "study." + std::to_string(getpid())) {
    set_command_line(scripted);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    work_.folder = folder_ + "/s";
    work_.how.jobs = 2;
  }
  ~local_study() override { fs::remove_all(folder_); }

  point& add(const std::string& name, int code = 0, int milliseconds = 0, const std::string& how = "do") {
    work_.points.push_back(
        {name, {how, folder_ + "/log", std::to_string(code), std::to_string(milliseconds)}, "", "", ""});
    return work_.points.back();
  }
  progress run_it() { return run(work_, &stop_); }
  // How often each point began, by the name of its folder.
  std::map<std::string, int> begun() const {
    std::map<std::string, int> result;
    std::istringstream lines(content_of(folder_ + "/log"));
    for (std::string line; std::getline(lines, line);) ++result[fs::path(line).filename().string()];
    return result;
  }
  std::size_t runs() const {
    const std::string log = content_of(folder_ + "/log");
    return static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n'));
  }
  std::size_t unfinished() const {
    const fs::path folder = work_.folder + "/unfinished";
    if (!fs::exists(folder)) return 0;
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }

  const std::string folder_;
  study work_;
  volatile std::sig_atomic_t stop_ = 0;
};

TEST_F(local_study, every_point_leaves_its_folder_and_how_it_ended) {
  add("good");
  add("wrong", 3);
  add("refused", 1);
  const progress done = run_it();
  EXPECT_EQ(done.ran, 3u);
  EXPECT_EQ(done.failed, 2u);
  EXPECT_EQ(done.unfinished(), 0u);
  EXPECT_EQ(ending_of(work_, work_.points[0])->exit_code, 0);
  EXPECT_EQ(ending_of(work_, work_.points[1])->exit_code, 3);
  EXPECT_EQ(ending_of(work_, work_.points[1])->reason, "the reason");
  EXPECT_EQ(ending_of(work_, work_.points[2])->exit_code, 1);
  EXPECT_GT(ending_of(work_, work_.points[0])->peak_kib, 0u);
  EXPECT_EQ(result_text(work_, work_.points[0], "first.txt"), "first");
  EXPECT_EQ(result_text(work_, work_.points[0], "second.txt"), "second " + point_folder(work_, work_.points[0]));
  EXPECT_EQ(result_text(work_, work_.points[0], "third.txt"), std::nullopt);
  EXPECT_EQ(unfinished(), 0u);
}

TEST_F(local_study, killed_points_and_defects_say_so) {
  add("killed", 0, 0, "kill");
  add("defect", 0, 0, "throw");
  run_it();
  EXPECT_EQ(ending_of(work_, work_.points[0])->exit_code, 128 + 9);
  EXPECT_EQ(ending_of(work_, work_.points[0])->reason, "killed by signal 9");
  EXPECT_EQ(ending_of(work_, work_.points[1])->exit_code, 70);
  EXPECT_EQ(ending_of(work_, work_.points[1])->reason, "gt200: out of order");
}

TEST_F(local_study, without_the_process_that_starts_runs_it_ends) {
  add("a", 0, 300, "kill_host");
  add("b", 0, 60'000);
  EXPECT_THROW(run_it(), input_error);
  EXPECT_EQ(unfinished(), 0u);
  work_.points.clear();
  add("a");
  add("b");
  EXPECT_EQ(run_it().ran, 2u);
}

TEST_F(local_study, takes_the_process_that_was_prepared_for_it) {
  prepare_runs();
  fs::create_directories(folder_ + "/elsewhere");
  const fs::path before = fs::current_path();
  fs::current_path(folder_ + "/elsewhere");  // runs follow
  work_.points.push_back({"a", {"do", "log", "0", "0"}, "", "", ""});
  EXPECT_EQ(run_it().ran, 1u);
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(folder_ + "/elsewhere/log"));
}

TEST_F(local_study, only_results_are_kept) {
  for (const int code : {0, 3, 4, 5, 6, 1, 2, 70}) add("code_" + std::to_string(code), code);
  add("killed", 0, 0, "kill");
  run_it();
  const progress again = run_it();
  EXPECT_EQ(again.kept, 5u);
  EXPECT_EQ(again.ran, 4u);
  EXPECT_EQ(begun()["code_0"], 1);
  EXPECT_EQ(begun()["code_6"], 1);
  EXPECT_EQ(begun()["code_70"], 2);
  EXPECT_EQ(begun()["killed"], 2);
}

TEST_F(local_study, a_point_with_another_command_or_key_runs_again) {
  add("a");
  add("b").key = std::string(64, '1');
  run_it();
  work_.points[0].command.back() = "1";
  work_.points[1].key = std::string(64, '2');
  EXPECT_EQ(run_it().ran, 2u);
  EXPECT_EQ(run_it().kept, 2u);
}

TEST_F(local_study, a_damaged_result_runs_again) {
  for (const char* name : {"shorter", "other", "without_file", "without_end", "good"}) add(name);
  run_it();
  const auto file = [&](const char* name, const char* which) {
    return work_.folder + "/points/" + name + "/" + which;
  };
  std::ofstream(file("shorter", "first.txt")) << "f";
  std::ofstream(file("other", "first.txt")) << "fiRst";
  fs::remove(file("without_file", "second.txt"));
  std::ofstream(file("without_end", "ending.json")) << content_of(file("good", "ending.json")).substr(0, 100);
  EXPECT_EQ(result_text(work_, work_.points[1], "first.txt"), std::nullopt);
  const progress again = run_it();
  EXPECT_EQ(again.ran, 4u);
  EXPECT_EQ(again.kept, 1u);
  for (const point& p : work_.points) EXPECT_EQ(result_text(work_, p, "first.txt"), "first");
}

TEST_F(local_study, a_stop_ends_in_order) {
  for (int i = 0; i < 20; ++i) add("p" + std::to_string(i), 0, i < 2 ? 0 : 60'000);
  const auto began = std::chrono::steady_clock::now();
  const progress done = run(work_, &stop_, [&](const progress& now) {
    if (now.ran >= 1) stop_ = 1;
  });
  EXPECT_TRUE(done.stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
  EXPECT_GE(done.unfinished(), 17u);
  EXPECT_EQ(unfinished(), 0u);
}

TEST_F(local_study, a_changed_input_voids_what_ran_meanwhile) {
  const std::string input = folder_ + "/input";
  std::ofstream(input) << "old";
  work_.inputs = {{input, sha256_of("old")}};
  work_.how.jobs = 1;
  add("before");
  add("after");
  run(work_, &stop_, [&](const progress& now) {
    if (now.ran == 1) std::ofstream(input) << "new";
  });
  EXPECT_EQ(ending_of(work_, work_.points[0])->exit_code, 0);
  EXPECT_EQ(ending_of(work_, work_.points[1])->exit_code, 1);
  EXPECT_EQ(ending_of(work_, work_.points[1])->reason, input + ": has changed since the study was planned");
  EXPECT_THROW(run_it(), input_error);
  std::ofstream(input) << "old";
  EXPECT_EQ(run_it().ran, 1u);
}

TEST_F(local_study, touching_an_input_changes_nothing) {
  const std::string input = folder_ + "/input";
  std::ofstream(input) << "same";
  work_.inputs = {{input, sha256_of("same")}};
  add("a");
  add("b");
  work_.how.jobs = 1;
  run(work_, &stop_, [&](const progress&) {
    fs::remove(input);
    std::ofstream(input) << "same";
  });
  EXPECT_EQ(ending_of(work_, work_.points[1])->exit_code, 0);
}

TEST_F(local_study, one_process_at_a_time_runs_it_on_a_machine) {
  add("long", 0, 60'000);
  const pid_t other = fork();
  if (other == 0) {
    run_it();
    _exit(0);
  }
  while (begun().empty()) usleep(1000);
  EXPECT_THROW(run_it(), input_error);
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  work_.points[0].command.back() = "0";
  EXPECT_EQ(run_it().ran, 1u);  // its lock is gone with it
}

// Everything finished is kept, nothing finished runs again, and nobody's half folder shows.
TEST_F(local_study, killed_at_any_moment_it_loses_nothing_and_repeats_nothing) {
  constexpr int count = 60;
  for (int i = 0; i < count; ++i) add("p" + std::to_string(i), 0, i % 5);
  std::mt19937 random(1);
  std::map<std::string, int> finished_with;  // how often a point had begun when it was first seen finished
  for (int kills = 0; kills < 20; ++kills) {
    const pid_t sweep = fork();
    if (sweep == 0) {
      run_it();
      _exit(0);
    }
    // After so many more points have begun, at some moment of theirs.
    const std::size_t enough = runs() + random() % 5;
    while (runs() < enough && waitpid(sweep, nullptr, WNOHANG) == 0) usleep(200);
    usleep(random() % 3'000);
    kill(sweep, SIGKILL);
    waitpid(sweep, nullptr, 0);
    std::map<std::string, int> before = begun();
    std::vector<std::string> finished;
    for (const point& p : work_.points)
      if (ending_of(work_, p)) finished.push_back(p.name);
    std::error_code none_yet;
    for (const auto& entry : fs::directory_iterator(work_.folder + "/points", none_yet))
      EXPECT_TRUE(fs::exists(entry.path() / "ending.json")) << entry.path();
    // What this turn finished does not begin in the next ones.
    for (const std::string& name : finished) finished_with.emplace(name, before[name]);
  }
  const progress last = run_it();
  EXPECT_EQ(last.kept + last.ran, static_cast<std::size_t>(count));
  EXPECT_EQ(last.unfinished(), 0u);
  const auto all = begun();
  for (const auto& [name, times] : finished_with) EXPECT_EQ(all.at(name), times) << name;
  EXPECT_FALSE(finished_with.empty());
  EXPECT_EQ(unfinished(), 0u);
}

TEST_F(local_study, reads_back_as_it_was_planned) {
  add("a", 0, 0).key = std::string(64, 'a');
  work_.inputs = {};
  work_.how.slurm.sbatch = {"--partition=x"};
  run_it();
  const study read = read_study(work_.folder);
  ASSERT_EQ(read.points.size(), 1u);
  EXPECT_EQ(read.points[0].command, work_.points[0].command);
  EXPECT_EQ(read.points[0].key, work_.points[0].key);
  EXPECT_EQ(read.how.slurm.sbatch, work_.how.slurm.sbatch);
  EXPECT_EQ(read.how.jobs, 2u);
  EXPECT_EQ(status_of(read).done.ran, 1u);
  std::ofstream(work_.folder + "/study.json") << "{";
  EXPECT_THROW(read_study(work_.folder), input_error);
  EXPECT_THROW(read_study(folder_), input_error);
}

TEST_F(local_study, a_folder_belongs_to_one_command) {
  work_.made_by = "sweep";
  add("a");
  run_it();
  work_.made_by = "campaign";
  try {
    run_it();
    FAIL() << "the folder of a sweep was taken";
  } catch (const input_error& error) {
    EXPECT_NE(std::string(error.what()).find("holds results of gt200 sweep"), std::string::npos) << error.what();
  }
  work_.made_by = "sweep";
  EXPECT_EQ(run_it().kept, 1u);
}

TEST_F(local_study, wrong_names_are_refused) {
  for (const char* name : {"", "a/b", "..", "a b", "a~b"}) {
    work_.points.clear();
    add(name);
    EXPECT_THROW(run_it(), input_error) << name;
  }
  work_.points.clear();
  add("a");
  add("a");
  EXPECT_THROW(run_it(), input_error);
  work_.points.pop_back();
  work_.how.engine = "cloud";
  EXPECT_THROW(run_it(), input_error);
}

}  // namespace
}  // namespace gt200::apps::study
