#include "testbenches/timing/memory_chase.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/device.h"
#include "testbenches/support/own_process.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::timing {
namespace {

constexpr unsigned hops_per_round = 128;

// A kernel (out, start, rounds) that runs `hop` 128 x rounds times, twice; the second pass starts where the first
// ended. `begin` turns the start in $r1 into the form the hops need. Writes the $clock cycles of the second pass to
// out.
std::string chase_kernel(const std::string& name, const std::string& begin, const std::vector<std::string>& hops) {
  std::string text = ".entry " + name + "\n.param u32 out\n.param u32 start\n.param u32 rounds\n";
  text += "  mov b32 $r3 0x0\n  mov b32 $r10 0x2\n  mov b32 $r1 b32 s[start]\npass:\n  mov b32 $r2 b32 s[rounds]\n";
  text += begin + "  mov $r4 $clock\nround:\n";
  for (unsigned i = 0; i < hops_per_round; ++i) text += hops[i % hops.size()];
  text +=
      "  add b32 $r2 $r2 0xffffffff\n  set $c0 # lg u32 $r2 $r124\n  (lg $c0) bra round\n"
      "  mov b32 $r6 $r1\n"
      "  mov $r5 $clock\n"
      "  add b32 $r3 $r3 0x1\n  set $c0 # l u32 $r3 $r10\n  (lg $c0) bra pass\n"
      "  sub b32 $r4 $r5 $r4\n  mov b32 $r5 b32 s[out]\n  exit st b32 g14[$r5] $r4\n.end\n";
  return text;
}

// A loop of `bytes` of code from a 256-byte boundary, run three times; the last run is timed.
std::string instruction_kernel(unsigned bytes) {
  std::string text = ".entry instructions\n.param u32 out\n.param u32 start\n.param u32 rounds\n";
  text += "  mov b32 $r3 0x0\n  mov b32 $r10 0x3\n  bra pass\n";
  for (unsigned i = 3; i < 32; ++i) text += "  nop\n";
  text += "pass:\n  mov $r4 $clock\n";
  for (unsigned i = 0; i < bytes / 8 - 5; ++i) text += "  cvt u32 $r6 u32 $r7\n";
  text +=
      "  mov $r5 $clock\n  add b32 $r3 $r3 0x1\n  set $c0 # l u32 $r3 $r10\n  (lg $c0) bra pass\n"
      "  sub b32 $r4 $r5 $r4\n  mov b32 $r5 b32 s[out]\n  exit st b32 g14[$r5] $r4\n.end\n";
  return text;
}

// 16 lanes read k distinct constants: $r1 = start holds k - 1, a mask for the lane number.
std::string distinct_constants_kernel() {
  return chase_kernel("distinct",
                      "  cvt u32 $r7 u16 $r0l\n  and b32 $r7 $r7 $r1\n  shl $a1 $r7 0x2\n  mov b32 $r1 $r7\n",
                      {"  add b32 $r11 $r9 c0[$a1]\n", "  add b32 $r12 $r9 c0[$a1]\n",
                       "  add b32 $r13 $r9 c0[$a1]\n", "  add b32 $r14 $r9 c0[$a1]\n"});
}

const char* const program_head = ".target sm_13\n.const chase 65536\n.sampler image 0\n";

class bench {
 public:
  bench(const config::gpu_config& config, const std::string& kernels)
      : module_(assembler::assemble(program_head + kernels, "memory_chase.s")), board_(config) {
    board_.load(module_, {});
    out_ = board_.allocate(256);
  }

