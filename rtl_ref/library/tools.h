// The programs that turn RTL into a library: Verilator and a C++ compiler.
#pragma once

#include <string>
#include <vector>

namespace gt200::rtl {

struct tool {
  std::string program;  // path
  std::string version;
};

// `verilator` on PATH. Asking it takes 0.1 s, so the answer is kept in `notes`, a folder that may be missing.
// Throws input_error if it is not there.
tool find_verilator(const std::string& notes);
// $CXX if set, else the first of c++, g++ and clang++ on PATH.
tool find_compiler();

// The first line that a program prints. Throws input_error if it fails.
std::string answer_of(const std::vector<std::string>& words);

// Runs a program until it ends, with what it prints in the file `log`. Returns its exit code; 128 + n after
// signal n. The program inherits open locks (cache.h).
int run(const std::vector<std::string>& words, const std::string& log);

}  // namespace gt200::rtl
