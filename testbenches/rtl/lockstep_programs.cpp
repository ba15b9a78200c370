// lockstep_programs FIRST COUNT: random programs on the whole chip with every SM in lockstep, checked by the
// emulator. Each seed uses the next of five scoreboard sizes, lrr or gto, entries taken with the look-up or at
// issue, and the other coalescing rule.
//
// Writes one line each, with fields separated by tabs: seed, warps x entries and when they are taken, policy, "ok"
// or the first line of the difference, warp instructions, SMs in which answers were compared, answers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "rtl_ref/scoreboard/pins.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/checked/checked_device.h"
#include "testbenches/system/checked/random_program.h"

namespace gt200::support {
namespace {

constexpr unsigned chip_sms = 30;
constexpr rtl::scoreboard_size sizes[] = {{32, 6}, {32, 4}, {32, 3}, {24, 6}, {64, 8}};

std::vector<std::string> overrides_of(const rtl::scoreboard_size& size, const char* policy, const char* allocate,
                                      const char* rule) {
  const std::string warps = std::to_string(size.warps);
  return {"tpc.sm.scoreboard.model=lockstep",
          "tpc.sm.scoreboard.allocate=" + std::string(allocate),
          "tpc.sm.scheduler.model=lockstep",
          "tpc.memory.coalescer.model=lockstep",
          "tpc.memory.coalescer.rule=" + std::string(rule),
          "tpc.sm.scheduler.policy=" + std::string(policy),
          "tpc.sm.limits.warps=" + warps,
          "tpc.sm.limits.threads=" + std::to_string(std::min(size.warps * isa::warp_size, 1024u)),
          "tpc.sm.scoreboard.entries_per_warp=" + std::to_string(size.entries)};
}

void run(std::uint64_t seed) {
  const rtl::scoreboard_size size = sizes[seed % std::size(sizes)];
  const char* const policy = seed / std::size(sizes) % 2 == 0 ? "lrr" : "gto";
  const char* const allocate = seed / (2 * std::size(sizes)) % 2 == 0 ? "with_lookup" : "at_issue";
  const std::string result = in_own_process([&] {
    random_program p = make_random_program(seed);
    // Work for every SM, as far as the output buffer allows.
    p.blocks = std::max(p.blocks,
                        std::min(chip_sms, checked_device::buffer_words * 4 / (random_output_bytes * p.threads)));
    const front_end_outcome o =
        run_checked(p, overrides_of(size, policy, allocate, seed % 2 == 0 ? "1.2" : "1.0"), "gt200");
    return (o.error.empty() ? "ok" : o.error.substr(0, o.error.find('\n'))) + "\t" +
           std::to_string(o.instructions) + "\t" + std::to_string(o.rtl_sms) + "\t" + std::to_string(o.answers);
  });
  std::printf("%s\t%ux%u %s\t%s\t%s\n", std::to_string(seed).c_str(), size.warps, size.entries, allocate, policy,
              result.c_str());
  std::fflush(stdout);
}

}  // namespace
}  // namespace gt200::support

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: lockstep_programs FIRST COUNT\n", stderr);
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10);
  for (std::uint64_t n = 0; n < std::strtoull(argv[2], nullptr, 10); ++n) gt200::support::run(first + n);
  return 0;
}
