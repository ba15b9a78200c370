// How operands and results are packed into events.
#include "observe/trace/values/operands.h"

#include <gtest/gtest.h>

namespace gt200::observe {
namespace {

using role = value_row::role;

TEST(operands, eight_lanes_of_a_row_survive_the_way_through_an_event) {
  for (const role what : {role::operand, role::address, role::predicate_read, role::general, role::low_half,
                          role::high_half, role::predicate, role::address_register})
    for (unsigned first = 0; first < isa::warp_size; first += row_part::lanes) {
      row_part part{{what, 127}, first, {}};
      for (unsigned lane = 0; lane < row_part::lanes; ++lane) part.values[lane] = 0xfffffff0u - 3 * first + lane;
      tlm_bus::event_details event;
      put(event, part);
      const row_part back = row_part_of(event);
      EXPECT_EQ(back.row.what, what);
      EXPECT_EQ(back.row.number, 127);
      EXPECT_EQ(back.first_lane, first);
      EXPECT_EQ(back.values, part.values);
    }
}

TEST(operands, are_named_as_assembly_names_them) {
  EXPECT_EQ(text_of({role::operand, 0}), "operand 1");
  EXPECT_EQ(text_of({role::operand, 9}), "operand 3.1") << "the second word of the third operand";
  EXPECT_EQ(text_of({role::general, 17}), "$r17");
  EXPECT_EQ(text_of({role::low_half, 17}), "$r17l");
  EXPECT_EQ(text_of({role::high_half, 17}), "$r17h");
  EXPECT_EQ(text_of({role::predicate, 1}), "$c1");
  EXPECT_EQ(text_of({role::address_register, 2}), "$a2");
}

}  // namespace
}  // namespace gt200::observe
