#include "toolchain/cuda/clang.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gt200_cuda_headers.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"

extern char** environ;

namespace gt200::cuda {
namespace {

namespace fs = std::filesystem;

class temporary_folder {
 public:
  temporary_folder() {
    std::string form = (fs::temp_directory_path() / "gt200-XXXXXX").string();
    if (mkdtemp(form.data()) == nullptr) throw input_error("no folder for temporary files can be made: " + form);
    path_ = form;
  }
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Returns the exit code, 127 when there is no such program. Error output goes to `log`.
int run(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

std::vector<std::string> candidates(const clang_options& options) {
  if (!options.program.empty()) return {options.program};
  if (const char* named = std::getenv("GT200_CLANG"); named != nullptr && *named != '\0') return {named};
  // Newest first: the NVPTX back ends of clang 14 and 16 lose the sign of some extended numbers. scripts/setup
  // installs 19, and the tests run with it.
  return {"clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang"};
}

}  // namespace

bool clang_available(const clang_options& options) {
  const std::vector<std::string> programs = candidates(options);
  return std::any_of(programs.begin(), programs.end(), [](const std::string& program) {
    return run({program, "--version"}, "/dev/null") == 0;
  });
}

bool is_cuda(const std::string& path) { return fs::path(path).extension() == ".cu"; }

std::string compile_to_ptx(const std::string& path, const clang_options& options) {
  if (!fs::exists(path)) throw input_error(path, 0, "cannot open the file");
  const temporary_folder folder;
  const std::string output = (folder.path() / "output.ptx").string();
  const std::string log = (folder.path() / "log").string();
  for (const header_file& header : header_files) std::ofstream(folder.path() / header.name) << header.text;
  std::string tried;
  for (const std::string& program : candidates(options)) {
    // No contraction: the multiply-add of this hardware is not fused, and our own compiler forms it. Divisions
    // become div.full, as in NVIDIA's compiler for this hardware.
    const int code = run({program,
                          "-x",
                          "cuda",
                          "--cuda-device-only",
                          "-nocudainc",
                          "-nocudalib",
                          "--cuda-gpu-arch=sm_20",
                          "-O2",
                          "-ffp-contract=off",
                          "-gline-tables-only",
                          "-Wno-unknown-cuda-version",
                          "-mllvm",
                          "-nvptx-prec-divf32=1",
                          options.address_bits == 32 ? "-m32" : "-m64",
                          "-include",
                          (folder.path() / "gt200_cuda.h").string(),
                          "-S",
                          "-o",
                          output,
                          path},
                         log);
    if (code == 0) return cubin::read_file(output);
    if (code != 127) throw input_error(program + " refuses " + path + ":\n" + cubin::read_file(log));
    tried += (tried.empty() ? "" : ", ") + program;
  }
  throw input_error(path, 0,
                    "CUDA C needs clang, and none of these programs is there: " + tried +
                        "; scripts/setup installs one, GT200_CLANG names another");
}

}  // namespace gt200::cuda
