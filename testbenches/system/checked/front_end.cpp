// Runs random programs, each under one combination of front-end options, or the directed ones under all.
//   front_end random FIRST COUNT   seeds from FIRST on
//   front_end directed PART PARTS  every PARTS-th run
//   front_end program SEED         prints the program of a seed
//   front_end with SEED KEY=VALUE...  runs it with these overrides and prints "ok" or the error
// Writes lines with fields separated by tabs:
//   program <seed> <kind> <combination> <"ok" or the error> <warps> <warp instructions> <cycles>
//   directed <name> <combination> <"ok" or the error>
//   pairs <covered> <of>           by the combinations of all seeds up to the last one
//   row ..., bin ...               see front_end_coverage.h
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "testbenches/support/own_process.h"
#include "testbenches/system/checked/directed_programs.h"
#include "testbenches/system/checked/front_end_run.h"
#include "testbenches/system/checked/random_program.h"

namespace gt200::support {
namespace {

std::string in_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\t') c = ' ';
  return text;
}

std::string status(const front_end_outcome& o) { return o.error.empty() ? "ok" : in_one_line(o.error); }

void run_random(std::uint64_t first, std::uint64_t count) {
  const auto combinations = front_end_combinations(first + count);
  const auto [covered, pairs] = covered_pairs(combinations);
  std::printf("pairs\t%zu\t%zu\n%s", covered, pairs, describe_instruction_set().c_str());
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const random_program p = make_random_program(seed);
    const std::string result = in_own_process([&] {
      const front_end_outcome o = run_checked(p, combinations[seed]);
      return status(o) + "\t" + std::to_string((p.threads + 31) / 32 * p.blocks) + "\t" +
             std::to_string(o.instructions) + "\t" + std::to_string(o.cycles) + "\n" + describe(o.bins);
    });
    const bool complete = !result.empty() && result.back() == '\n';
    std::printf("program\t%s\t%s\t%s\t%s", std::to_string(seed).c_str(), name_of(p.kind),
                combinations[seed].text().c_str(),
                complete ? result.c_str() : (in_one_line(result) + "\t0\t0\t0\n").c_str());
    std::fflush(stdout);
  }
}

void run_directed(std::uint64_t part, std::uint64_t parts) {
  std::uint64_t n = 0;
  for (const front_end_combination& c : all_policies_mechanisms_and_clockings())
    for (const directed_program& p : directed_programs()) {
      if (n++ % parts != part) continue;
      const std::string result = in_own_process([&] { return status(run_checked(p.program, c)); });
      std::printf("directed\t%s\t%s\t%s\n", p.name, c.text().c_str(), in_one_line(result).c_str());
    }
}

bool run_with(std::uint64_t seed, const std::vector<std::string>& overrides) {
  const std::string result = status(run_checked(make_random_program(seed), overrides));
  std::printf("%s\n", result.c_str());
  return result == "ok";
}

}  // namespace
}  // namespace gt200::support

int main(int argc, char** argv) {
  using namespace gt200::support;
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int n) { return std::strtoull(argv[n], nullptr, 10); };
  if (what == "program" && argc == 3) {
    std::fputs(make_random_program(number(2)).text.c_str(), stdout);
  } else if (what == "with" && argc >= 3) {
    return run_with(number(2), std::vector<std::string>(argv + 3, argv + argc)) ? 0 : 1;
  } else if (what == "random" && argc == 4) {
    run_random(number(2), number(3));
  } else if (what == "directed" && argc == 4 && number(3) != 0) {
    run_directed(number(2), number(3));
  } else {
    std::fputs(
        "usage: front_end random FIRST COUNT | directed PART PARTS | program SEED | with SEED KEY=VALUE...\n",
        stderr);
    return 2;
  }
  return 0;
}
