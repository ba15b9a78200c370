// The launch descriptions of the repository: published inputs, and references that agree with published checksums.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "kernels/host_table.h"
#include "testbenches/toolchain/launch/fake_device.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cuda/compile.h"
#include "toolchain/launch/check.h"
#include "toolchain/launch/crc32.h"
#include "toolchain/launch/initial_content.h"
#include "toolchain/launch/launch_run.h"

namespace gt200::launch {
namespace {

std::string description_path(const std::string& kernel) {
  return std::string(GT200_SOURCE_DIR) + "/kernels/" + kernel + "/launch.toml";
}

// Stores the result of the reference function in the device, so that all other expectations check the reference.
check_result check_reference_against_checksums(const std::string& kernel, const std::string& buffer,
                                               const overrides& changes) {
  const description d = load(description_path(kernel), changes);
  const cubin::module m = program::load(d.source);
  device_allocator allocator;
  const prepared p = prepare(d, m, kernels::host_table(), allocator);
  fake_device memory;
  upload(p, memory.connection());
  random_sequence random(d.seed);
  host_context context(d, random);
  for (const placed_bytes& b : p.buffers) context.initial_images()[b.name] = b.initial;
  const reference_result expected = find_host(kernels::host_table(), kernel)->reference(context, buffer);
  for (std::size_t i = 0; i < expected.value.size(); ++i)
    memory.store(p.buffer_at(buffer).address + static_cast<std::uint32_t>(4 * i),
                 static_cast<float>(expected.value[i]));
  return check(p, kernels::host_table(), memory.connection());
}

TEST(kernels, every_description_fits_its_program) {
  std::size_t descriptions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(GT200_SOURCE_DIR) + "/kernels")) {
    const std::string path = entry.path().string() + "/launch.toml";
    if (!std::filesystem::exists(path)) continue;
    SCOPED_TRACE(path);
    const description d = load(path);
    ++descriptions;
    if (cuda::is_cuda(d.source) && !cuda::clang_is_there()) continue;
    const cubin::module m = cuda::is_cuda(d.source) ? cuda::compile(d.source) : program::load(d.source);
    device_allocator allocator;
    EXPECT_EQ(prepare(d, m, kernels::host_table(), allocator).buffers.size(), d.buffers.size());
    EXPECT_TRUE(std::any_of(d.expectations.begin(), d.expectations.end(), [](const auto& e) { return e.applies; }))
        << "a run with the default parameters must be checked";
  }
  EXPECT_GE(descriptions, 2u);
}

TEST(kernels, vector_add_inputs_have_the_published_checksums) {
  const description d = load(description_path("vector_add"));
  const auto content = make_initial_content(d, kernels::host_table());
  EXPECT_EQ(crc32(content.at("A").data(), content.at("A").size()), 0x7879e4edu);
  EXPECT_EQ(crc32(content.at("B").data(), content.at("B").size()), 0xa146e9d5u);
}

TEST(kernels, vector_add_reference_has_the_published_checksum) {
  const check_result r = check_reference_against_checksums("vector_add", "C", {});
  EXPECT_TRUE(r.passed) << r.message;
  EXPECT_EQ(r.checks, 2u);
}

TEST(kernels, madloop_reference_has_the_published_checksums) {
  for (const std::int64_t iterations : {2, 8}) {
    overrides changes;
    changes.parameters = {{"ITERS", iterations}};
    const check_result r = check_reference_against_checksums("madloop", "out", changes);
    EXPECT_TRUE(r.passed) << r.message;
    EXPECT_EQ(r.checks, 2u);
  }
}

}  // namespace
}  // namespace gt200::launch
