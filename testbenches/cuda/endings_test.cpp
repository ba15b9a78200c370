// What a CUDA program sees when its launches do not end, or when its worker dies.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

namespace fs = std::filesystem;
using cli::gt200_run;
using cli::outcome;

class endings : public cli::cli_test {
 protected:
  std::string compiled(const std::string& source) const {
    const outcome made = gt200_run({"nvcc", file("program.cu", source), "-o", path("program")});
    EXPECT_EQ(made.code, 0) << made.err;
    return path("program");
  }
};

class launch_without_end : public endings, public testing::WithParamInterface<cli::arguments> {};

TEST_P(launch_without_end, is_ended_by_its_limit_and_explained) {
  const std::string program = compiled(
      "__global__ void spin(volatile int* d) { while (d[0] == 0) {} }\n"
      "int main() {\n"
      "  int* d;\n"
      "  cudaMalloc((void**)&d, 4);\n"
      "  cudaMemset(d, 0, 4);\n"
      "  spin<<<1, 64>>>(d);\n"
      "  return cudaThreadSynchronize() == cudaErrorLaunchTimeout ? 0 : 9;\n"
      "}\n");
  cli::arguments words = {"exec", "--config", "gt200_small"};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  words.push_back(program);
  const outcome run = gt200_run(words);
  EXPECT_EQ(run.code, 6) << run.err;
  EXPECT_NE(run.err.find("gt200: LIMIT: kernel 'spin', launch 1: "), std::string::npos) << run.err;
  // On the model each warp has a line, on the emulator the block has one.
  const bool emulates = std::count(GetParam().begin(), GetParam().end(), "emulator") != 0;
  EXPECT_NE(run.err.find(emulates ? "warps 0" : "warp 1 (block 0, warp 1 of it): 0x"), std::string::npos)
      << run.err;
}

INSTANTIATE_TEST_SUITE_P(cuda, launch_without_end,
                         testing::Values(cli::arguments{"--max-cycles", "20000"},
                                         cli::arguments{"--max-instructions", "1000"},
                                         cli::arguments{"--max-seconds", "0.2"},
                                         cli::arguments{"--engine", "emulator", "--max-instructions", "1000"},
                                         cli::arguments{"--engine", "emulator", "--max-seconds", "0.2"}));

TEST_F(endings, a_launch_that_a_signal_ends_says_where_its_warps_stand) {
  const std::string program = compiled(
      "#include <cstdio>\n"
      "__global__ void spin(volatile int* d) { while (d[0] == 0) {} }\n"
      "int main(int, char** words) {\n"
      "  int* d;\n"
      "  cudaMalloc((void**)&d, 4);\n"
      "  cudaMemset(d, 0, 4);\n"
      "  spin<<<1, 64>>>(d);\n"
      "  std::fclose(std::fopen(words[1], \"w\"));\n"
      "  return cudaThreadSynchronize();\n"
      "}\n");
  const auto begun = [&] {
    if (!fs::exists(path("begun"))) return false;
    usleep(500'000);
    return true;
  };
  const outcome run =
      cli::gt200_run_interrupted({"exec", "--config", "gt200_small", program, path("begun")}, begun, SIGTERM);
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_NE(run.err.find("gt200: interrupted: kernel 'spin', launch 1: stopped by a signal\n"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("warp 1 (block 0, warp 1 of it): 0x"), std::string::npos) << run.err;
}

// A signal to a process group may reach the program first.
TEST_F(endings, a_program_that_a_signal_ends_before_it_reaches_exec_is_interrupted) {
  for (const std::string signal : {"HUP", "TERM", "INT"}) {
    const std::string script = "(sleep 0.05; kill -" + signal + " $PPID) & kill -" + signal + " $$";
    EXPECT_EQ(gt200_run({"exec", "sh", "-c", script}).code, 130) << signal;
  }
  EXPECT_EQ(gt200_run({"exec", "sh", "-c", "kill -TERM $$"}).code, 128 + SIGTERM) << "nobody ended exec";
}

TEST_F(endings, limits_that_are_none_are_refused_before_the_program_begins) {
  EXPECT_EQ(gt200_run({"exec", "--max-cycles", "many", "true"}).code, 2);
  for (const char* variable : {"GT200_MAX_CYCLES", "GT200_MAX_INSTRUCTIONS", "GT200_MAX_SECONDS"}) {
    const outcome run = gt200_run({"exec", "true"}, {std::string(variable) + "=-1"});
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.err.rfind(std::string("gt200: ") + variable + ": '-1' is no ", 0), 0u) << run.err;
  }
}

// Of a process, by its parent.
pid_t child_of(pid_t parent) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
    std::ifstream in(entry.path() / "stat");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos) continue;
    char state = 0;
    pid_t of = 0;
    std::istringstream(text.substr(end + 1)) >> state >> of;
    if (of == parent && state != 'Z') return static_cast<pid_t>(std::stoi(name));
  }
  return 0;
}

class dead_worker : public endings, public testing::WithParamInterface<std::vector<int>> {};

// With descriptors closed, the connection to the worker gets their numbers.
TEST_P(dead_worker, is_an_error_of_the_next_call) {
  const std::string program = compiled(
      "#include <unistd.h>\n"
      "int main() {\n"
      "  int* d;\n"
      "  if (cudaMalloc((void**)&d, 4)) return 9;\n"
      "  for (int k = 0; k < 2000; ++k) {\n"
      "    usleep(10000);\n"
      "    if (cudaMemset(d, 0, 4) == cudaErrorUnknown) return 42;\n"
      "  }\n"
      "  return 8;\n"
      "}\n");
  const std::string messages = path("messages");
  const pid_t process = fork();
  if (process == 0) {
    setenv("GT200_CONFIG", "gt200_small", 1);
    dup2(open(messages.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600), STDERR_FILENO);
    for (const int descriptor : GetParam()) close(descriptor);
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(127);
  }
  pid_t worker = 0;
  for (int k = 0; k < 1000 && worker == 0; ++k) {
    usleep(10'000);
    worker = child_of(process);
  }
  usleep(200'000);
  ASSERT_NE(worker, 0);
  kill(worker, SIGKILL);
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
  EXPECT_EQ(content_of(messages), "gt200: the worker of device 0 has ended: signal 9 (Killed)\n");
}

INSTANTIATE_TEST_SUITE_P(cuda, dead_worker,
                         testing::Values(std::vector<int>{}, std::vector<int>{0}, std::vector<int>{0, 1},
                                         std::vector<int>{0, 3}));

TEST_F(endings, a_worker_that_can_have_no_connection_is_an_error) {
  const std::string program =
      compiled("int main() { int* d; return cudaMalloc((void**)&d, 4) == cudaErrorUnknown ? 42 : 9; }\n");
  const pid_t process = fork();
  if (process == 0) {
    const rlimit four = {4, 4};
    setrlimit(RLIMIT_NOFILE, &four);
    dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
    for (int inherited = 3; inherited < 64; ++inherited) close(inherited);  // the loader needs one
    execl(program.c_str(), program.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 42) << status;
}

}  // namespace
}  // namespace gt200::cuda
