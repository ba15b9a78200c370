// Two chips in one platform, each with a processor of its own, and observers of both from a file: waves,
// statistics, and the emulator beside the chip. Both chips add vectors; the second one begins later.
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "../virtual_platform/cpu.h"
#include "observe/observers/observers.h"
#include "observe/observers/options_file.h"
#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/registers.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace {

namespace registers = gt200::model::registers;

// out[i] = a[i] + b[i], one element per thread of one-dimensional blocks of 64.
constexpr const char* add = R"(
.target sm_13
.entry add
.param u32 a
.param u32 b
.param u32 out
    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    shl b32 $r0 $r0 0x2
    add b32 $r1 b32 s[a] $r0
    add b32 $r2 b32 s[b] $r0
    ld b32 $r1 g14[$r1]
    ld b32 $r2 g14[$r2]
    add b32 $r0 b32 s[out] $r0
    add b32 $r1 $r1 $r2
    exit st b32 g14[$r0] $r1
.end
)";

constexpr unsigned blocks = 8, threads = 64, elements = blocks * threads;
using vector = std::array<std::uint32_t, elements>;

// Places in the chip's memory, and the virtual addresses of the vectors.
constexpr std::uint64_t table = 0x00200000, code = 0x01000000, data = 0x03000000;
constexpr std::array<std::uint32_t, 3> vectors = {0x40000000, 0x40001000, 0x40002000};  // a, b, out

// The launch as the checker executes it and the statistics name it.
gt200::launch::launch_parameters describe(const gt200::cubin::kernel& kernel) {
  gt200::launch::launch_parameters launch;
  launch.kernel = &kernel;
  launch.grid = {blocks, 1};
  launch.block = {threads, 1, 1};
  launch.parameter_bytes.resize(sizeof vectors);
  std::memcpy(launch.parameter_bytes.data(), vectors.data(), sizeof vectors);
  return launch;
}

void write_registers(gt200::platform::cpu& host, const gt200::cubin::kernel& kernel) {
  host.write(registers::cp_address_low, static_cast<std::uint32_t>(code));
  host.write(registers::code_size, static_cast<std::uint32_t>(4 * kernel.code.size()));
  host.write(registers::cp_reg_alloc_temp, kernel.registers);
  host.write(registers::shared_size, kernel.shared_bytes);
  host.write(registers::griddim, blocks | 1u << 16);
  host.write(registers::blockdim_xy, threads | 1u << 16);
  host.write(registers::blockdim_z, 1);
  host.write(registers::block_alloc, threads);
  host.write(registers::user_param_count, static_cast<std::uint32_t>(vectors.size()) << 8);
  for (std::uint32_t i = 0; i < vectors.size(); ++i) host.write(registers::user_param + 4 * i, vectors[i]);
}

struct board {
  std::unique_ptr<gt200::model::chip> chip;
  std::unique_ptr<gt200::platform::cpu> cpu;
  std::unique_ptr<gt200::observe::observers> observers;
  unsigned wrong = elements;
};

// The program of a processor.
void run(gt200::platform::cpu& host, board& own, const gt200::cubin::kernel& kernel, double begin_at_us) {
  vector first, second, result{};
  for (unsigned i = 0; i < elements; ++i) {
    first[i] = 1000 + i;
    second[i] = i * i;
  }
  host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
  host.write_memory(data, first.data(), sizeof first);
  host.write_memory(data + 4096, second.data(), sizeof second);
  host.map(vectors[0], 3 * 4096, data, own.chip->config.memory_map.page_table_base, table);
  sc_core::wait(begin_at_us, sc_core::SC_US);  // the observers are there by then
  write_registers(host, kernel);
  own.observers->launch_begins(describe(kernel));
  host.write(registers::launch, 1);
  while (host.read(registers::grids_ended) == 0) sc_core::wait(1, sc_core::SC_US);
  own.observers->launch_ended();
  host.read_memory(data + 8192, result.data(), sizeof result);
  own.wrong = 0;
  for (unsigned i = 0; i < elements; ++i) own.wrong += result[i] != first[i] + second[i];
}

int simulate() {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  const auto options = gt200::observe::read_observers(OBSERVERS);
  const auto config = gt200::config::load(std::string(GT200_CONFIGS) + "/gt200_small.toml").values;
  const auto program = gt200::assembler::assemble(add, "add.s");
  const gt200::cubin::kernel& kernel = program.kernels.front();

  std::array<board, 2> boards;
  unsigned running = boards.size();
  sc_core::sc_event ended;
  for (unsigned n = 0; n < boards.size(); ++n) {
    board& own = boards[n];
    const std::string number = std::to_string(n);
    own.chip = std::make_unique<gt200::model::chip>(("gpu_" + number).c_str(), config, options.clocking,
                                                    gt200::model::chip_host::platform);
    own.cpu = std::make_unique<gt200::platform::cpu>(("cpu_" + number).c_str(), [&, n](gt200::platform::cpu& host) {
      run(host, boards[n], kernel, 1.0 + n);
      // The end of a processor's program ends the simulation: the first one waits for the other.
      --running;
      ended.notify(sc_core::SC_ZERO_TIME);
      while (running != 0) sc_core::wait(ended);
    });
    own.cpu->bus.bind(own.chip->command_processor.host);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // ends the elaboration
  for (board& own : boards) own.observers = std::make_unique<gt200::observe::observers>(*own.chip, options);
  sc_core::sc_start();

  bool right = true;
  for (board& own : boards) {
    std::printf("%s: %u of %u sums are right\n%s%s", own.chip->name(), elements - own.wrong, elements,
                own.observers->finish().c_str(), own.observers->trouble().c_str());
    right = right && own.wrong == 0 && own.observers->trouble().empty();
  }
  return right ? 0 : 1;
}

}  // namespace

int sc_main(int, char**) {  // libsystemc has the main()
  try {
    return simulate();
  } catch (const gt200::input_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
