// Which rows of the register file a warp reads and writes.
#include "sc_models/sm/operands/register_file.h"

#include <gtest/gtest.h>

#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

class register_file_test : public ::testing::Test {
 protected:
  register_file_test() : config_(testing::sm_config_with({})), registers_("registers", config_) {}

  void write(unsigned warp, unsigned gpr, std::uint32_t value) {
    std::uint32_t* row = registers_.rows_for_write(warp_slot(warp)).gpr_for_write(gpr);
    ASSERT_NE(row, nullptr);
    row[3] = value;
  }
  std::uint32_t read(unsigned warp, unsigned gpr) const { return registers_.rows(warp_slot(warp)).gpr(gpr)[3]; }

  config::sm_config config_;
  register_file registers_;
};

TEST_F(register_file_test, warps_have_rows_of_their_own) {
  registers_.allocate(warp_slot(0), 0, 10);
  registers_.allocate(warp_slot(1), 10, 10);
  write(0, 9, 100);
  write(1, 0, 200);
  EXPECT_EQ(read(0, 9), 100u);
  EXPECT_EQ(read(1, 0), 200u);
}
TEST_F(register_file_test, rows_keep_their_content_for_the_next_warp) {
  registers_.allocate(warp_slot(0), 4, 2);
  write(0, 1, 7);
  registers_.allocate(warp_slot(5), 5, 1);
  EXPECT_EQ(read(5, 0), 7u);
}
TEST_F(register_file_test, registers_that_are_not_allocated_read_as_zero_and_take_no_value) {
  registers_.allocate(warp_slot(2), 0, 10);
  EXPECT_EQ(registers_.rows_for_write(warp_slot(2)).gpr_for_write(10), nullptr);
  EXPECT_EQ(read(2, 10), 0u);
  EXPECT_EQ(read(2, 127), 0u);
}
TEST_F(register_file_test, conditions_and_addresses_start_at_zero) {
  arch_state::register_rows& rows = registers_.allocate(warp_slot(0), 0, 1);
  rows.condition_for_write(1)[7] = 3;
  rows.address_for_write(2)[7] = 4;
  EXPECT_EQ(registers_.rows(warp_slot(0)).condition(1)[7], 3u);
  registers_.allocate(warp_slot(0), 0, 1);
  EXPECT_EQ(registers_.rows(warp_slot(0)).condition(1)[7], 0u);
  EXPECT_EQ(registers_.rows(warp_slot(0)).address(2)[7], 0u);
}
TEST_F(register_file_test, the_file_has_the_configured_rows_and_no_more) {
  const unsigned rows = config_.limits.registers / isa::warp_size;
  EXPECT_NO_THROW(registers_.allocate(warp_slot(0), rows - 4, 4));
  EXPECT_THROW(registers_.allocate(warp_slot(0), rows - 3, 4), std::logic_error);
}

}  // namespace
}  // namespace gt200::model
