// random_ptx check FIRST COUNT          compares the interpreter with -O0, -O2 and, for some programs, few
//                                       registers or compute capability 1.0, in the emulator
// random_ptx reduce NUMBER REGISTERS    prints the lines of a program that are needed for a difference
// random_ptx write FIRST COUNT FOLDER   writes FOLDER/<number>/{random.ptx, launch.toml}, to be run on the chip
//
// A further word sm_20 or sm_70 compiles for that target, and makes programs that use what it has.
#include <algorithm>
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

// One in four is also compiled for so few registers that most values are spilled, another one for capability 1.0.
constexpr std::uint64_t every_variant = 4;
constexpr unsigned few_registers = 12;

// Programs for sm_20 are those for sm_70, too.
unsigned language(unsigned capability) { return std::min(capability, 20u); }

bool check(std::uint64_t number, unsigned capability) {
  const expected_run expected = expect_random_program(number, language(capability));
  bool same = true;
  const auto compare = [&](const char* name, const compile_options& options) {
    const std::string what = difference(expected, options);
    if (what.empty()) return;
    std::cout << "program " << number << " " << name << ": " << what << "\n";
    same = false;
  };
  const bool is_tesla = capability < 20;
  compile_options base;
  base.capability = capability;
  compile_options options = base;
  compare("-O2", options);
  if (number % every_variant == 0) {
    options.max_registers = few_registers;
    compare("-O2 with few registers", options);
    options = base;
  }
  if (number % every_variant == 1 && is_tesla) {
    options.capability = 10;
    compare("-O2 for compute capability 1.0", options);
    options = base;
  }
  options.optimise = false;
  compare("-O0", options);
  return same;
}

bool differs(const random_program& program, std::uint64_t number, const compile_options& options) {
  try {
    const expected_run expected = expect_of(program, number);
    const std::string what = difference(expected, options);
    // Compares with other initial registers: the program must still not read anything it has not written.
    const bool fails =
        what.find("differ") != std::string::npos || what.find("in kernel 'random'") != std::string::npos;
    return fails && what == difference(expected, options, 6);
  } catch (const std::exception&) {
    return false;  // no valid program any more
  }
}

// Removes lines as long as the difference remains: many at once, then fewer.
void reduce(std::uint64_t number, unsigned max_registers, unsigned capability) {
  compile_options options;
  options.capability = capability;
  options.max_registers = max_registers;
  random_program program = make_random_program(number, language(capability));
  const auto lines = std::count(program.text.begin(), program.text.end(), '\n');
  for (auto chunk = lines / 2; chunk > 0;) {
    bool smaller = false;
    for (std::size_t at = 0; at < program.text.size();) {
      std::size_t end = at;
      for (auto k = chunk; k > 0 && end < program.text.size(); --k) end = program.text.find('\n', end) + 1;
      random_program shorter = program;
      shorter.text.erase(at, end - at);
      if (differs(shorter, number, options)) {
        program = shorter;
        smaller = true;
      } else {
        at = end;
      }
    }
    if (!smaller || chunk > 1) chunk /= 2;
  }
  std::cout << program.text;
}

void write(std::uint64_t number, const fs::path& folder, unsigned capability) {
  const expected_run expected = expect_random_program(number, language(capability));
  const fs::path own = folder / std::to_string(number);
  fs::create_directories(own);
  std::ofstream(own / "random.ptx") << expected.program.text;
  std::ofstream(own / "launch.toml") << expected.launch;
}

}  // namespace

int main(int count, char** words) {
  const std::string last_word = count > 1 ? words[count - 1] : "";
  const bool names_target = last_word == "sm_20" || last_word == "sm_70";
  const unsigned capability = names_target ? capability_of(last_word) : compile_options{}.capability;
  if (names_target) --count;
  const std::string what = count > 3 ? words[1] : "";
  const bool writes = what == "write" && count == 5;
  const bool reduces = what == "reduce" && count == 4;
  if (!writes && !reduces && !(what == "check" && count == 4)) {
    std::cerr << "usage: random_ptx check FIRST COUNT | reduce NUMBER REGISTERS | write FIRST COUNT FOLDER, then "
                 "perhaps sm_20 or sm_70\n";
    return 2;
  }
  const std::uint64_t first = std::strtoull(words[2], nullptr, 10);
  const std::uint64_t count_or_registers = std::strtoull(words[3], nullptr, 10);
  if (reduces) {
    reduce(first, static_cast<unsigned>(count_or_registers), capability);
    return 0;
  }
  const std::uint64_t last = first + count_or_registers;
  std::uint64_t different = 0;
  for (std::uint64_t number = first; number < last; ++number) {
    if (writes)
      write(number, words[4], capability);
    else
      different += check(number, capability) ? 0 : 1;
  }
  std::cout << last - first << " programs, " << different << " with a difference\n";
  return different == 0 ? 0 : 1;
}
