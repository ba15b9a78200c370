// Every kernel of the repository that is not CUDA C (see toolchain/ptx/compiled_kernels_test.cpp for those), run by
// the emulator and compared with its expectations.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/host_table.h"
#include "toolchain/assembler/program.h"
#include "toolchain/emulator/functional_device.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::emulator {

using namespace arch_state;
using namespace arch_state::tesla;
namespace {

namespace fs = std::filesystem;

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(GT200_SOURCE_DIR) / "kernels")) {
    const fs::path path = entry.path() / "launch.toml";
    if (!fs::exists(path) || fs::path(launch::load(path.string()).source).extension() == ".cu") continue;
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// `source`: another file of the kernel's folder in place of the one its description names.
launch::check_result run_kernel(const std::string& name, const run_options& options,
                                const launch::overrides& changes = {}, const std::string& source = {}) {
  const fs::path folder = fs::path(GT200_SOURCE_DIR) / "kernels" / name;
  const launch::description description = launch::load((folder / "launch.toml").string(), changes);
  const cubin::module module = program::load(source.empty() ? description.source : (folder / source).string());
  const launch::host_table hosts = kernels::host_table();
  launch::device_allocator allocator;
  const launch::prepared prepared = launch::prepare(description, module, hosts, allocator);
  functional_device device(prepared, options);
  const launch::device interface = device.interface();
  launch::upload(prepared, interface);
  launch::execute(prepared, interface);
  EXPECT_GT(device.counters().warp_instructions, 0u);
  return launch::check(prepared, hosts, interface);
}

class every_kernel : public testing::TestWithParam<std::string> {};

TEST_P(every_kernel, computes_what_its_description_expects) {
  const launch::check_result result = run_kernel(GetParam(), {});
  EXPECT_TRUE(result.passed) << result.message;
  EXPECT_GT(result.checks, 0u);
}

TEST_P(every_kernel, does_not_depend_on_initial_state_divergence_order_or_turns) {
  run_options options;
  options.patience = 5;  // of blocks: they take turns as well
  options.initial_state_seed = 2;
  options.divergence.first = first_path::fall_through;
  options.divergence.join = join_moment::before;
  options.turn = 3;
  const launch::check_result result = run_kernel(GetParam(), options);
  EXPECT_TRUE(result.passed) << result.message;
}

INSTANTIATE_TEST_SUITE_P(kernels, every_kernel, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return kernel.param; });

class kernel_of_sm_70 : public testing::TestWithParam<const char*> {};

TEST_P(kernel_of_sm_70, computes_what_the_description_expects_in_any_order_of_warps) {
  for (const std::uint32_t turn : {1024u, 1u, 3u}) {
    run_options options;
    options.turn = turn;
    if (turn == 3) options.patience = 5;
    options.initial_state_seed = turn;
    const launch::check_result result = run_kernel(GetParam(), options, {}, std::string(GetParam()) + "_sm_70.s");
    EXPECT_TRUE(result.passed) << result.message;
    EXPECT_GT(result.checks, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, kernel_of_sm_70,
                         testing::Values("matrix_mul", "reduce0", "texture_filter", "vector_add"),
                         [](const auto& kernel) { return std::string(kernel.param); });

// Sizes for which checksums of inputs and results were published.
TEST(kernel_sizes, other_published_sizes_give_the_published_results) {
  const struct {
    const char* kernel;
    const char* parameter;
    std::int64_t value;
  } runs[] = {{"bfs", "N", 16384}, {"madloop", "ITERS", 2}, {"matrix_mul", "N", 64}, {"reduce0", "N", 16384}};
  for (const auto& r : runs) {
    launch::overrides changes;
    changes.parameters = {{r.parameter, r.value}};
    const launch::check_result result = run_kernel(r.kernel, {}, changes);
    EXPECT_TRUE(result.passed) << r.kernel << ": " << result.message;
  }
}

TEST(kernel_sizes, threads_beyond_the_data_do_nothing) {
  for (const char* kernel : {"vector_add", "reduce0", "bfs", "atomic_counter", "histogram", "daxpy"}) {
    launch::overrides changes;
    changes.parameters = {{"N", 1001}};
    const launch::check_result result = run_kernel(kernel, {}, changes);
    EXPECT_TRUE(result.passed) << kernel << ": " << result.message;
  }
}

// A wrong word of code must be noticed.
TEST(kernel_checks, notice_a_wrong_result) {
  launch::overrides changes;
  changes.seed = 12346;
  EXPECT_TRUE(run_kernel("vector_add", {}, changes).passed);
  const launch::description description =
      launch::load(std::string(GT200_SOURCE_DIR) + "/kernels/vector_add/launch.toml");
  cubin::module module = program::load(description.source);
  for (std::uint32_t& word : module.kernels[0].code)
    if (word >> 28 == 0xb) word ^= 0x8000;  // the f32 addition, short form: negates a source
  launch::device_allocator allocator;
  const launch::prepared prepared = launch::prepare(description, module, kernels::host_table(), allocator);
  functional_device device(prepared);
  launch::upload(prepared, device.interface());
  launch::execute(prepared, device.interface());
  EXPECT_FALSE(launch::check(prepared, kernels::host_table(), device.interface()).passed);
}

}  // namespace
}  // namespace gt200::emulator
