#include "testbenches/timing/memory_figures.h"

#include <fmt/format.h>

#include <iterator>

#include "testbenches/timing/kernel_rate.h"
#include "testbenches/timing/memory_chase.h"

namespace gt200::timing {
namespace {

using config::gpu_config;
using validation::figure;
using validation::figure_set;
using validation::relation;

constexpr std::uint32_t kilo = 1024;
constexpr std::uint32_t mega = 1024 * kilo;

const char* const wong = "Wong et al., ISPASS 2010";
const char* const transposes = "Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2010";

using hop = double (*)(const gpu_config&, const chase&);

figure latency(const std::string& id, const std::string& what, double published, double tolerance, hop measure,
               const chase& array) {
  return {id,
          what + ", shader cycles per hop",
          published,
          tolerance,
          relation::within,
          wong,
          {},
          [=](const gpu_config& c) { return measure(c, array); }};
}

// The largest array, in steps of a line, whose chase takes as long as that of a smaller array that fits. Searches
// from 4 steps below the published size to 4 above.
double knee(double flat, std::uint32_t published, std::uint32_t step,
            const std::function<double(std::uint32_t)>& cycles_at) {
  constexpr double rise = 1.005;
  std::uint32_t bytes = published - 4 * step;
  while (bytes <= published + 4 * step && cycles_at(bytes) <= rise * flat) bytes += step;
  return bytes - step;
}

figure capacity(const std::string& id, const std::string& what, hop measure, std::uint32_t published,
                std::uint32_t step, std::uint32_t stride) {
  return {id,
          what + ", bytes",
          double(published),
          0,
          relation::within,
          wong,
          {},
          [=](const gpu_config& c) {
            const double flat = measure(c, {published / 8 * 7, stride});
            return knee(flat, published, step, [&](std::uint32_t bytes) { return measure(c, {bytes, stride}); });
          },
          false};
}

void add_global(std::vector<figure>& to) {
  for (const chase& array : {chase{kilo, 4}, chase{kilo, 64}, chase{kilo, 256}, chase{64 * kilo, 2048},
                             chase{mega, 4096}, chase{4 * mega, 65536}, chase{8 * mega, 512 * kilo}})
    to.push_back(latency(fmt::format("global_latency_stride_{}", array.stride),
                         fmt::format("global memory, array of {} bytes", array.bytes), 440, 8.8, global_hop,
                         array));
  to.push_back(latency("tlb_16_entries", "16 elements 1 MB apart: first level of the TLB", 440, 8.8, global_hop,
                       {16 * mega, mega}));
  to.push_back(latency("tlb_17_entries", "17 elements 1 MB apart: second level of the TLB", 487, 24.4, global_hop,
                       {17 * mega, mega}));
  to.push_back({"tlb_reach",
                "largest array whose chase in steps of 512 KB stays in the first level of the TLB, bytes",
                8.0 * mega,
                0,
                relation::within,
                wong,
                {},
                [](const gpu_config& c) {
                  return knee(440, 8 * mega, 512 * kilo, [&](std::uint32_t bytes) {
                    return global_hop(c, {bytes, 512 * kilo});
                  });
                },
                false});
  to.push_back(latency("tlb_beyond_l2", "64 MB in steps of 512 KB: walks of the page table (650 to 820)", 735, 85,
                       global_hop, {64 * mega, 512 * kilo}));
}

void add_texture(std::vector<figure>& to) {
  to.push_back(latency("texture_l1_latency", "tex1Dfetch, L1 hits", 261, 7.8, texture_hop, {5 * kilo, 32}));
  to.push_back(latency("texture_l2_latency", "tex1Dfetch, L2 hits", 371, 11.1, texture_hop, {64 * kilo, 32}));
  to.push_back(latency("texture_dram_latency", "tex1Dfetch, from DRAM", 500, 15, texture_hop, {512 * kilo, 256}));
  to.push_back(
      capacity("texture_l1_capacity", "largest array the L1 texture cache serves", texture_hop, 5 * kilo, 32, 32));
  to.push_back(capacity("texture_l2_capacity", "largest array the L2 texture caches serve", texture_hop, 256 * kilo,
                        2 * kilo, 256));
}

void add_constants(std::vector<figure>& to) {
  to.push_back(
      latency("constant_l1_latency", "c[] read and shift into $a, L1 hits", 56, 2.8, constant_hop, {2 * kilo, 64}));
  to.push_back(latency("constant_l2_latency", "c[] read and shift into $a, L2 hits", 129, 6.4, constant_hop,
                       {8 * kilo, 64}));
  to.push_back(latency("constant_l3_latency", "c[] read and shift into $a, L3 hits", 268, 13.4, constant_hop,
                       {32 * kilo, 64}));
  to.push_back(latency("constant_dram_latency", "c[] read and shift into $a, from DRAM", 524, 26.2, constant_hop,
                       {64 * kilo, 256}));
  to.push_back(capacity("constant_l1_capacity", "largest array the L1 constant cache serves", constant_hop,
                        2 * kilo, 64, 64));
  to.push_back(capacity("constant_l2_capacity", "largest array the L2 constant cache serves", constant_hop,
                        8 * kilo, 64, 64));
  to.push_back(capacity("constant_l3_capacity", "largest array the L3 constant cache serves", constant_hop,
                        32 * kilo, 256, 256));
  to.push_back({"constant_distinct_addresses",
                "added time of 16 distinct addresses per half-warp, of that of 2: time grows with their number",
                15,
                0.3,
                relation::within,
                "CUDA C Programming Guide 5.5: one request per distinct address",
                {},
                [](const gpu_config& c) {
                  const double one = distinct_constants(c, 1);
                  return (distinct_constants(c, 16) - one) / (distinct_constants(c, 2) - one);
                }});
}

void add_instructions(std::vector<figure>& to) {
  const hop measure = [](const gpu_config& c, const chase& code) { return instruction_hop(c, code.bytes); };
  for (const std::uint32_t bytes : {4 * kilo, 8 * kilo, 32 * kilo})
    to.push_back(capacity(fmt::format("instruction_cache_{}_kb", bytes / kilo),
                          "largest loop a level of the instruction caches serves", measure, bytes, 256, 8));
}

// -- whole kernels --

constexpr double words = 4 * mega;  // of the copies and transposes
constexpr double moved_bytes = 2 * 4 * words;

// As the authors computed it: bytes read and written per launch time, over repeated launches, in units of 2^30.
double transpose_rate(const gpu_config& c, const std::string& kernel) {
  return moved_bytes / launch_seconds(c, "transpose/" + kernel + ".toml").front() / (1024.0 * mega);
}

figure transpose(const std::string& id, const std::string& kernel, double published, double tolerance) {
  return {"transpose_" + id,
          "2048 x 2048 floats, tiles of 32 x 32: " + id + ", GiB/s",
          published,
          tolerance * published,
          relation::within,
          transposes,
          {},
          [=](const gpu_config& c) { return transpose_rate(c, kernel); },
          false};
}

void add_kernels(std::vector<figure>& to) {
  to.push_back({"streaming_copy",
                "copy of 16 MB, GB/s read and written (115 to 120)",
                117.5,
                8.4,
                relation::within,
                "bandwidth test of the CUDA SDK, device to device, GTX 280",
                {},
                [](const gpu_config& c) { return moved_bytes / launch_seconds(c, "copy").front() * 1e-9; },
                false});
  to.push_back(transpose("copy", "copy", 96.9, 0.1));
  to.push_back(transpose("copy_shared", "copy_shared", 80.9, 0.1));
  to.push_back(transpose("naive", "naive", 2.2, 0.2));
  to.push_back(transpose("coalesced", "coalesced", 16.5, 0.1));
  to.push_back(transpose("conflict_free", "launch", 16.6, 0.1));
  to.push_back(transpose("fine_grained", "fine_grained", 80.4, 0.1));
  to.push_back(transpose("coarse_grained", "coarse_grained", 16.7, 0.1));
  to.push_back(transpose("diagonal", "diagonal", 69.5, 0.1));
  to.push_back({"partition_camping",
                "rate of the conflict-free transpose, of the diagonal one",
                0.24,
                0.04,
                relation::within,
                transposes,
                {},
                [](const gpu_config& c) { return transpose_rate(c, "launch") / transpose_rate(c, "diagonal"); },
                false});
}

// -- reductions --

// What the source's times hold beside the chip's and that of two launches: its two sizes of version 7, 0.268 ms for
// 2^22 integers and 73 GB/s for 2^25, leave 44 us for both, and a launch has 5.
constexpr double until_host_has_sum_ms = 0.034;

// Milliseconds of all passes of version `number`, including the host's overhead per launch and at the end.
double reduction_time(const gpu_config& c, unsigned number) {
  const std::string what = fmt::format("reduction/nvcc_reduce{}.toml", number);
  double milliseconds = until_host_has_sum_ms;
  for (const double seconds : launch_seconds(c, what))
    milliseconds += 1e3 * seconds + 1e-6 * c.host.launch_overhead_ns;
  return milliseconds;
}

void add_reductions(std::vector<figure>& to) {
  constexpr double published[] = {8.054, 3.456, 1.722, 0.965, 0.536, 0.381, 0.268};
  for (unsigned i = 0; i < std::size(published); ++i)
    to.push_back({fmt::format("reduction_{}", i + 1),
                  fmt::format("sum of 2^22 integers, version {}, all passes, ms", i + 1),
                  published[i],
                  0.15 * published[i],
                  relation::within,
                  "Harris, Optimizing Parallel Reduction in CUDA, 2007 (8800 GTX)",
                  {},
                  [=](const gpu_config& c) { return reduction_time(c, i + 1); },
                  false});
}

// Everything between an SM and the DRAM.
std::vector<std::string> keys_of_the_path() {
  return {"chip.", "clocks.",       "tpc.memory.", "tpc.texture.", "tpc.l2.",
          "l3.",   "interconnect.", "partition.",  "memory_map.",  "idealisations."};
}

}  // namespace

figure_set memory_figures() {
  figure_set set;
  set.name = "memory";
  set.title = "Latencies and capacities of the memory system";
  set.preset = "gt200";
  set.keys = keys_of_the_path();
  set.keys.insert(set.keys.end(), {"tpc.sm.constant_cache.", "tpc.sm.icache.", "tpc.sm.memory_port."});
  add_global(set.figures);
  add_texture(set.figures);
  add_constants(set.figures);
  add_instructions(set.figures);
  return set;
}

figure_set bandwidth_figures() {
  figure_set set;
  set.name = "bandwidth";
  set.title = "Rates of whole kernels that the memory system limits";
  set.preset = "gt200";
  set.keys = keys_of_the_path();
  set.keys.insert(set.keys.end(),
                  {"distribution.", "tpc.sm.limits.", "tpc.sm.memory_port.", "tpc.sm.shared_memory."});
  add_kernels(set.figures);
  return set;
}

figure_set reduction_figures() {
  figure_set set;
  set.name = "reduction";
  set.title = "Times of the seven reductions on the 8800 GTX";
  set.preset = "g80";
  set.keys = keys_of_the_path();
  set.keys.insert(set.keys.end(),
                  {"host.launch_overhead_ns", "distribution.", "tpc.sm.limits.", "tpc.sm.memory_port.",
                   "tpc.sm.shared_memory.", "tpc.sm.barrier.", "tpc.sm.sp.", "tpc.sm.sfu.", "tpc.sm.issue."});
  add_reductions(set.figures);
  return set;
}

}  // namespace gt200::timing
