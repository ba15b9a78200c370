#include "toolchain/launch/pack_parameters.h"

#include <gtest/gtest.h>

namespace gt200::launch {
namespace {

using bytes = std::vector<std::uint8_t>;

TEST(pack_parameters, aligns_every_value_to_its_own_size) {
  EXPECT_EQ(pack_parameters(std::uint8_t{1}, std::uint16_t{0x0302}, std::uint8_t{4}, std::uint64_t{5}),
            (bytes{1, 0, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(pack_parameters, takes_floats_by_their_bits) {
  EXPECT_EQ(pack_parameters(1.0f, -2), (bytes{0, 0, 0x80, 0x3f, 0xfe, 0xff, 0xff, 0xff}));
}

TEST(pack_parameters, of_nothing_is_empty) { EXPECT_EQ(pack_parameters(), bytes{}); }

}  // namespace
}  // namespace gt200::launch
