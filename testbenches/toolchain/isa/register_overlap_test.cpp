// Two ranges overlap when a register is in both: same file and same number. A set of registers says the same.
#include "toolchain/isa/common/registers.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace gt200::isa {
namespace {

using file = register_file_kind;

std::set<std::pair<file, unsigned>> registers_of(const register_range& range) {
  std::set<std::pair<file, unsigned>> result;
  for (unsigned r = range.first; r < unsigned{range.first} + range.count; ++r) result.insert({range.file, r});
  return result;
}

TEST(register_overlap, agrees_with_sets_of_numbers_for_all_ranges) {
  for (const file f : {file::gpr, file::condition, file::address}) {
    const unsigned registers = f == file::gpr ? 256 : f == file::condition ? 4 : 8;
    for (unsigned first = 0; first < registers; ++first)
      for (const std::uint8_t count : {1, 2, 4}) {
        const register_range b = {f, static_cast<std::uint8_t>(first), count};
        const auto expected = registers_of(b);
        for (const file other : {file::gpr, file::condition, file::address})
          for (unsigned start = 0; start < (other == file::gpr ? 256u : 8u); ++start)
            for (const std::uint8_t length : {0, 1, 3, 4}) {
              const register_range a = {other, static_cast<std::uint8_t>(start), length};
              bool meets = false;
              for (const auto& r : registers_of(a)) meets |= expected.count(r) != 0;
              register_set set;
              set.add(a);
              ASSERT_EQ(set.meets(register_place(b)), meets) << "as a set";
              ASSERT_EQ(overlap(a, b), meets) << static_cast<int>(other) << ' ' << start << " x " << +length << ", "
                                              << static_cast<int>(f) << ' ' << first << " x " << +count;
            }
      }
  }
}

TEST(register_overlap, does_not_wrap_from_the_end_of_a_file_to_its_beginning) {
  EXPECT_FALSE(overlap({file::gpr, 0, 2}, {file::gpr, 255, 4}));
  EXPECT_FALSE(overlap({file::gpr, 255, 4}, {file::gpr, 0, 2}));
  register_set end;
  end.add({file::gpr, 255, 4});
  EXPECT_FALSE(end.meets(register_place({file::gpr, 0, 2})));
  EXPECT_FALSE(end.meets(register_place({file::condition, 0, 4}))) << "nor into the next file";
}

}  // namespace
}  // namespace gt200::isa
