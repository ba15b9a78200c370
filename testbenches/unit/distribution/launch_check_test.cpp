// The chip refuses what it cannot run, naming the request and the limit.
#include "sc_models/distribution/launch_check.h"

#include <gtest/gtest.h>

#include <array>

#include <functional>

#include "sc_models/config/load.h"
#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

class launch_check_test : public ::testing::Test {
 protected:
  launch_check_test() {
    grid.block = {64, 1, 1};
    grid.registers = 8;
    grid.shared_bytes = 64;
    grid.code_bytes = 64;
    grid.parameters.resize(16);
  }
  launch_refusal check() const { return check_launch(generation, config.tpc.sm.limits, config.chip.sms(), grid); }
  void expect(launch_error error, std::uint32_t value, std::uint32_t limit) const {
    const launch_refusal refusal = check();
    EXPECT_EQ(refusal.error, error) << describe(refusal);
    EXPECT_EQ(refusal.value, value);
    EXPECT_EQ(refusal.limit, limit);
  }

  const config::gpu_config config = config::load(GT200_SOURCE_DIR "/configs/gt200.toml").values;
  arch_state::generation_values generation =
      arch_state::tesla::generation(config.chip.capability(), config.tpc.sm.simt_stack).values();
  grid_descriptor grid;
};

TEST_F(launch_check_test, accepts_what_fits) { EXPECT_FALSE(check()) << describe(check()); }

TEST_F(launch_check_test, accepts_everything_at_its_limit) {
  grid.grid = {65535, 65535};
  grid.block = {512, 1, 1};
  grid.registers = 32;
  grid.shared_bytes = 16384;
  grid.parameters.resize(256);
  grid.barriers = 16;
  grid.code_bytes = 16u << 20;
  grid.entry = grid.code_bytes - 8;
  EXPECT_FALSE(check()) << describe(check());
}

TEST_F(launch_check_test, takes_the_limits_of_the_generation) {
  generation.max_grid = {65535, 4, 1};
  generation.max_block = {1024, 512, 64};
  generation.max_parameter_bytes = 12;
  grid.grid = {5, 5};
  expect(launch_error::grid_dimension, 5, 4);
  grid.grid = {5, 4};
  expect(launch_error::parameter_bytes, 16, 12);
  grid.parameters.resize(12);
  grid.block = {1, 513, 1};
  expect(launch_error::block_dimension, 513, 512);
  grid.block = {64, 1, 1};
  generation.code_address_bits = 5;
  expect(launch_error::code, 0, 64);
}

TEST_F(launch_check_test, refuses_dimensions) {
  grid.grid = {0, 1};
  expect(launch_error::grid_dimension, 0, 65535);
  grid.grid = {1, 65536};
  expect(launch_error::grid_dimension, 65536, 65535);
  grid.grid = {1, 1};
  grid.block = {1, 1, 65};
  expect(launch_error::block_dimension, 65, 64);
  grid.block = {1025, 1, 1};
  expect(launch_error::block_dimension, 1025, 1024);
  grid.block = {1, 0, 1};
  expect(launch_error::block_dimension, 0, 1024);
  grid.block = {513, 1, 1};
  expect(launch_error::threads_per_block, 513, 512);
  grid.block = {32, 17, 1};
  expect(launch_error::threads_per_block, 544, 512);
}

TEST_F(launch_check_test, takes_the_threads_of_a_block_from_the_configuration) {
  config::limits_config limits = config.tpc.sm.limits;
  grid.block = {1024, 1, 1};
  expect(launch_error::threads_per_block, 1024, 512);
  limits.threads_per_block = 1024;
  using size = std::array<std::uint32_t, 3>;
  for (const size& block : {size{1024, 1, 1}, size{1, 1024, 1}, size{16, 1, 64}}) {
    grid.block = block;
    EXPECT_FALSE(check_launch(generation, limits, config.chip.sms(), grid));
  }
}

TEST_F(launch_check_test, refuses_registers) {
  grid.registers = 0;
  EXPECT_EQ(check().error, launch_error::registers_per_thread);
  grid.registers = config.tpc.sm.limits.registers_per_thread + 1;
  EXPECT_EQ(check().error, launch_error::registers_per_thread);
  grid.block = {512, 1, 1};
  grid.registers = 33;
  expect(launch_error::block_registers, 16896, 16384);
  EXPECT_EQ(describe(check()), "registers per block: 16896 asked for, 16384 possible");
}

TEST_F(launch_check_test, refuses_memory) {
  grid.shared_bytes = 16400;
  expect(launch_error::block_shared_memory, 16896, 16384);
  grid.shared_bytes = 15;
  expect(launch_error::parameter_bytes, 16, 0);
  grid.shared_bytes = 31;
  expect(launch_error::parameter_bytes, 16, 15);
  grid.shared_bytes = 1024;
  grid.parameters.resize(257);
  expect(launch_error::parameter_bytes, 257, 256);
}

TEST_F(launch_check_test, refuses_barriers) {
  grid.barriers = 17;
  expect(launch_error::block_barriers, 17, 16);
}

TEST_F(launch_check_test, refuses_local_memory) {
  grid.local_bytes = 24;
  EXPECT_EQ(check().error, launch_error::local_memory);
  grid.local_bytes = 8;
  EXPECT_EQ(check().error, launch_error::local_memory);
  // 30 SMs x 1024 threads x 16 KB end at 4 GB.
  grid.local_bytes = 16384;
  grid.local_base = (std::uint64_t{1} << 32) - 30ull * 1024 * 16384;
  EXPECT_FALSE(check()) << describe(check());
  grid.local_base += 4096;
  expect(launch_error::local_memory, 16384, 16383);
}

// CUDA guide, appendix F: 512 KB from compute capability 2.0 on. Its addresses end below the windows.
TEST_F(launch_check_test, takes_the_local_memory_of_the_generation) {
  grid.local_bytes = 131072;
  grid.local_base = 0x00200000;
  expect(launch_error::local_memory, 131072, 65536);
  generation = arch_state::fermi::generation().values();
  grid.parameters.clear();
  const auto check_one_sm = [this] { return check_launch(generation, config.tpc.sm.limits, 1, grid); };
  EXPECT_FALSE(check_one_sm()) << describe(check_one_sm());
  grid.local_base = arch_state::fermi::shared_window - 1024ull * 131072;
  EXPECT_FALSE(check_one_sm()) << describe(check_one_sm());
  grid.local_base += 4096;
  EXPECT_EQ(check_one_sm().error, launch_error::local_memory);
  grid.local_base = 0x00200000;
  grid.local_bytes = 1u << 20;
  EXPECT_EQ(check_one_sm().limit, 512u * 1024);
}

TEST_F(launch_check_test, refuses_code) {
  grid.entry = 64;
  expect(launch_error::code, 64, 64);
  grid.entry = 2;
  EXPECT_EQ(check().error, launch_error::code);
  grid.entry = 0;
  grid.code_bytes = 0;
  EXPECT_EQ(check().error, launch_error::code);
  grid.code_bytes = (16u << 20) + 4;
  EXPECT_EQ(check().error, launch_error::code);
}

}  // namespace
}  // namespace gt200::model
