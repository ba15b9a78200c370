// A level of the TLB alone: what a generator looks up and inserts, and what a monitor in between sees of it.
#include "sc_models/memory_path/tlb_level.h"

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_generator.h"
#include "testbenches/support/transaction_monitor.h"

namespace gt200::model {
namespace {

constexpr std::uint32_t page = 4096;
constexpr translation block{0x10000, 4 * page, 0x500000, true, false};

class tlb_level_test : public support::systemc_test {
 protected:
  tlb_level_test() {
    generator.out.bind(monitor.in);
    monitor.out.bind(level.accesses);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  translation_access look_up(std::uint64_t address) {
    translation_access a;
    a.address = address;
    return generator.send(a);
  }
  translation_access insert(std::uint64_t address) {
    translation_access a;
    a.address = address;
    a.insert = true;
    a.block = block;
    return generator.send(a);
  }

  tlb_level level{"level", 2, 2, page};
  support::transaction_generator<translation_access> generator{"generator"};
  support::transaction_monitor<translation_access> monitor{"monitor"};
};

TEST_F(tlb_level_test, an_entry_covers_the_part_of_its_block_in_one_page) {
  EXPECT_FALSE(look_up(0x11010).hit);
  EXPECT_EQ(insert(0x11010).part.first, 0x11000u);
  const translation_access found = look_up(0x11fff);
  ASSERT_TRUE(found.hit);
  EXPECT_EQ(found.part.first, 0x11000u);
  EXPECT_EQ(found.part.bytes, page);
  EXPECT_EQ(found.part.physical, 0x501000u);
  EXPECT_TRUE(found.part.read_only);
  EXPECT_EQ(found.block.first, block.first);
  EXPECT_EQ(found.block.bytes, block.bytes);
  EXPECT_FALSE(look_up(0x12000).hit) << "in the block, but in another page";
}

TEST_F(tlb_level_test, the_entry_not_used_for_longest_makes_room) {
  insert(0x10000);
  insert(0x11000);
  look_up(0x10000);
  insert(0x12000);
  EXPECT_TRUE(look_up(0x10000).hit);
  EXPECT_FALSE(look_up(0x11000).hit);
}

TEST_F(tlb_level_test, a_monitor_sees_look_ups_and_insertions_with_their_answers) {
  look_up(0x11010);
  insert(0x11010);
  look_up(0x11014);
  ASSERT_EQ(monitor.seen.size(), 3u);
  EXPECT_FALSE(monitor.seen[0].hit);
  EXPECT_TRUE(monitor.seen[1].insert);
  EXPECT_EQ(monitor.seen[1].block.physical, block.physical);
  EXPECT_TRUE(monitor.seen[2].hit);
  EXPECT_EQ(monitor.seen[2].address + monitor.seen[2].part.physical_offset(), 0x501014u);
}

}  // namespace
}  // namespace gt200::model
