#include "sc_models/sm/volta/wanted_lines.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace gt200::model {
namespace {

using lines = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // id, address

// What is sent in a cycle; lines above `refused` stay.
lines sent(wanted_lines& wanted, unsigned cycle, std::uint64_t refused = ~std::uint64_t{0}) {
  lines result;
  wanted.send(core_cycle(cycle), [&](std::uint64_t id, std::uint64_t address) {
    result.emplace_back(id, address);
    return address < refused;
  });
  return result;
}

TEST(wanted_lines, are_sent_in_the_next_cycle_whoever_comes_first) {
  for (const bool asks_first : {false, true}) {
    wanted_lines wanted;
    wanted.ask(warp_slot(4), 11, 0x40, core_cycle(7));
    wanted.ask(warp_slot(0), 12, 0x80, core_cycle(7));
    EXPECT_EQ(sent(wanted, 7), lines());
    if (asks_first) wanted.ask(warp_slot(8), 3, 0xc0, core_cycle(8));
    EXPECT_EQ(sent(wanted, 8), (lines{{11, 0x40}, {12, 0x80}}));
    if (!asks_first) wanted.ask(warp_slot(8), 3, 0xc0, core_cycle(8));
    EXPECT_EQ(sent(wanted, 9), (lines{{3, 0xc0}}));
    EXPECT_EQ(sent(wanted, 10), lines());
  }
}

TEST(wanted_lines, that_are_refused_are_sent_again_the_oldest_first) {
  wanted_lines wanted;
  wanted.ask(warp_slot(1), 20, 0x100, core_cycle(1));
  wanted.ask(warp_slot(2), 10, 0x140, core_cycle(1));
  wanted.ask(warp_slot(3), 15, 0x40, core_cycle(1));
  EXPECT_EQ(sent(wanted, 2, 0x100), (lines{{10, 0x140}, {15, 0x40}, {20, 0x100}}));
  wanted.ask(warp_slot(1), 20, 0x100, core_cycle(2));  // again: that changes nothing
  EXPECT_EQ(sent(wanted, 3), (lines{{10, 0x140}, {20, 0x100}}));
  EXPECT_EQ(sent(wanted, 4), lines());
}

}  // namespace
}  // namespace gt200::model
