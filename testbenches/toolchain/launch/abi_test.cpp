// The initial shared memory and $r0 of a thread block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "toolchain/launch/abi.h"

namespace gt200::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

launch_parameters some_launch(const cubin::kernel& k) {
  launch_parameters p;
  p.kernel = &k;
  p.grid = {300, 2};
  p.block = {8, 4, 3};
  p.parameter_bytes = {0xaa, 0xbb};
  p.grid_id = 0x1234;
  return p;
}

TEST(abi, block_header_and_parameters) {
  const cubin::kernel k;
  std::vector<std::uint8_t> shared(20, 0x55);
  write_shared_image(some_launch(k), 299, 1, shared.data());
  EXPECT_THAT(shared, ElementsAre(0x34, 0x12, 8, 0, 4, 0, 3, 0, 300 & 255, 1, 2, 0, 299 & 255, 1, 1, 0, 0xaa, 0xbb,
                                  0x55, 0x55))
      << "bytes behind the parameters are not touched";
}

TEST(abi, thread_id_is_packed_into_one_register) {
  EXPECT_EQ(pack_thread_id(511, 1023, 63), 0xffff01ffu);
  EXPECT_EQ(pack_thread_id(1, 0, 0), 1u);
  EXPECT_EQ(pack_thread_id(0, 1, 0), 0x10000u);
  EXPECT_EQ(pack_thread_id(0, 0, 1), 0x4000000u);
}

TEST(abi, threads_are_numbered_with_x_fastest) {
  const std::array<std::uint32_t, 3> block = {8, 4, 3};
  EXPECT_EQ(initial_r0(7, block), pack_thread_id(7, 0, 0));
  EXPECT_EQ(initial_r0(8, block), pack_thread_id(0, 1, 0));
  EXPECT_EQ(initial_r0(95, block), pack_thread_id(7, 3, 2));
}

TEST(abi, sizes) {
  cubin::kernel k;
  launch_parameters p = some_launch(k);
  EXPECT_EQ(threads_per_block(p), 96u);
  EXPECT_EQ(warps_per_block(p), 3u);
  EXPECT_EQ(blocks_in_grid(p), 600u);
  EXPECT_EQ(shared_bytes_per_block(p), 18u) << "header and parameters, when the kernel declares less";
  k.shared_bytes = 100;
  p.dynamic_shared = 28;
  EXPECT_EQ(shared_bytes_per_block(p), 128u);
  p.block = {33, 1, 1};
  EXPECT_EQ(warps_per_block(p), 2u) << "the last warp may be partly empty";
}

TEST(abi, impossible_grids_are_refused_by_name) {
  cubin::kernel k;
  const launch_parameters good = some_launch(k);
  EXPECT_EQ(refusal(good), "");
  launch_parameters p = good;
  p.kernel = nullptr;
  EXPECT_EQ(refusal(p), "no kernel");
  p = good;
  p.grid = {1, 65536};
  EXPECT_EQ(refusal(p), "grid.y is 65536, allowed are 1 to 65535");
  p = good;
  p.block = {1, 1, 65};
  EXPECT_EQ(refusal(p), "block.z is 65, allowed are 1 to 64");
  p = good;
  p.block = {0, 1, 1};
  EXPECT_EQ(refusal(p), "block.x is 0, allowed are 1 to 1024");
  p = good;
  p.block = {16, 16, 3};
  EXPECT_THAT(refusal(p), HasSubstr("768 threads"));
  p.block = {512, 1, 1};
  EXPECT_EQ(refusal(p), "");
  p = good;
  p.parameter_bytes.resize(257);
  EXPECT_THAT(refusal(p), HasSubstr("257 bytes"));
  p = good;
  for (const auto& block : {std::array<std::uint32_t, 3>{32, 32, 1}, {1024, 1, 1}, {1, 1024, 1}}) {
    p.block = block;
    EXPECT_EQ(refusal(p), "the block has 1024 threads, at most 512 are possible");
    EXPECT_EQ(refusal(p, 1024), "");
  }
  p = good;
  k.shared_bytes = 16384;
  EXPECT_EQ(refusal(p), "");
  p.dynamic_shared = 1;
  EXPECT_THAT(refusal(p), HasSubstr("16385 bytes of shared memory"));
}

}  // namespace
}  // namespace gt200::launch
