// Stresses the memory system of the whole chip for a long time: scripts/validate memory_stress. Every line is a
// simulation in a process of its own. The result goes to standard output as Markdown; the exit code says whether
// everything is right.
#include <fmt/format.h>

#include <sys/resource.h>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <systemc>

#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/memory/memory_programs.h"

namespace gt200::support {
namespace {

bool all_right = true;

double seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

// `simulate` returns what it has found, with "ok: " in front if that is right.
void line(const std::string& what, const std::function<std::string()>& simulate) {
  const double before = seconds_of_children();
  const std::string found = in_own_process(simulate);
  all_right = all_right && found.substr(0, 4) == "ok: ";
  std::cout << fmt::format("| {} | {} | {:.1f} |\n", what, found, seconds_of_children() - before) << std::flush;
}

void random_lines() {
  const auto measure = [](const std::vector<std::string>& overrides) {
    return [overrides] {
      const auto r = random_accesses(configuration("gt200", overrides), 120, 66);
      if (!r.trouble.empty()) return r.trouble;
      return fmt::format("ok: {} accesses of lanes, {} loads, {} stores, {} atomics, {} page table reads",
                         r.lane_accesses, r.loads, r.stores, r.atomics, r.page_table_reads);
    };
  };
  line("random accesses under stalls", measure({"simulation.stalls_per_1024=100"}));
  line("random accesses, 7 partitions, iSLIP, 64 KB pages, hashed, closed rows",
       measure({"chip.partitions=7", "interconnect.crossbar.arbitration=islip", "memory_map.page_bytes=65536",
                "partition.hash=fold", "partition.dram.page_policy=closed"}));
}

void atomic_lines() {
  constexpr unsigned blocks = 66, rounds = 60;  // x 128 threads x 2
  for (const atomic_kind& kind : atomic_kinds)
    for (const bool contended : {true, false})
      line(fmt::format("`{}` on {}", kind.name, contended ? "one cell" : "4096 cells"), [&] {
        const std::string trouble = atomic_totals(configuration("gt200"), kind, contended, blocks, rounds);
        return trouble.empty() ? fmt::format("ok: {} operations", blocks * 128 * 2 * rounds) : trouble;
      });
}

void litmus_lines() {
  struct expectation {
    const char* what;
    litmus_test test;
    unsigned distance;
    bool may_relax;
  };
  constexpr unsigned rounds = 2000;
  for (const expectation& e :
       {expectation{"message passing in a partition", litmus_test::message_passing, 64, false},
        expectation{"message passing across partitions", litmus_test::message_passing, 256, true},
        expectation{"the same after reading back", litmus_test::message_passing_after_reading_back, 256, false},
        expectation{"store buffering in a partition", litmus_test::store_buffering, 64, false},
        expectation{"store buffering across partitions", litmus_test::store_buffering, 256, true}})
    line(e.what, [e] {
      const auto r = litmus(configuration("gt200", litmus_overrides()), e.test, e.distance, rounds);
      if (!r.trouble.empty()) return r.trouble;
      const bool right = e.may_relax == (r.relaxed != 0);
      return fmt::format("{}{} of {} rounds out of program order", right ? "ok: " : "", r.relaxed, r.rounds);
    });
}

}  // namespace
}  // namespace gt200::support

int sc_main(int, char**) {
  using namespace gt200::support;
  const char* const commit = std::getenv("GT200_COMMIT");
  std::cout << "# The memory system under strain\n\n`scripts/validate memory_stress`, commit "
            << (commit != nullptr ? commit : "unknown")
            << ", preset gt200. What is expected is said in `testbenches/system/memory/memory_programs.h`.\n\n"
            << "| what | found | CPU s |\n|---|---|---|\n";
  random_lines();
  litmus_lines();
  atomic_lines();
  return all_right ? 0 : 1;
}