  std::uint32_t allocate(std::uint32_t bytes) { return board_.allocate(bytes); }
  void poke(std::uint32_t address, std::uint32_t word) { board_.poke(address, bytes_of(word), 4); }
  // The address of c0 is known once a grid has been launched.
  void poke_constant(std::uint32_t offset, std::uint32_t word) {
    if (board_.grid().launch == 0) run(0, 1, 1);
    board_.chip().host.poke(board_.grid().constants[0].address + offset, bytes_of(word), 4);
  }
  void bind_texture(std::uint32_t address, std::uint32_t words) {
    board_.bind_texture(
        0, model::texture_binding::linear_memory(address, words, {model::texel_format::u32, 1, false}));
  }
  // Shader cycles of the timed pass.
  double run(std::uint32_t start, std::uint32_t rounds, unsigned threads) {
    launch::launch_parameters parameters;
    parameters.kernel = &module_.kernels.front();
    parameters.block = {threads, 1, 1};
    const std::uint32_t arguments[] = {out_, start, rounds};
    parameters.parameter_bytes.resize(sizeof arguments);
    std::memcpy(parameters.parameter_bytes.data(), arguments, sizeof arguments);
    const launch_result result = board_.launch(parameters);
    if (result.reason != end_reason::done)
      throw std::runtime_error(std::string(name_of(result.reason)) + " " + result.explanation +
                               arch_state::describe(result.fault));
    std::uint32_t cycles = 0;
    board_.peek(out_, reinterpret_cast<std::uint8_t*>(&cycles), 4);
    // $clock counts core cycles.
    return static_cast<double>(cycles) * config::tesla_clocks.shader_per_core();
  }

 private:
  static const std::uint8_t* bytes_of(const std::uint32_t& word) {
    return reinterpret_cast<const std::uint8_t*>(&word);
  }

  cubin::module module_;
  device board_;
  std::uint32_t out_ = 0;
};

double measured(const std::function<double()>& simulate) {
  const std::string text = support::in_own_process([&] { return fmt::format("{}", simulate()); });
  try {
    return std::stod(text);
  } catch (const std::invalid_argument&) {
    throw std::runtime_error("memory chase: " + text);
  }
}

// At least one pass through the array and 256 hops.
double chased(bench& b, std::uint32_t start, const chase& array) {
  const std::uint32_t elements = array.bytes / array.stride;
  const std::uint32_t rounds = std::max(2u, (elements + hops_per_round - 1) / hops_per_round);
  return b.run(start, rounds, 1) / (double(rounds) * hops_per_round);
}

// Calls `store` with the offset of every element and that of the next one.
void link(const chase& array, const std::function<void(std::uint32_t, std::uint32_t)>& store) {
  for (std::uint32_t at = 0; at < array.bytes; at += array.stride)
    store(at, at + array.stride < array.bytes ? at + array.stride : 0);
}

}  // namespace

double global_hop(const config::gpu_config& config, const chase& array) {
  return measured([&] {
    bench b(config, chase_kernel("global", "", {"  ld b32 $r1 g14[$r1]\n"}));
    const std::uint32_t base = b.allocate(array.bytes);
    link(array, [&](std::uint32_t at, std::uint32_t next) { b.poke(base + at, base + next); });
    return chased(b, base, array);
  });
}

double texture_hop(const config::gpu_config& config, const chase& array) {
  return measured([&] {
    bench b(config, chase_kernel("texture", "", {"  texfetch all $r1:#:#:# $t0 $s0 $r1 0x0 0x0 0x0\n"}));
    const std::uint32_t base = b.allocate(array.bytes);
    link(array, [&](std::uint32_t at, std::uint32_t next) { b.poke(base + at, next / 4); });
    b.bind_texture(base, array.bytes / 4);
    return chased(b, 0, array);
  });
}

double constant_hop(const config::gpu_config& config, const chase& array) {
  return measured([&] {
    bench b(config, chase_kernel("constant", "  shl $a1 $r1 0x0\n", {"  ld $r1 b32 c0[$a1]\n  shl $a1 $r1 0x0\n"}));
    link(array, [&](std::uint32_t at, std::uint32_t next) { b.poke_constant(at, next); });
    return chased(b, 0, array);
  });
}

double distinct_constants(const config::gpu_config& config, unsigned count) {
  constexpr unsigned threads = 512;
  constexpr unsigned rounds = 8;
  return measured([&] {
    bench b(config, distinct_constants_kernel());
    return b.run(count - 1, rounds, threads) / (rounds * hops_per_round * (threads / 32));
  });
}

double instruction_hop(const config::gpu_config& config, unsigned bytes) {
  return measured([&] {
    bench b(config, instruction_kernel(bytes));
    return b.run(0, 1, 1) / (bytes / 8 - 4);
  });
}

}  // namespace gt200::timing
