#include "testbenches/system/cli/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace gt200::cli {
namespace {

std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "gt200-cli.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return name;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

[[noreturn]] void become(const std::string& program, const arguments& args, const arguments& environment,
                         const std::filesystem::path& folder) {
  const int out = open((folder / "out").c_str(), O_CREAT | O_WRONLY, 0600);
  const int err = open((folder / "err").c_str(), O_CREAT | O_WRONLY, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const std::string& setting : environment) {
    const std::size_t equals = setting.find('=');
    setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  std::vector<std::string> words = {program};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  _exit(127);
}

// Calls `meanwhile` with the process while it runs.
outcome run(const std::string& program, const arguments& args, const arguments& environment,
            const std::function<void(pid_t)>& meanwhile) {
  const std::filesystem::path folder = new_folder();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no new process");
  if (child == 0) become(program, args, environment, folder);
  meanwhile(child);
  int status = 0;
  waitpid(child, &status, 0);
  outcome result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read(folder / "out");
  result.err = read(folder / "err");
  std::filesystem::remove_all(folder);
  return result;
}

}  // namespace

outcome gt200_run(const arguments& args, const arguments& environment) {
  arguments words = args;
  const bool again = std::find(args.begin(), args.end(), "--again") != args.end();
  if (!args.empty() && args[0] == "run" && !again) words.push_back("--no-evidence");
  return program_run(gt200_program(), words, environment);
}

std::string gt200_program() { return GT200_PROGRAM; }

outcome program_run(const std::string& program, const arguments& args, const arguments& environment) {
  return run(program, args, environment, [](pid_t) {});
}

outcome gt200_run_interrupted(const arguments& args, const std::function<bool()>& begun, int signal) {
  return run(GT200_PROGRAM, args, {}, [&](pid_t child) {
    for (int tries = 0; tries < 6000 && !begun(); ++tries) usleep(10'000);
    kill(child, signal);
  });
}

testing::AssertionResult is_one_clear_line(const std::string& text) {
  if (text.compare(0, 7, "gt200: ") != 0) return testing::AssertionFailure() << "no 'gt200: ' in front: " << text;
  if (std::count(text.begin(), text.end(), '\n') != 1 || text.back() != '\n')
    return testing::AssertionFailure() << "not exactly one line: " << text;
  return testing::AssertionSuccess();
}

cli_test::cli_test() : folder_(new_folder()) {}
cli_test::~cli_test() { std::filesystem::remove_all(folder_); }

std::string cli_test::file(const std::string& name, const std::string& content) const {
  std::filesystem::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << content;
  return path(name);
}

std::string cli_test::kernel(const std::string& name, const std::string& body, unsigned threads,
                             const std::string& expectation) const {
  const std::string count = std::to_string(threads);
  file(name + "/" + name + ".s", ".entry k\n.param u32 out\n" + body + ".end\n");
  file(name + "/launch.toml", "schema = 1\nsource = \"" + name +
                                  ".s\"\n"
                                  "[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = " +
                                  count +
                                  "\ninit = \"zeros\"\n"
                                  "[[step]]\nlaunch = \"k\"\ngrid = [1]\nblock = [" +
                                  count + "]\narguments = [\"out\"]\n" + expectation);
  return path(name);
}

std::string cli_test::content_of(const std::string& path) { return read(path); }

}  // namespace gt200::cli
