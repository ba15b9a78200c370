// Which rows of the register file a warp reads and writes, and which part of them belongs to which SP.
#include "sc_models/sm/operands/register_file.h"

#include <gtest/gtest.h>

#include "testbenches/support/systemc_test.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "testbenches/unit/sm/operands/register_ports.h"

namespace gt200::model {
namespace {

using isa::register_file_kind;
using isa::register_part;
using testing::allocate;
using testing::read_registers;
using testing::write_register;

class register_file_test : public support::systemc_test {
 protected:
  void build(detail_window by_slices = {}) {
    config_ = testing::sm_config_with({"tpc.sm.units.detail=lane"});
    registers_ = std::make_unique<register_file>("registers", config_, by_slices);
    ports_ = std::make_unique<testing::unused_register_ports>("ports", *registers_,
                                                              testing::unused_register_ports::users{});
  }
  void write(unsigned warp, unsigned gpr, std::uint32_t value, isa::lane_mask lanes = ~isa::lane_mask{0},
             register_part part = register_part::whole) {
    isa::lane_words row;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) row.lane[lane] = value + lane;
    write_register(*registers_, warp, register_file_kind::gpr, gpr, &row, lanes, part);
  }
  std::uint32_t read(unsigned warp, unsigned gpr, unsigned lane = 0) {
    isa::lane_words row;
    read_registers(*registers_, warp, gpr, 1, &row);
    return row.lane[lane];
  }

  config::sm_config config_;
  std::unique_ptr<register_file> registers_;
  std::unique_ptr<testing::unused_register_ports> ports_;
};

TEST_F(register_file_test, warps_have_rows_of_their_own) {
  build();
  allocate(*registers_, 0, 0, 10);
  allocate(*registers_, 1, 10, 10);
  write(0, 9, 100);
  write(1, 0, 200);
  EXPECT_EQ(read(0, 9, 31), 131u);
  EXPECT_EQ(read(1, 0), 200u);
}
TEST_F(register_file_test, rows_keep_their_content_for_the_next_warp) {
  build();
  allocate(*registers_, 0, 4, 2);
  write(0, 1, 7);
  allocate(*registers_, 5, 5, 1);
  EXPECT_EQ(read(5, 0), 7u);
}
TEST_F(register_file_test, registers_that_are_not_allocated_read_as_zero_and_take_no_value) {
  build();
  allocate(*registers_, 2, 0, 10);
  allocate(*registers_, 3, 10, 1);
  write(2, 10, 5);
  EXPECT_EQ(read(2, 10), 0u);
  EXPECT_EQ(read(2, 127), 0u);
  EXPECT_EQ(read(3, 0), 0u) << "the row behind is the next warp's";
}
TEST_F(register_file_test, only_the_lanes_of_a_write_change) {
  build();
  allocate(*registers_, 0, 0, 1);
  write(0, 0, 100);
  write(0, 0, 200, 0x2);
  EXPECT_EQ(read(0, 0, 0), 100u);
  EXPECT_EQ(read(0, 0, 1), 201u);
}
TEST_F(register_file_test, a_half_leaves_the_other_half) {
  build();
  allocate(*registers_, 0, 0, 1);
  write(0, 0, 0x11110000);
  write(0, 0, 0x2200, ~isa::lane_mask{0}, register_part::high);
  EXPECT_EQ(read(0, 0, 3), 0x22030003u);
  write(0, 0, 0x4400, 0x8, register_part::low);
  EXPECT_EQ(read(0, 0, 3), 0x22034403u);
}
TEST_F(register_file_test, conditions_and_addresses_start_at_zero) {
  build();
  allocate(*registers_, 0, 0, 1);
  std::uint8_t flags[isa::warp_size] = {};
  std::uint16_t addresses[isa::warp_size] = {};
  flags[7] = 3;
  addresses[7] = 4;
  write_register(*registers_, 0, register_file_kind::condition, 1, flags);
  write_register(*registers_, 0, register_file_kind::address, 2, addresses);
  EXPECT_EQ(registers_->rows(warp_slot(0)).condition(1)[7], 3u);
  EXPECT_EQ(registers_->rows(warp_slot(0)).address(2)[7], 4u);
  allocate(*registers_, 0, 0, 1);
  EXPECT_EQ(registers_->rows(warp_slot(0)).condition(1)[7], 0u);
  EXPECT_EQ(registers_->rows(warp_slot(0)).address(2)[7], 0u);
}
TEST_F(register_file_test, the_file_has_the_configured_rows_and_no_more) {
  build();
  const unsigned rows = config_.limits.registers / isa::warp_size;
  EXPECT_NO_THROW(allocate(*registers_, 0, rows - 4, 4));
  EXPECT_THROW(allocate(*registers_, 0, rows - 3, 4), std::logic_error);
}

// -- the parts of the SPs --

class slice_observer : public tlm_bus::transaction_observer<slice_access> {
 public:
  std::vector<slice_access> seen;

 private:
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const slice_access& access) override {
    seen.push_back(access);
  }
};

TEST_F(register_file_test, slices_are_there_only_where_values_pass_through_them) {
  build();
  EXPECT_EQ(registers_->slices(), 0u);
}
TEST_F(register_file_test, each_sp_has_2048_registers) {
  build(detail_window::always(core()));
  ASSERT_EQ(registers_->slices(), 8u);
  EXPECT_EQ(registers_->slice(7).entries(), 2048u);
  EXPECT_STREQ(registers_->slice(7).name(), "registers.sp_7");
}
TEST_F(register_file_test, lane_by_lane_every_value_passes_the_slice_of_its_sp) {
  build(detail_window(testing::sm_config_with({"tpc.sm.units.detail=lane"}).units, 0, core(), 1));
  allocate(*registers_, 0, 3, 2);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaboration binds the slices
  slice_observer observer;
  registers_->slice(2).access.observers().attach(observer);
  write(0, 1, 100, 0x0000ff04);  // lanes 2, 10 of SP 2 among others
  EXPECT_EQ(read(0, 1, 10), 110u);
  ASSERT_EQ(observer.seen.size(), 2u);
  EXPECT_TRUE(observer.seen[0].writes);
  EXPECT_EQ(observer.seen[0].row, 4u);
  EXPECT_EQ(observer.seen[0].lanes, 0b11u);
  EXPECT_EQ(observer.seen[0].data[0], 102u);
  EXPECT_EQ(observer.seen[0].data[1], 110u);
  EXPECT_FALSE(observer.seen[1].writes);
  EXPECT_EQ(observer.seen[1].data[1], 110u);
}

}  // namespace
}  // namespace gt200::model
