// Runs the built gt200 as a user does, with the files of a test in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gt200::cli {

struct outcome {
  int code = -1;  // exit code; 128 + n when signal n ended the process
  std::string out;
  std::string err;
};

using arguments = std::vector<std::string>;

// `environment`: NAME=VALUE, added to the environment of the test. A run that fails is not repeated for its waves.
outcome gt200_run(const arguments& args, const arguments& environment = {});
// Path of the program; and the same for another copy of it.
std::string gt200_program();
outcome program_run(const std::string& program, const arguments& args, const arguments& environment = {});
// The same, but sends Ctrl-C or another signal as soon as `begun` returns true.
outcome gt200_run_interrupted(const arguments& args, const std::function<bool()>& begun, int signal = SIGINT);

// Expects exactly one line, "gt200: ...", on stderr.
testing::AssertionResult is_one_clear_line(const std::string& text);

inline std::string source_path(const std::string& below) { return GT200_SOURCE_DIR "/" + below; }

class cli_test : public testing::Test {
 protected:
  cli_test();
  ~cli_test() override;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // Writes a file below the folder of this test and returns its path.
  std::string file(const std::string& name, const std::string& content) const;
  // A folder with <name>.s and a launch.toml that starts its kernel "k" with one block of `threads` threads, one
  // argument (the buffer "out" with that many words) and the given expectation.
  std::string kernel(const std::string& name, const std::string& body, unsigned threads,
                     const std::string& expectation = "") const;
  static std::string content_of(const std::string& path);

 private:
  std::filesystem::path folder_;
};

}  // namespace gt200::cli
