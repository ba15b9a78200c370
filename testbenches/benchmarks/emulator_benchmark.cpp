// Speed of the functional emulator. items = thread instructions (lanes that executed); warp_instructions beside it.
//
// arithmetic: multiply-add chains in registers. mixed: matrix product by 16 x 16 tiles through shared memory.
// memory: copy of 4 MB, coalesced. divergent: loops of different length per lane. bfs: kernels/bfs on a graph of
// 65536 nodes, scattered loads and branches that depend on them.
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/host_table.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/program.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/emulator/grid_run.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::emulator {

using namespace arch_state;
namespace {

constexpr std::uint32_t buffer_address = 0x100000;
constexpr std::uint32_t buffer_bytes = 0x1000000;

struct workload {
  std::string source;
  launch::grid_size grid;
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::vector<std::uint32_t> parameters;
};

void report(benchmark::State& state, const run_counters& total) {
  state.SetItemsProcessed(static_cast<std::int64_t>(total.thread_instructions));
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(total.warp_instructions), benchmark::Counter::kIsRate);
}

void measure(benchmark::State& state, const workload& w, const run_options& options = {},
             run_observer* observer = nullptr) {
  const cubin::module program = assembler::assemble(w.source, "benchmark.s");
  launch::launch_parameters launch;
  launch.kernel = &program.kernels[0];
  launch.grid = w.grid;
  launch.block = w.block;
  launch.parameter_bytes.resize(4 * w.parameters.size());
  std::memcpy(launch.parameter_bytes.data(), w.parameters.data(), launch.parameter_bytes.size());
  const code_image code(*launch.kernel);
  const constant_memory constants(program, *launch.kernel, {});
  memory global;
  global.map(buffer_address, buffer_bytes);
  run_counters total;
  for (auto _ : state) {
    const run_result result = run(launch, code, constants, global, options, observer);
    if (result.fault) return state.SkipWithError(describe(result.fault).c_str());
    total.warp_instructions += result.counters.warp_instructions;
    total.thread_instructions += result.counters.thread_instructions;
  }
  report(state, total);
}

std::string repeated(int times, const std::string& line) {
  std::string text;
  for (int n = 0; n < times; ++n) text += line + "\n";
  return text;
}

void arithmetic(benchmark::State& state) {
  measure(state, {".entry arithmetic\n.param u32 out\n.literal iterations u32 64\n"
                  "cvt rn f32 $r1 u32 $r0\nmov b32 $r2 0x3f000000\nmov b32 $r9 0x0\nloop:\n" +
                      repeated(8,
                               "add f32 $r1 (mul $r1 $r2) $r2\nadd f32 $r3 (mul $r3 $r2) $r2\n"
                               "add f32 $r4 (mul $r4 $r2) $r2\nadd b32 $r5 $r5 $r9") +
                      "add b32 $r9 $r9 0x1\nset $c0 # l s32 $r9 c1[iterations]\n"
                      "(lg $c0) bra loop\nexit nop\n.end\n",
                  {30, 1},
                  {256, 1, 1},
                  {buffer_address}});
}
BENCHMARK(arithmetic)->Unit(benchmark::kMillisecond);

void mixed(benchmark::State& state) {
  std::string inner;
  for (int k = 0; k < 16; ++k)
    inner += "ld $r5 b32 s[$a2+" + std::to_string(64 * k) + "+b_tile]\nadd f32 $r4 (mul b32 s[$a1+" +
             std::to_string(4 * k) + "+a_tile] $r5) $r4\n";
  measure(state,
          {".entry mixed\n.param u32 in\n.shared a_tile 1024\n.shared b_tile 1024\n.literal rounds u32 16\n"
           "cvt u32 $r1 u16 $r0l\nshr u32 $r2 $r0 0x10\nshl b32 $r3 $r2 0x6\nshl b32 $r6 $r1 0x2\n"
           "add b32 $r7 $r3 $r6\nadd b32 $r8 b32 s[in] $r7\nshl $a3 $r7 0x0\nshl $a1 $r3 0x0\nshl $a2 $r6 0x0\n"
           "mov b32 $r4 $r124\nmov b32 $r9 0x0\nloop:\nld b32 $r5 g14[$r8]\nst b32 s[$a3+a_tile] $r5\n"
           "st b32 s[$a3+b_tile] $r5\nbar inc wait 0x0 0xfff\n" +
               inner +
               "bar inc wait 0x0 0xfff\nadd b32 $r8 $r8 0x400\nadd b32 $r9 $r9 0x1\n"
               "set $c0 # l s32 $r9 c1[rounds]\n(lg $c0) bra loop\nexit st b32 g14[$r8] $r4\n.end\n",
           {64, 1},
           {16, 16, 1},
           {buffer_address}});
}
BENCHMARK(mixed)->Unit(benchmark::kMillisecond);

void copy(benchmark::State& state) {
  measure(state, {".entry copy\n.param u32 from\n.param u32 to\nmov b16 $r0h u16 s[%ntid.x]\ncvt u32 $r1 u16 $r0l\n"
                  "add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1\nshl b32 $r0 $r0 0x2\nadd b32 $r1 b32 s[from] $r0\n"
                  "ld b32 $r1 g14[$r1]\nadd b32 $r0 b32 s[to] $r0\nexit st b32 g14[$r0] $r1\n.end\n",
                  {4096, 1},
                  {256, 1, 1},
                  {buffer_address, buffer_address + buffer_bytes / 2}});
}
BENCHMARK(copy)->Unit(benchmark::kMillisecond);

void divergent(benchmark::State& state) {
  measure(state, {".entry divergent\n.param u32 out\n.literal one u32 1\ncvt u32 $r1 u16 $r0l\nmov b32 $r2 0x0\n"
                  "joinat done\nagain: add b32 $r2 $r2 $r1\nsub b32 $c0 $r1 $r1 c1[one]\n(ge $c0) bra again\n"
                  "done: join nop\nexit nop\n.end\n",
                  {64, 1},
                  {256, 1, 1},
                  {buffer_address}});
}
BENCHMARK(divergent)->Unit(benchmark::kMillisecond);

void bfs(benchmark::State& state) {
  launch::overrides changes;
  changes.parameters = {{"N", 65536}};
  const launch::description description =
      launch::load(std::string(GT200_SOURCE_DIR) + "/kernels/bfs/launch.toml", changes);
  const cubin::module module = program::load(description.source);
  const launch::host_table hosts = kernels::host_table();
  launch::device_allocator allocator;
  const launch::prepared prepared = launch::prepare(description, module, hosts, allocator);
  run_counters total;
  for (auto _ : state) {
    state.PauseTiming();
    functional_device device(prepared);
    const launch::device interface = device.interface();
    launch::upload(prepared, interface);
    state.ResumeTiming();
    launch::execute(prepared, interface);
    total.warp_instructions += device.counters().warp_instructions;
    total.thread_instructions += device.counters().thread_instructions;
  }
  report(state, total);
}
BENCHMARK(bfs)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gt200::emulator

BENCHMARK_MAIN();
