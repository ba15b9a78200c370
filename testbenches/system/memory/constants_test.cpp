// Constant caches are invalidated at a launch and only then: writes of the host between launches are seen; what a
// kernel writes through global memory is stale until the next launch.
#include <gtest/gtest.h>

#include "testbenches/support/assembly_run.h"
#include "testbenches/system/memory/memory_board.h"

namespace gt200::support {
namespace {

constexpr std::uint32_t alias = 0x70000000;  // virtual address of the constants
constexpr std::uint32_t old_value = 0x11111111;
constexpr std::uint32_t new_value = 0x22222222;

// Writes c1[value] to out[0], stores `store` at `alias`, loads it back to out[1], writes c1[value] to out[2].
constexpr const char* program = R"(
.target sm_13
.entry constants
.param u32 out
.param u32 alias
.param u32 store
.literal value u32 0x11111111
  mov b32 $r1 b32 s[out]
  mov b32 $r2 b32 s[alias]
  mov b32 $r3 b32 s[store]
  add b32 $r4 $r124 c1[value]
  st b32 g14[$r1] $r4
  st b32 g14[$r2] $r3
  ld b32 $r5 g14[$r2]
  add b32 $r1 $r1 0x4
  st b32 g14[$r1] $r5
  add b32 $r4 $r124 c1[value]
  add b32 $r1 $r1 0x4
  exit st b32 g14[$r1] $r4
.end
)";

class constants : public ::testing::Test {
 protected:
  constants() : board(configuration("gt200_small"), program) {
    out = board.buffer(std::vector<std::uint32_t>(3));
    scratch = board.buffer(std::vector<std::uint32_t>(1));
  }
  // {c1[value] at the beginning, what memory holds, c1[value] at the end}
  std::vector<std::uint32_t> launch(std::uint32_t address, std::uint32_t store) {
    EXPECT_EQ(board.run(1, 32, {out, address, store}), "");
    return board.content<std::uint32_t>(out, 3);
  }
  std::uint64_t physical_constants() { return board.chip.grid().constants[1].address; }

  memory_board board;
  std::uint32_t out = 0;
  std::uint32_t scratch = 0;
};

using values = std::vector<std::uint32_t>;

TEST_F(constants, written_by_the_host_between_launches_are_seen) {
  EXPECT_EQ(launch(scratch, 7), (values{old_value, 7, old_value}));
  board.chip.chip().host.poke(physical_constants(), reinterpret_cast<const std::uint8_t*>(&new_value), 4);
  EXPECT_EQ(launch(scratch, 7), (values{new_value, 7, new_value}));
}

TEST_F(constants, written_through_global_memory_are_stale_until_the_next_launch) {
  EXPECT_EQ(launch(scratch, 7), (values{old_value, 7, old_value}));
  const std::uint64_t page = physical_constants() & ~std::uint64_t{4095};
  board.chip.chip().pages.map(alias, 4096, page);
  const auto at = alias + static_cast<std::uint32_t>(physical_constants() - page);
  EXPECT_EQ(launch(at, new_value), (values{old_value, new_value, old_value})) << "memory is new, the cache is not";
  EXPECT_EQ(launch(scratch, 7), (values{new_value, 7, new_value}));
}

}  // namespace
}  // namespace gt200::support
