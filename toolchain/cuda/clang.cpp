#include "toolchain/cuda/clang.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "gt200_cuda_headers.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/process.h"
#include "toolchain/cuda/waiting_loops.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::cuda {

namespace fs = std::filesystem;

namespace {

// `log`: what clang wrote, without pictures of the source.
clang_refusal refusal_of(const std::string& program, const std::string& path, const std::string& log,
                         const fs::path& folder) {
  std::vector<std::string> errors;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.find("error: ") != std::string::npos) errors.push_back(line);
  // A clang that breaks off says so in its own way, or cannot say anything.
  if (errors.empty()) errors.push_back(log);
  if (errors.front().find_first_not_of(" \n") == std::string::npos) {
    const std::string reason = refusal_to_write(folder);
    errors.front() = reason.empty() ? "it has ended without a message"
                                    : folder.parent_path().string() + " (TMPDIR) cannot be written: " + reason;
  }
  const std::string first = program + " refuses " + path + ": " + errors.front();
  return {first, {errors.begin() + 1, errors.end()}};
}

}  // namespace

std::vector<std::string> clang_candidates(const clang_options& options) {
  if (!options.program.empty()) return {options.program};
  if (const char* named = std::getenv("GT200_CLANG"); named != nullptr && *named != '\0') return {named};
  // Newest first: the NVPTX back ends of clang 14 and 16 lose the sign of some extended numbers. scripts/setup
  // installs 19, and the tests run with it.
  return {"clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang"};
}

std::vector<std::string> options_for_undefined_arguments(const std::string& program) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::vector<std::string>> known;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  if (const auto found = known.find(program); found != known.end()) return found->second;
  std::vector<std::string> options;
  for (const char* option : {"-no-enable-noundef-analysis", "-disable-noundef-analysis"})
    if (run_program({program, "-Xclang", option, "-fsyntax-only", "-x", "c", "/dev/null"}, "/dev/null") == 0) {
      options = {"-Xclang", option};
      break;
    }
  known.emplace(program, options);
  return options;
}

void require_memory_for(const std::vector<std::string>& programs) {
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) return;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const std::string& program : programs)
      if (access((fs::path(folder) / program).c_str(), X_OK) == 0)
        throw std::system_error(ENOMEM, std::generic_category(), program);
}

bool clang_available(const clang_options& options) {
  const std::vector<std::string> programs = clang_candidates(options);
  return std::any_of(programs.begin(), programs.end(), [](const std::string& program) {
    return run_program({program, "--version"}, "/dev/null") == 0;
  });
}

bool is_cuda(const std::string& path) { return fs::path(path).extension() == ".cu"; }

std::string compile_to_ptx(const std::string& path, const clang_options& options) {
  if (!fs::exists(path)) throw input_error(path, 0, "cannot open the file");
  const temporary_folder folder;
  const std::string output = (folder.path() / "output.ptx").string();
  const std::string log = (folder.path() / "log").string();
  for (const header_file& header : header_files) {
    std::ofstream file(folder.path() / header.name);
    file << header.text;
    if (!file.flush())
      throw input_error(folder.path().parent_path().string(), 0,
                        std::string("(TMPDIR) cannot be written: ") + std::strerror(errno));
  }
  std::string tried;
  for (const std::string& program : clang_candidates(options)) {
    // The multiply-add of Tesla is not fused, so our own compiler forms it there, and divisions become div.full, as
    // in NVIDIA's compiler for that hardware.
    const bool has_fma = options.capability >= 20;
    // Guarantees to threads of a warp differ where they have program counters of their own.
    const char* chip = options.capability >= 70 ? "sm_70" : "sm_20";
    const std::vector<std::string> machine_options = {
        // The drivers of clang 14 and 16 do not take this value, but the compilers behind them do.
        "-Xclang", has_fma ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off", "-mllvm",
        has_fma ? "-nvptx-prec-divf32=2" : "-nvptx-prec-divf32=1"};
    std::vector<std::string> command = {
        program, "-x", "cuda", "--cuda-device-only",
        // A toolkit that happens to be installed must not change what clang emits.
        "--cuda-path=" + folder.path().string(), "-nocudainc", "-nocudalib", std::string("--cuda-gpu-arch=") + chip,
        "-O2", "-gline-tables-only", "-Wno-unknown-cuda-version", "-fno-caret-diagnostics",
        // clang knows no capability below 2.0.
        "-Wno-builtin-macro-redefined", "-U__CUDA_ARCH__",
        "-D__CUDA_ARCH__=" + std::to_string(options.capability * 10), options.address_bits == 32 ? "-m32" : "-m64",
        "-include", (folder.path() / "gt200_cuda.h").string(), "-S", path};
    command.insert(command.end(), machine_options.begin(), machine_options.end());
    const std::vector<std::string> undefined_arguments = options_for_undefined_arguments(program);
    command.insert(command.end(), undefined_arguments.begin(), undefined_arguments.end());
    const auto run = [&](const std::vector<std::string>& words, const std::vector<std::string>& more) {
      std::vector<std::string> all = words;
      all.insert(all.end(), more.begin(), more.end());
      return run_program(all, log);
    };
    const int code = run(command, {"-o", output});
    if (code == 0) {
      const std::string ptx = cubin::read_file(output);
      if (!may_wait(ptx)) return ptx;
      const std::string kept = (folder.path() / "kept.ll").string();
      std::vector<std::string> unoptimised = for_unoptimised_code();
      unoptimised.insert(unoptimised.end(), {"-o", kept});
      if (run(command, unoptimised) != 0) throw refusal_of(program, path, cubin::read_file(log), folder.path());
      const std::optional<std::string> edited = with_kept_loops(cubin::read_file(kept));
      if (!edited) return ptx;
      write_file(kept, *edited);
      std::vector<std::string> again = from_unoptimised_code(machine_options, options.address_bits, chip);
      again.insert(again.begin(), program);
      if (run(again, {"-S", "-o", output, kept}) != 0)
        throw refusal_of(program, path, cubin::read_file(log), folder.path());
      return with_version_of(ptx, cubin::read_file(output));
    }
    if (code != 127) throw refusal_of(program, path, fs::exists(log) ? cubin::read_file(log) : "", folder.path());
    tried += (tried.empty() ? "" : ", ") + program;
  }
  require_memory_for(clang_candidates(options));
  throw input_error(path, 0,
                    "CUDA C needs clang, and none of these programs is there: " + tried +
                        "; scripts/setup installs one, GT200_CLANG names another");
}

}  // namespace gt200::cuda
