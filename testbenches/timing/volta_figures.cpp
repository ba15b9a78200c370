#include "testbenches/timing/volta_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbenches/timing/volta_chains.h"
#include "testbenches/timing/volta_launch.h"

namespace gt200::timing {
namespace {

using config::gpu_config;
using validation::figure;
using validation::relation;

constexpr std::uint64_t megabyte = 1u << 20;
constexpr double sms_of_a_v100 = 80;

double seconds_of(const gpu_config& c, double core_cycles) { return core_cycles / (c.clocks.shader_mhz / 2 * 1e6); }

// -- latencies, in core cycles --

std::string chain_program(const std::string& body, const std::string& directives = "") {
  return ".target sm_70\n.entry chain\n.param b64 out\n" + directives +
         "  [B------:R-:W-:-:S08] MOV R2, c[0x0][out]\n  [B------:R-:W-:-:S08] MOV R3, c[0x0][out+4]\n" + body +
         "  [B------:R-:W-:-:S05] EXIT\n.end\n";
}

// Of a round, from the difference of two numbers of rounds.
double cycles_of_a_round(const gpu_config& c, const std::function<std::string(unsigned)>& program, unsigned rounds,
                         std::uint64_t bytes) {
  const auto cycles = [&](unsigned n) {
    return apart([&] {
      volta_bench b(c, program(n));
      const std::uint32_t data = b.allocate(bytes);
      b.bind_texture(data, static_cast<std::uint32_t>(bytes / 4));
      return static_cast<double>(b.run(1, 1, {data}));
    });
  };
  return (cycles(rounds) - cycles(rounds / 2)) / (rounds - rounds / 2);
}

double load_latency(const gpu_config& c, const std::string& load, std::uint32_t stride, unsigned rounds) {
  const auto program = [&](unsigned n) { return chain_program(load_chain(load, stride, n)); };
  return load_latency_of(
      cycles_of_a_round(c, program, rounds, std::uint64_t{rounds + 1} * chain_links * stride + 256));
}

double shared_latency(const gpu_config& c) {
  const auto program = [](unsigned n) { return chain_program(shared_chain(n), ".shared cell 64\n"); };
  return cycles_of_a_round(c, program, 40, 256) / chain_links;
}

double texture_latency(const gpu_config& c) {
  const auto program = [](unsigned n) { return chain_program(texture_chain(n), ".literal texture u32 0\n"); };
  return cycles_of_a_round(c, program, 20, 256) / chain_links;
}

// The shortest stall with which a chain of the operation gives the right result.
double arithmetic_latency(const gpu_config& c, const std::string& operation, unsigned word, std::uint32_t right,
                          const std::string& reader = "") {
  constexpr unsigned longest_stall = 11;
  for (unsigned stall = 1; stall <= longest_stall; ++stall) {
    const double found = apart([&] {
      volta_bench b(c, arithmetic_chain(operation, stall, reader));
      const std::uint32_t out = b.allocate(256);
      b.run(1, 32, {out});
      return static_cast<double>(b.word_at(out + 4 * word));
    });
    if (found == static_cast<double>(right)) return stall;
  }
  throw std::runtime_error(operation + " has no result in time");
}

// -- caches, in GB/s --

// As gpu-cache: one block of 512 threads per SM reads the first `bytes` of a buffer again and again, 4 bytes a
// load; 64 loads follow each other without a branch. A round of the program reads them `rounds_of(bytes)` times.
constexpr unsigned unrolled = 64;
constexpr unsigned reading_threads = 512;
constexpr unsigned loads_of(unsigned bytes) { return bytes / (4 * reading_threads); }
constexpr unsigned rounds_of(unsigned bytes) { return std::max(1u, unrolled / loads_of(bytes)); }

std::string repeated_reads(unsigned bytes) {
  constexpr unsigned threads = reading_threads;
  const unsigned loads = loads_of(bytes);
  std::string text =
      ".version 6.0\n.target sm_70\n.address_size 64\n.entry bench (.param .u64 data, .param .u64 rounds)\n{\n"
      ".reg .u64 %base, %at, %t;\n.reg .u32 %thread, %n, %rounds;\n.reg .f32 %v<64>, %sum;\n.reg .pred %more;\n"
      "ld.param.u64 %base, [data];\nld.param.u32 %rounds, [rounds];\nmov.u32 %thread, %tid.x;\n"
      "mul.wide.u32 %t, %thread, 4;\nadd.u64 %base, %base, %t;\nmov.f32 %sum, 0f00000000;\n"
      "ROUND:\nmov.u64 %at, %base;\n";
  text += fmt::format("mov.u32 %n, {};\nAGAIN:\n", std::max(1u, loads / unrolled));
  for (unsigned k = 0; k < unrolled; ++k)
    text += fmt::format("ld.global.f32 %v{}, [%at+{}];\n", k, 4 * threads * (k % loads));
  for (unsigned k = 0; k + 1 < unrolled; k += 2)
    text += fmt::format("fma.rn.f32 %sum, %v{}, %v{}, %sum;\n", k, k + 1);
  text += fmt::format("add.u64 %at, %at, {};\n", 4 * threads * unrolled);
  return text +
         "sub.u32 %n, %n, 1;\nsetp.ne.u32 %more, %n, 0;\n@%more bra AGAIN;\n"
         "sub.u32 %rounds, %rounds, 1;\nsetp.ne.u32 %more, %rounds, 0;\n@%more bra ROUND;\n"
         "setp.eq.f32 %more, %sum, 0f449A2000;\n@%more st.global.f32 [%base], %sum;\nexit;\n}\n";
}

// Of `sms` SMs, from the difference of two numbers of rounds on the SMs of this chip.
double cache_rate(const gpu_config& c, unsigned bytes, unsigned rounds, double sms) {
  const auto cycles = [&](unsigned n) {
    return apart([&] {
      volta_bench b(c, repeated_reads(bytes));
      const std::uint32_t data = b.allocate(bytes);
      return static_cast<double>(b.run(c.chip.sms(), 512, {data, n}));
    });
  };
  const double seconds = seconds_of(c, cycles(3 * rounds) - cycles(rounds));
  return 1e-9 * sms * bytes * rounds_of(bytes) * 2 * rounds / seconds;
}

// -- streams, in GB/s --

// As gpu-stream: a thread handles one double of each array. A is written, B, C and D are read.
struct stream {
  const char* name;
  const char* body;  // with the addresses %a to %d
  unsigned arrays;   // that count in the rate
};
constexpr stream streams[] = {
    {"init", "mov.f64 %x, 0d3FCD70A3D70A3D71;\nst.global.f64 [%a], %x;\n", 1},
    {"read", "ld.global.f64 %x, [%b];\nsetp.eq.f64 %p, %x, 0d405EC00000000000;\n@%p st.global.f64 [%a], %x;\n", 1},
    {"scale", "ld.global.f64 %x, [%b];\nmul.f64 %x, %x, 0d3FF3333333333333;\nst.global.f64 [%a], %x;\n", 2},
    {"triad",
     "ld.global.f64 %x, [%b];\nld.global.f64 %y, [%d];\nld.global.f64 %z, [%c];\nfma.rn.f64 %x, %x, %y, %z;\n"
     "st.global.f64 [%a], %x;\n",
     4}};

std::string program_of(const stream& s) {
  return std::string(
             ".version 6.0\n.target sm_70\n.address_size 64\n"
             ".entry bench (.param .u64 A, .param .u64 B, .param .u64 C, .param .u64 D, .param .u64 count)\n{\n"
             ".reg .u64 %a, %b, %c, %d, %t, %n, %i;\n.reg .u32 %thread, %block, %size;\n.reg .f64 %x, %y, %z;\n"
             ".reg .pred %p;\n"
             "ld.param.u64 %a, [A];\nld.param.u64 %b, [B];\nld.param.u64 %c, [C];\nld.param.u64 %d, [D];\n"
             "ld.param.u64 %n, [count];\nmov.u32 %thread, %tid.x;\nmov.u32 %block, %ctaid.x;\nmov.u32 %size, "
             "%ntid.x;\n"
             "mad.lo.u32 %thread, %block, %size, %thread;\ncvt.u64.u32 %i, %thread;\nsetp.ge.u64 %p, %i, %n;\n"
             "@%p exit;\nshl.b64 %t, %i, 3;\nadd.u64 %a, %a, %t;\nadd.u64 %b, %b, %t;\nadd.u64 %c, %c, %t;\n"
             "add.u64 %d, %d, %t;\n") +
         s.body + "exit;\n}\n";
}

// The rate in the middle of a long stream: of `blocks` in addition to `first`, behind a stream that has filled the
// L2.
double stream_rate(const gpu_config& c, const stream& s, unsigned threads, std::uint32_t first,
                   std::uint32_t blocks, std::uint32_t dynamic_shared) {
  return apart([&] {
    volta_bench b(c, program_of(s));
    const std::uint32_t warm = first;
    const std::uint64_t elements = std::uint64_t{threads} * (warm + first + first + blocks);
    std::vector<std::uint32_t> arrays;
    for (unsigned k = 0; k < 4; ++k) arrays.push_back(b.allocate(8 * elements));
    std::uint64_t at = 0;
    const auto cycles = [&](std::uint32_t n) {
      const std::uint64_t own = std::uint64_t{n} * threads;
      std::vector<std::uint64_t> parameters;
      for (const std::uint32_t array : arrays) parameters.push_back(array + 8 * at);
      parameters.push_back(own);
      at += own;
      return static_cast<double>(b.run(n, threads, parameters, dynamic_shared));
    };
    cycles(warm);
    const double shorter = cycles(first);
    const double seconds = seconds_of(c, cycles(first + blocks) - shorter);
    return 1e-9 * 8 * s.arrays * static_cast<double>(blocks) * threads / seconds;
  });
}

double full_stream_rate(const gpu_config& c, const stream& s) {
  constexpr std::uint32_t threads = 1024;
  constexpr std::uint32_t block_bytes = 8 * threads;
  return stream_rate(c, s, threads, 12 * megabyte / block_bytes, 64 * megabyte / block_bytes, 32 * 1024);
}

// One block of 16 threads per SM: its shared memory leaves no room for another one.
double thin_stream_rate(const gpu_config& c, const stream& s) {
  return stream_rate(c, s, 16, 20 * c.chip.sms(), 60 * c.chip.sms(), 64 * 1024);
}

}  // namespace

validation::figure_set volta_figures() {
  const char* const latencies = "RRZE-HPC/gpu-benches, gpu-latency, V100 PCIe";
  const char* const caches = "RRZE-HPC/gpu-benches, gpu-cache/v100.txt";
  const char* const stream_file = "RRZE-HPC/gpu-benches, gpu-stream/v100.txt";
  const char* const jia = "Jia et al. 2018";
  validation::figure_set set;
  set.name = "volta";
  set.title = "A Tesla V100";
  set.preset = "v100";
  set.keys = {"chip.",
              "clocks.",
              "distribution.",
              "tpc.sm.dependencies",
              "tpc.sm.limits.",
              "tpc.sm.fetch.",
              "tpc.sm.icache.",
              "tpc.sm.processing_block.",
              "tpc.sm.shared_memory.",
              "tpc.sm.memory_port.",
              "tpc.memory.",
              "tpc.texture.",
              "interconnect.",
              "partition.",
              "memory_map.",
              "idealisations."};
  const auto add = [&](const std::string& id, const std::string& what, double published, const std::string& source,
                       std::function<double(const gpu_config&)> measure, bool quick) -> figure& {
    set.figures.push_back(
        {id, what, published, 0.1 * published, relation::within, source, {}, std::move(measure), quick});
    return set.figures.back();
  };
  add(
      "l1_latency", "load that hits in the L1: core cycles", 28, latencies,
      [](const gpu_config& c) { return load_latency(c, "LDG.E.SYS", 0, 20); }, false);
  add(
      "l2_latency", "load that hits in the L2: core cycles", 212, latencies,
      [](const gpu_config& c) { return load_latency(c, "LDG.E.STRONG.GPU", 0, 20); }, false);
  add(
      "dram_latency", "load from the DRAM: core cycles", 425, latencies,
      [](const gpu_config& c) { return load_latency(c, "LDG.E.SYS", 512, 40); }, false);
  add("shared_latency", "load of shared memory: core cycles", 19, jia, shared_latency, false);
  add("texture_latency", "texture fetch that hits: core cycles", 65, "mt4g, report of a V100 PCIe", texture_latency,
      false);
  // 40 times 1 added to 0.
  add(
      "ffma_latency", "FFMA until one that needs it may issue: core cycles", 4, jia,
      [](const gpu_config& c) { return arithmetic_latency(c, "FFMA R8, R8, R6, R6", 0, 0x42200000); }, false);
  // The vendor's code for sm_70 has 4 cycles from IMAD to IMAD.WIDE, which is on the same pipe, and 5 to IADD3
  // (LibreCuda's memcpy).
  add(
      "imad_latency", "IMAD until an IADD3 that needs it may issue: core cycles", 5, jia,
      [](const gpu_config& c) {
        return arithmetic_latency(c, "IMAD R8, R8, R12, R12", 0, 40, "IADD3 R8, R8, RZ, RZ");
      },
      false);
  add(
      "dfma_latency", "DFMA until one that needs it may issue: core cycles", 8, "Arafa et al., HPEC 2019; PPT-GPU",
      [](const gpu_config& c) { return arithmetic_latency(c, "DFMA R8, R8, R4, R4", 1, 0x40440000); }, false);
  add(
      "l1_rate", "all SMs read 32 KB each out of their L1: GB/s (two SMs with an L1 each, times 40)", 13869.4,
      caches, [](const gpu_config& c) { return cache_rate(c, 32 * 1024, 8, sms_of_a_v100); }, false)
      .preset = "v100_small";
  // Two SMs that share an L1 would read the same lines once.
  add(
      "l2_rate", "40 SMs, one at each L1, read the same 512 KB: GB/s (published: 80 SMs, 524 kB)", 2408.5, caches,
      [](const gpu_config& c) { return cache_rate(c, 512 * 1024, 1, c.chip.sms()); }, false)
      .overrides = {"chip.sms_per_tpc=1", "tpc.texture.l1.instances=1"};
  const double full[] = {897, 867, 809, 788};
  const double thin[] = {39, 19, 34, 64};
  for (unsigned k = 0; k < 4; ++k) {
    const stream& s = streams[k];
    add(
        fmt::format("stream_{}", s.name),
        fmt::format("stream {}, 2,048 threads per SM, 64 MB of each array out of 76: GB/s", s.name), full[k],
        stream_file, [&s](const gpu_config& c) { return full_stream_rate(c, s); }, false);
    add(
        fmt::format("thin_stream_{}", s.name),
        fmt::format("stream {}, one block of 16 threads per SM: GB/s", s.name), thin[k], stream_file,
        [&s](const gpu_config& c) { return thin_stream_rate(c, s); }, false);
  }
  return set;
}

}  // namespace gt200::timing
