#include "testbenches/timing/microbenchmark.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"

namespace gt200::timing {
namespace {

unsigned warps_of(unsigned threads) { return (threads + 31) / 32; }

// The frame uses $r0-$r5 and $r127; lane 0 of each warp stores begin and end.
std::string program_of(const sequence& what) {
  std::string text =
      ".target sm_13\n.entry measure\n.param u32 out\n.shared words 8192\n"
      "  cvt u32 $r1 u16 $r0l\n"
      "  shr u32 $r2 $r1 0x5\n"  // warp number
      "  shl b32 $r2 $r2 0x3\n"
      "  add b32 $r2 b32 s[out] $r2\n";
  text += what.setup;
  text += "  mov b32 $r3 0x0\npass:\n  bar inc wait 0x0 0xfff\n  mov $r4 $clock\n";
  for (unsigned i = 0; i < what.operations; ++i)
    for (const std::string& line : what.body) text += "  " + line + "\n";
  text +=
      "  mov $r5 $clock\n"
      "  add b32 $r3 $r3 0x1\n"
      "  mov b32 $r0 0x2\n"
      "  set $c0 # l u32 $r3 $r0\n"
      "  (lg $c0) bra pass\n"
      "  st b32 g14[$r2] $r4\n"
      "  add b32 $r2 $r2 0x4\n"
      "  exit st b32 g14[$r2] $r5\n.end\n";
  return text;
}

std::string simulated(const config::gpu_config& config, const std::string& program, unsigned threads) {
  const auto done = support::run_assembly(config, program, 1, threads, 2 * warps_of(threads));
  if (done.result.reason != end_reason::done)
    throw std::runtime_error(std::string(name_of(done.result.reason)) + " " + done.result.explanation +
                             arch_state::describe(done.result.fault));
  std::string words;
  for (const std::uint32_t word : done.out) words += std::to_string(word) + " ";
  return words;
}

double span(const std::vector<window>& windows) {
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  for (const window& w : windows) {
    first = std::min(first, w.begin);
    last = std::max(last, w.end);
  }
  return static_cast<double>(last - first);
}

}  // namespace

std::vector<window> run(const config::gpu_config& config, const sequence& what, unsigned threads) {
  const std::string text = support::in_own_process([&] { return simulated(config, program_of(what), threads); });
  std::istringstream words(text);
  std::vector<window> result(warps_of(threads));
  for (window& w : result) {
    if (!(words >> w.begin >> w.end)) throw std::runtime_error("micro-benchmark: " + text);
    // $clock counts core cycles.
    w.begin *= config.tpc.sm.clocks.shader_per_core();
    w.end *= config.tpc.sm.clocks.shader_per_core();
  }
  return result;
}

double latency(const config::gpu_config& config, const sequence& what) {
  return span(run(config, what, 1)) / what.operations;
}

double cycles_per_operation(const config::gpu_config& config, const sequence& what, unsigned threads) {
  return span(run(config, what, threads)) / what.operations;
}

double throughput(const config::gpu_config& config, const sequence& what, unsigned threads) {
  return threads / cycles_per_operation(config, what, threads);
}

}  // namespace gt200::timing
