// A foreign virtual platform adds two vectors on the chip, register by register.
#include <array>
#include <cstring>
#include <string>

#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/registers.h"
#include "examples/virtual_platform/cpu.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::platform {
namespace {

namespace registers = model::registers;

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

constexpr unsigned blocks = 8;
constexpr unsigned threads = 64;
constexpr unsigned elements = blocks * threads;
using vector = std::array<std::uint32_t, elements>;

// Device addresses, chosen by this platform.
constexpr std::uint64_t table = 0x00200000;
constexpr std::uint64_t code = 0x01000000;
constexpr std::uint64_t data = 0x03000000;
// Virtual addresses of the vectors.
constexpr std::uint32_t a = 0x40000000, b = a + 4096, out = b + 4096;

void set_launch_registers(cpu& host, const cubin::kernel& kernel) {
  host.write(registers::cp_address_high, 0);
  host.write(registers::cp_address_low, static_cast<std::uint32_t>(code));
  host.write(registers::code_size, static_cast<std::uint32_t>(4 * kernel.code.size()));
  host.write(registers::cp_start_id, 0);
  host.write(registers::cp_reg_alloc_temp, kernel.registers);
  host.write(registers::shared_size, kernel.shared_bytes);
  host.write(registers::local_size_log, 0);
  host.write(registers::gridid, 1);
  host.write(registers::griddim, blocks | 1u << 16);
  host.write(registers::blockdim_xy, threads | 1u << 16);
  host.write(registers::blockdim_z, 1);
  host.write(registers::block_alloc, threads);
  host.write(registers::user_param_count, 3u << 8);
  host.write(registers::user_param_bytes, 12);
  host.write(registers::user_param, a);
  host.write(registers::user_param + 4, b);
  host.write(registers::user_param + 8, out);
}

class virtual_platform : public testing::Test {
 protected:
  virtual_platform() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

  // Runs the processor's program to its end.
  void run(const std::function<void(cpu&)>& program) {
    const config::gpu_config config =
        config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml").values;
    model::chip chip("gt200", config, {}, model::chip_host::platform);
    directory_ = config.memory_map.page_table_base;
    cpu host("cpu", program);
    host.bus.bind(chip.command_processor.host);
    sc_core::sc_start();
    finished_at_ = sc_core::sc_time_stamp();
  }

  // Code, vectors and page table in the memory of the chip.
  void upload(cpu& host, const cubin::kernel& kernel, const vector& first, const vector& second) const {
    host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
    host.write_memory(data, first.data(), sizeof first);
    host.write_memory(data + 4096, second.data(), sizeof second);
    host.map(a, 3 * 4096, data, directory_, table);
  }

  // Polls once per microsecond, at most a millisecond.
  static bool wait_for_end(cpu& host, std::uint32_t grids) {
    for (unsigned i = 0; i < 1000; ++i) {
      if (host.read(registers::grids_ended) == grids) return true;
      sc_core::wait(1, sc_core::SC_US);
    }
    return false;
  }

  const cubin::module module_ = assembler::assemble(add, "add.s");
  std::uint64_t directory_ = 0;
  sc_core::sc_time finished_at_;
};

TEST_F(virtual_platform, launches_a_kernel_register_by_register) {
  vector first, second, result{};
  for (unsigned i = 0; i < elements; ++i) {
    first[i] = 1000 + i;
    second[i] = i * i;
  }
  bool ended = false;
  std::uint32_t id = 0, error = 0, began = 0, end = 0;
  run([&](cpu& host) {
    id = host.read(registers::id);
    upload(host, module_.kernels.front(), first, second);
    set_launch_registers(host, module_.kernels.front());
    host.write(registers::launch, 1);
    error = host.read(registers::error);
    ended = wait_for_end(host, 1);
    began = host.read(registers::began_low);
    end = host.read(registers::ended_low);
    host.read_memory(data + 2 * 4096, result.data(), sizeof result);
  });
  EXPECT_EQ(id, registers::id_value);
  EXPECT_EQ(error, 0u);
  ASSERT_TRUE(ended);
  EXPECT_GT(end, began);
  for (unsigned i = 0; i < elements; ++i) ASSERT_EQ(result[i], first[i] + second[i]) << i;
}

TEST_F(virtual_platform, is_told_why_a_launch_cannot_be) {
  std::uint32_t error = 0, value = 0, limit = 0;
  run([&](cpu& host) {
    set_launch_registers(host, module_.kernels.front());
    host.write(registers::cp_reg_alloc_temp, 200);
    host.write(registers::launch, 1);
    error = host.read(registers::error);
    value = host.read(registers::error_value);
    limit = host.read(registers::error_limit);
  });
  EXPECT_EQ(error, static_cast<std::uint32_t>(model::launch_error::registers_per_thread));
  EXPECT_EQ(value, 200u);
  EXPECT_EQ(limit, 128u);
}

// The platform forgot the page table.
TEST_F(virtual_platform, sees_the_fault_of_a_kernel_in_the_status) {
  std::uint32_t status = 0;
  run([&](cpu& host) {
    const auto& kernel = module_.kernels.front();
    host.write_memory(code, kernel.code.data(), 4 * kernel.code.size());
    set_launch_registers(host, kernel);
    host.write(registers::launch, 1);
    wait_for_end(host, 1);
    status = host.read(registers::status);
  });
  EXPECT_EQ(status & 3u, static_cast<std::uint32_t>(registers::chip_status::faulted));
}

}  // namespace
}  // namespace gt200::platform
