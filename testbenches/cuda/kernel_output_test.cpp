// What kernels print lies in memory that they can write: a ring of records, and the position of the next one.
#include "cuda/worker/kernel_output.h"

#include <gtest/gtest.h>

#include <cstring>

#include "toolchain/cuda/kernel_library.h"

namespace gt200::cudart {
namespace {

constexpr std::uint32_t bytes = 64;

// "7" at `at`, in a ring that has the same bytes again and again.
std::vector<std::uint8_t> ring_with_record(std::uint32_t at) {
  std::vector<std::uint8_t> ring(bytes);
  const std::uint64_t record[] = {cuda::print_mark << 48 | std::uint64_t{1} << 32 | at, 0, 7};
  for (std::size_t k = 0; k < std::size(record); ++k)
    std::memcpy(&ring[(at + 8 * k) & (bytes - 1)], &record[k], sizeof record[k]);
  return ring;
}

std::string text_of(const std::vector<std::uint8_t>& ring, std::uint32_t position) {
  return output_of(ring, position, [](std::uint64_t) { return "%d"; }).text;
}

TEST(kernel_output, is_read_up_to_the_position) {
  EXPECT_EQ(text_of(ring_with_record(8), 32), "7");
  EXPECT_EQ(text_of(ring_with_record(bytes + 48), bytes + 72), "7") << "across the end of the ring";
  EXPECT_EQ(text_of(ring_with_record(8), 24), "") << "a record that ends behind the position";
}

TEST(kernel_output, ends_whatever_the_position_is) {
  for (const std::uint32_t position : {0xffffffffu, 0xfffffff8u, 0xffffffe9u, 0x80000000u, bytes - 3, 3u, 0u})
    for (const std::uint32_t at : {0xffffffe0u, 0xfffffff8u, 0u})
      EXPECT_LE(text_of(ring_with_record(at), position).size(), 1u) << position;
  EXPECT_EQ(text_of(ring_with_record(0xffffffe0u), 0xffffffffu), "7") << "whole words of it count";
}

}  // namespace
}  // namespace gt200::cudart
