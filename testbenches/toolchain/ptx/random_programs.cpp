// random_ptx check FIRST COUNT          interpreter against -O0 and -O2 in the emulator
// random_ptx reduce NUMBER 1            the lines of a program that a difference needs
// random_ptx write FIRST COUNT FOLDER   FOLDER/<number>/{random.ptx, launch.toml}, to be run on the chip
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "testbenches/toolchain/ptx/random_run.h"

namespace {

namespace fs = std::filesystem;
using namespace gt200::ptx;

bool check(std::uint64_t number) {
  const expected_run expected = expect_random_program(number);
  bool same = true;
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.optimise = optimise;
    const std::string what = difference(expected, options);
    if (what.empty()) continue;
    std::cout << "program " << number << (optimise ? " -O2: " : " -O0: ") << what << "\n";
    same = false;
  }
  return same;
}

bool differs(const random_program& program, std::uint64_t number) {
  try {
    const expected_run expected = expect_of(program, number);
    const std::string what = difference(expected, {});
    // The same whatever registers held before: the program still reads nothing it has not written.
    return what.find("differ") != std::string::npos && what == difference(expected, {}, 6);
  } catch (const std::exception&) {
    return false;  // no program any more
  }
}

// Leaves out one line after the other as long as the difference stays.
void reduce(std::uint64_t number) {
  random_program program = make_random_program(number);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t at = 0; at < program.text.size();) {
      const std::size_t end = program.text.find('\n', at) + 1;
      random_program shorter = program;
      shorter.text.erase(at, end - at);
      if (differs(shorter, number)) {
        program = shorter;
        smaller = true;
      } else {
        at = end;
      }
    }
  }
  std::cout << program.text;
}

void write(std::uint64_t number, const fs::path& folder) {
  const expected_run expected = expect_random_program(number);
  const fs::path own = folder / std::to_string(number);
  fs::create_directories(own);
  std::ofstream(own / "random.ptx") << expected.program.text;
  std::ofstream(own / "launch.toml") << expected.launch;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 3 ? words[1] : "";
  const bool writes = what == "write" && count == 5;
  const bool reduces = what == "reduce" && count == 4;
  if (!writes && !reduces && !(what == "check" && count == 4)) {
    std::cerr << "usage: random_ptx check FIRST COUNT | reduce NUMBER 1 | write FIRST COUNT FOLDER\n";
    return 2;
  }
  const std::uint64_t first = std::strtoull(words[2], nullptr, 10);
  const std::uint64_t last = first + std::strtoull(words[3], nullptr, 10);
  if (reduces) {
    reduce(first);
    return 0;
  }
  std::uint64_t different = 0;
  for (std::uint64_t number = first; number < last; ++number) {
    if (writes)
      write(number, words[4]);
    else
      different += check(number) ? 0 : 1;
  }
  std::cout << last - first << " programs, " << different << " with a difference\n";
  return different == 0 ? 0 : 1;
}
