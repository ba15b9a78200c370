// A platform with a processor and the chip on one bus. The processor adds two vectors on the chip: it writes code,
// data and page table into the chip's memory, sets the registers of a launch, and polls until the launch has ended.
// docs/virtual_platform.md of gt200 explains each step.
#include <array>
#include <cstdio>
#include <string>

#include "cpu.h"
#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/registers.h"
#include "toolchain/assembler/assembler.h"

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
constexpr std::uint32_t a = 0x40000000, b = a + 4096, out = b + 4096;

void launch(gt200::platform::cpu& host, const gt200::cubin::kernel& kernel) {
  host.write(registers::cp_address_low, static_cast<std::uint32_t>(code));
  host.write(registers::code_size, static_cast<std::uint32_t>(4 * kernel.code.size()));
  host.write(registers::cp_reg_alloc_temp, kernel.registers);
  host.write(registers::shared_size, kernel.shared_bytes);
  host.write(registers::griddim, blocks | 1u << 16);
  host.write(registers::blockdim_xy, threads | 1u << 16);
  host.write(registers::blockdim_z, 1);
  host.write(registers::block_alloc, threads);
  host.write(registers::user_param_count, 3u << 8);
  host.write(registers::user_param, a);
  host.write(registers::user_param + 4, b);
  host.write(registers::user_param + 8, out);
  host.write(registers::launch, 1);
}

}  // namespace

int sc_main(int, char**) {  // libsystemc has the main()
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  const auto config = gt200::config::load(std::string(GT200_CONFIGS) + "/gt200_small.toml").values;
  const auto program = gt200::assembler::assemble(add, "add.s");
  const gt200::cubin::kernel& kernel = program.kernels.front();

  vector first, second, result{};
  for (unsigned i = 0; i < elements; ++i) {
    first[i] = 1000 + i;
    second[i] = i * i;
  }
  std::uint32_t cycles = 0;
  gt200::model::chip chip("gpu", config, {}, gt200::model::chip_host::platform);
  gt200::platform::cpu host("cpu", [&](gt200::platform::cpu& cpu) {
    cpu.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
    cpu.write_memory(data, first.data(), sizeof first);
    cpu.write_memory(data + 4096, second.data(), sizeof second);
    cpu.map(a, 3 * 4096, data, config.memory_map.page_table_base, table);
    launch(cpu, kernel);
    while (cpu.read(registers::grids_ended) == 0) sc_core::wait(1, sc_core::SC_US);
    cycles = cpu.read(registers::ended_low) - cpu.read(registers::began_low);
    cpu.read_memory(data + 8192, result.data(), sizeof result);
  });
  host.bus.bind(chip.command_processor.host);
  sc_core::sc_start();

  unsigned wrong = 0;
  for (unsigned i = 0; i < elements; ++i) wrong += result[i] != first[i] + second[i];
  std::printf("%u of %u sums are right, after %u uncore cycles\n", elements - wrong, elements, cycles);
  return wrong == 0 ? 0 : 1;
}
