// Which misses share an MSHR, and in which order the requests that wait for a line are served.
#include "sc_models/cache/mshr_file.h"

#include <gtest/gtest.h>

#include "sc_models/cache/mshr_waiters.h"

namespace gt200::model {
namespace {

constexpr unsigned none = mshr_file::none;

TEST(mshr_file_test, a_line_on_its_way_is_found_until_its_entry_is_released) {
  mshr_file mshrs(2);
  EXPECT_EQ(mshrs.find(0x100), none);
  const unsigned taken = mshrs.take(0x100, 7);
  EXPECT_EQ(mshrs.find(0x100), taken);
  EXPECT_EQ(mshrs.find(0x200), none);
  EXPECT_EQ(mshrs[taken].line, 0x100u);
  EXPECT_EQ(mshrs[taken].taken_at, 7u);
  mshrs.release(taken);
  EXPECT_EQ(mshrs.find(0x100), none);
}

TEST(mshr_file_test, the_lowest_free_entry_is_taken) {
  mshr_file mshrs(3);
  EXPECT_EQ(mshrs.take(0x100, 0), 0u);
  EXPECT_EQ(mshrs.take(0x200, 0), 1u);
  mshrs.release(0);
  EXPECT_EQ(mshrs.take(0x300, 0), 0u);
  EXPECT_EQ(mshrs.take(0x400, 0), 2u);
  EXPECT_EQ(mshrs.busy_mask(), 0b111u);
}

TEST(mshr_file_test, a_full_file_gives_no_entry) {
  mshr_file mshrs(1);
  mshrs.take(0x100, 0);
  EXPECT_TRUE(mshrs.full());
  EXPECT_EQ(mshrs.take(0x200, 0), none);
  EXPECT_EQ(mshrs.busy(), 1u);
  mshrs.release(0);
  EXPECT_FALSE(mshrs.full());
  EXPECT_EQ(mshrs.busy(), 0u);
}

TEST(mshr_file_test, a_line_invalidated_on_its_way_takes_no_later_miss) {
  mshr_file mshrs(2);
  const unsigned old = mshrs.take(0x100, 0);
  mshrs.invalidate();
  EXPECT_TRUE(mshrs[old].invalidated);
  EXPECT_EQ(mshrs.find(0x100), none);
  EXPECT_EQ(mshrs.find_also_invalidated(0x100), old);
  const unsigned fresh = mshrs.take(0x100, 5);
  EXPECT_NE(fresh, old);
  EXPECT_EQ(mshrs.find(0x100), fresh);
  EXPECT_FALSE(mshrs[fresh].invalidated);
}

TEST(mshr_file_test, one_line_may_be_invalidated_alone) {
  mshr_file file(2);
  const unsigned dropped = file.take(0, 1);
  const unsigned other = file.take(64, 1);
  file.invalidate(dropped);
  EXPECT_EQ(file.find(0), mshr_file::none);
  EXPECT_EQ(file.find_also_invalidated(0), dropped);
  EXPECT_EQ(file.find(64), other);
}

TEST(mshr_file_test, an_entry_taken_after_an_invalidation_is_valid) {
  mshr_file mshrs(1);
  mshrs.take(0x100, 0);
  mshrs.invalidate();
  mshrs.release(0);
  mshrs.invalidate();
  EXPECT_FALSE(mshrs[mshrs.take(0x200, 9)].invalidated);
}

class waiters : public ::testing::Test {
 protected:
  mshr_waiters<int> lists{2};
  std::vector<int> served(unsigned entry) {
    std::vector<int> all;
    lists.serve(entry, [&](int who) { all.push_back(who); });
    return all;
  }
};

TEST_F(waiters, are_served_in_order_of_arrival) {
  lists.add(0, 1);
  lists.add(1, 10);
  lists.add(0, 2);
  lists.add(0, 3);
  EXPECT_EQ(served(0), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(served(1), (std::vector<int>{10}));
}

TEST_F(waiters, are_served_once) {
  lists.add(0, 1);
  served(0);
  EXPECT_EQ(served(0), std::vector<int>{});
  lists.add(0, 2);
  EXPECT_EQ(served(0), std::vector<int>{2});
}

TEST_F(waiters, of_one_line_may_wait_for_another_one_when_they_are_served) {
  lists.add(0, 1);
  lists.add(0, 2);
  lists.serve(0, [&](int who) { lists.add(1, who + 100); });
  EXPECT_EQ(served(0), std::vector<int>{});
  EXPECT_EQ(served(1), (std::vector<int>{101, 102}));
}

}  // namespace
}  // namespace gt200::model
