// As soon as a launch has ended the host may read and write its last writes, however far they still are from the
// DRAM. The memory clock here is so slow that writes wait everywhere.
#include <gtest/gtest.h>

#include "testbenches/support/assembly_run.h"
#include "testbenches/system/memory/memory_board.h"

namespace gt200::support {
namespace {

// Every thread adds 1 to its word of `counted` and stores 1 to its word of `stored`.
constexpr const char* program = R"(
.target sm_13
.entry writes
.param u32 counted
.param u32 stored
  cvt u32 $r1 u16 $r0l
  shl b32 $r1 $r1 0x2
  add b32 $r2 b32 s[counted] $r1
  add b32 $r3 b32 s[stored] $r1
  mov b32 $r4 0x1
  st b32 g14[$r3] $r4
  exit red add u32 g14[$r2] $r4
.end
)";

class last_writes : public ::testing::TestWithParam<const char*> {
 protected:
  last_writes() : board(configuration("gt200_small", {std::string("clocks.memory_mhz=") + GetParam()}), program) {
    counted = board.buffer(zeros);
    stored = board.buffer(zeros);
  }
  void launch() { EXPECT_EQ(board.run(1, threads, {counted, stored}), ""); }
  using words = std::vector<std::uint32_t>;
  words read(std::uint32_t address) { return board.content<std::uint32_t>(address, threads); }
  void write(std::uint32_t address, const words& content) {
    board.chip.poke(address, reinterpret_cast<const std::uint8_t*>(content.data()), content.size() * 4);
  }

  static constexpr unsigned threads = 64;
  const words zeros = words(threads);
  memory_board board;
  std::uint32_t counted = 0;
  std::uint32_t stored = 0;
};

TEST_P(last_writes, are_read_by_the_host) {
  launch();
  EXPECT_EQ(read(counted), words(threads, 1));
  EXPECT_EQ(read(stored), words(threads, 1));
}

TEST_P(last_writes, do_not_overwrite_what_the_host_writes) {
  launch();
  write(counted, words(threads, 5));
  write(stored, zeros);
  EXPECT_EQ(read(counted), words(threads, 5));
  launch();
  EXPECT_EQ(read(counted), words(threads, 6));
  EXPECT_EQ(read(stored), words(threads, 1));
}

INSTANTIATE_TEST_SUITE_P(slow_memory, last_writes, ::testing::Values("6", "5", "4", "3.7"),
                         [](const auto& test) { return "of_case_" + std::to_string(test.index); });

}  // namespace
}  // namespace gt200::support
