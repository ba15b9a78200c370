#include "rtl_ref/library/tools.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "rtl_ref/library/cache.h"
#include "rtl_ref/library/files.h"
#include "toolchain/error.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace gt200::rtl {
namespace {

namespace fs = std::filesystem;

// Path of the program, as a shell finds it; empty if there is none.
std::string on_path(const std::string& name) {
  const auto is_program = [](const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name; is_program(file))
      return file.string();
  return "";
}

pid_t start(const std::vector<std::string>& words, posix_spawn_file_actions_t& files) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, pointers[0], &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw input_error(words[0], 0, "cannot be started: " + std::string(std::strerror(error)));
  return child;
}

int end_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// What changes when a program is installed anew.
std::string identity_of(const std::string& file) {
  struct stat is {};
  if (stat(file.c_str(), &is) != 0) return "";
  return fmt::format("{} {} {}.{} ", file, is.st_size, is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
}

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

}  // namespace

std::string answer_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw input_error("no pipe can be made: " + std::string(std::strerror(errno)));
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  const pid_t child = start(words, files);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  if (end_of(child) != 0) throw input_error(words[0], 0, "does not answer to " + words[1]);
  return text.substr(0, text.find('\n'));
}

tool find_verilator(const std::string& notes) {
  const std::string program = on_path("verilator");
  if (program.empty())
    throw input_error(
        "RTL needs Verilator, and there is no program 'verilator' on PATH; install it (Debian: package verilator), "
        "or run with the SystemC models alone (model = systemc)");
  const std::string root = value_of("VERILATOR_ROOT");
  const std::string folder = root.empty() ? fs::path(program).parent_path().string() : root + "/bin";
  const fs::path note =
      fs::path(notes) / (version_note + hash_of(identity_of(program) + identity_of(folder + "/verilator_bin")));
  std::string version;
  if (std::ifstream in(note); std::getline(in, version) && !version.empty()) return {program, version};
  version = answer_of({program, "--version"});
  std::error_code error;
  if (fs::is_directory(notes, error)) {
    const std::string whole = fmt::format("{}.{}", note.string(), getpid());
    std::ofstream(whole) << version << '\n';
    fs::rename(whole, note, error);
  }
  return {program, version};
}

tool find_compiler() {
  const std::string chosen = value_of("CXX");
  std::vector<std::string> names = {"c++", "g++", "clang++"};
  if (!chosen.empty()) names = {chosen};
  for (const std::string& name : names)
    if (const std::string program = on_path(name); !program.empty())
      return {program, answer_of({program, "--version"}) + ", " + answer_of({program, "-dumpmachine"})};
  throw input_error("RTL needs a C++ compiler, and " +
                    (chosen.empty() ? "none of c++, g++ and clang++ is on PATH; install one"
                                    : "CXX names '" + chosen + "', which is no program; name another") +
                    ", or run with the SystemC models alone (model = systemc)");
}

int run(const std::vector<std::string>& words, const std::string& log) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  return end_of(start(words, files));
}

}  // namespace gt200::rtl
