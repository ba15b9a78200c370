// A range intersects a set when one of its registers is in the set: same file and same number.
#include "toolchain/isa/common/register_set.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace gt200::isa {
namespace {

using file = register_file_kind;

TEST(register_set, nothing_intersects_an_empty_one) {
  const register_set none;
  for (const file f : {file::gpr, file::condition, file::address})
    EXPECT_FALSE(none.meets({f, 0, 4})) << static_cast<int>(f);
}

TEST(register_set, agrees_with_a_set_of_numbers_for_all_ranges) {
  for (const file f : {file::gpr, file::condition, file::address}) {
    const unsigned registers = f == file::gpr ? 128 : f == file::condition ? 4 : 8;
    for (unsigned first = 0; first < registers; ++first)
      for (const std::uint8_t count : {1, 2, 4}) {
        register_set set;
        set.add({f, static_cast<std::uint8_t>(first), count});
        std::set<std::pair<file, unsigned>> expected;
        for (unsigned r = first; r < first + count; ++r) expected.insert({f, r});
        for (const file other : {file::gpr, file::condition, file::address})
          for (unsigned start = 0; start < (other == file::gpr ? 128u : 8u); ++start)
            for (const std::uint8_t length : {0, 1, 3, 4}) {
              bool meets = false;
              for (unsigned r = start; r < start + length; ++r) meets |= expected.count({other, r}) != 0;
              ASSERT_EQ(set.meets({other, static_cast<std::uint8_t>(start), length}), meets)
                  << static_cast<int>(f) << ' ' << first << " x " << +count << ", " << static_cast<int>(other)
                  << ' ' << start << " x " << +length;
            }
      }
  }
}

TEST(register_set, keeps_what_was_added_before) {
  register_set set;
  set.add({file::gpr, 3, 1});
  set.add({file::gpr, 62, 4});  // across two words
  set.add({file::condition, 1, 1});
  EXPECT_TRUE(set.meets({file::gpr, 2, 2}));
  EXPECT_TRUE(set.meets({file::gpr, 65, 1}));
  EXPECT_FALSE(set.meets({file::gpr, 66, 4}));
  EXPECT_TRUE(set.meets({file::condition, 0, 4}));
  EXPECT_FALSE(set.meets({file::address, 1, 1}));
}

}  // namespace
}  // namespace gt200::isa
