// Random traffic over the memory boundaries of the model: scripts/validate base_protocol. Every line is a
// simulation in a process of its own. The result goes to standard output as Markdown; the exit code says whether
// there is no violation. Argument: transactions in all.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <systemc>

#include "testbenches/subsystem/memory/protocol_traffic.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/memory/memory_programs.h"

namespace gt200::support {
namespace {

// "ok: N", or what is wrong.
std::string text_of(const std::string& trouble, std::uint64_t transactions) {
  return trouble.empty() ? fmt::format("ok: {}", transactions) : trouble;
}

// Adds a line of the table. Returns the transactions of a simulation that has found nothing, otherwise 0.
std::uint64_t line(const std::string& what, const std::function<std::string()>& simulate) {
  const std::string found = in_own_process(simulate);
  const bool ok = found.compare(0, 4, "ok: ") == 0;
  std::cout << fmt::format("| {} | {} |\n", what, ok ? found.substr(4) : "VIOLATION: " + found) << std::flush;
  return ok ? std::strtoull(found.c_str() + 4, nullptr, 10) : 0;
}

int run(std::uint64_t wanted) {
  std::uint64_t sum = 0;
  bool right = true;
  const auto add = [&](std::uint64_t transactions) {
    sum += transactions;
    right = right && transactions != 0;
  };
  std::cout << "| boundary, seed | transactions at watched ports |\n|---|---|\n";
  for (const char* stalls : {"0", "100"})
    add(line(fmt::format("every port of a `gt200` that runs random accesses, stalls {}/1024", stalls), [&] {
      const auto r =
          random_accesses(configuration("gt200", {std::string("simulation.stalls_per_1024=") + stalls}), 60, 33);
      return text_of(r.trouble, r.port_transactions);
    }));
  std::uint64_t seed = 0;
  while (right && sum < wanted) {
    ++seed;
    for (const boundary& b : boundaries())
      add(line(fmt::format("`{}`, {}", b.name, seed), [&] {
        constexpr std::uint64_t transactions = 300'000;
        const traffic_result r = b.run(transactions, seed);
        return text_of(r.trouble, r.transactions);
      }));
  }
  std::cout << fmt::format("\n{} transactions, {}.\n\n", sum, right ? "0 violations" : "VIOLATIONS")
            << (right ? "Verdict: passed.\n" : "Verdict: FAILED.\n");
  return right ? 0 : 1;
}

}  // namespace
}  // namespace gt200::support

int sc_main(int count, char** words) {
  return gt200::support::run(count > 1 ? std::strtoull(words[1], nullptr, 10) : 10'000'000);
}
