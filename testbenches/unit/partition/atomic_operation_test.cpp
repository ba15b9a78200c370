// The value that each atomic operation writes to memory (PTX ISA: atom).
#include "sc_models/partition/atomic_operation.h"

#include <gtest/gtest.h>

#include <vector>

namespace gt200::model {
namespace {

std::uint64_t apply(atomic_operation operation, std::uint64_t old, std::uint64_t value, std::uint64_t swap = 0,
                    bool is_signed = false, bool wide = false) {
  return atomic_result({operation, is_signed, wide, value, swap}, old);
}

TEST(atomic_operation_test, add_wraps_at_32_bits) {
  EXPECT_EQ(apply(atomic_operation::add, 5, 7), 12u);
  EXPECT_EQ(apply(atomic_operation::add, 0xffffffff, 2), 1u);
}

TEST(atomic_operation_test, add_of_floats_rounds_and_flushes_denormals) {
  const auto sum = [](std::uint64_t old, std::uint64_t value) {
    return atomic_result({atomic_operation::add, false, false, value, 0, true}, old);
  };
  EXPECT_EQ(sum(0x3fc00000, 0x40200000), 0x40800000u);  // 1.5 + 2.5
  EXPECT_EQ(sum(0x3f800000, 0x33800000), 0x3f800000u);  // 1 + 2^-24: to even
  EXPECT_EQ(sum(0x00000001, 0x80000001), 0x00000000u);  // zeros of both signs
  EXPECT_EQ(sum(0x7f800000, 0xff800000), 0x7fffffffu);  // infinities: NaN
}

TEST(atomic_operation_test, exch_stores_the_value) { EXPECT_EQ(apply(atomic_operation::exch, 5, 9), 9u); }

TEST(atomic_operation_test, cas_swaps_only_on_equality) {
  EXPECT_EQ(apply(atomic_operation::cas, 5, 5, 9), 9u);
  EXPECT_EQ(apply(atomic_operation::cas, 5, 6, 9), 5u);
}

TEST(atomic_operation_test, inc_counts_up_to_the_value_and_starts_over) {
  EXPECT_EQ(apply(atomic_operation::inc, 2, 3), 3u);
  EXPECT_EQ(apply(atomic_operation::inc, 3, 3), 0u);
  EXPECT_EQ(apply(atomic_operation::inc, 9, 3), 0u);
}

TEST(atomic_operation_test, dec_counts_down_and_starts_over_at_the_value) {
  EXPECT_EQ(apply(atomic_operation::dec, 2, 3), 1u);
  EXPECT_EQ(apply(atomic_operation::dec, 0, 3), 3u);
  EXPECT_EQ(apply(atomic_operation::dec, 9, 3), 3u);
  EXPECT_EQ(apply(atomic_operation::dec, 3, 3), 2u);
}

TEST(atomic_operation_test, min_and_max_compare_as_told) {
  EXPECT_EQ(apply(atomic_operation::min, 1, 0xffffffff), 1u);
  EXPECT_EQ(apply(atomic_operation::min, 1, 0xffffffff, 0, true), 0xffffffffu);
  EXPECT_EQ(apply(atomic_operation::max, 1, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(apply(atomic_operation::max, 1, 0xffffffff, 0, true), 1u);
}

TEST(atomic_operation_test, bitwise_operations) {
  EXPECT_EQ(apply(atomic_operation::and_, 0xc, 0xa), 0x8u);
  EXPECT_EQ(apply(atomic_operation::or_, 0xc, 0xa), 0xeu);
  EXPECT_EQ(apply(atomic_operation::xor_, 0xc, 0xa), 0x6u);
}

TEST(atomic_operation_test, operations_on_64_bits) {
  EXPECT_EQ(apply(atomic_operation::add, 0xffffffff, 1, 0, false, true), 0x100000000u);
  EXPECT_EQ(apply(atomic_operation::exch, 1, 0x123456789a, 0, false, true), 0x123456789au);
  EXPECT_EQ(apply(atomic_operation::cas, 0x100000005, 0x100000005, 9, false, true), 9u);
  EXPECT_EQ(apply(atomic_operation::cas, 0x100000005, 5, 9, false, true), 0x100000005u);
}

TEST(atomic_operation_test, other_operations_on_64_bits_leave_memory_as_it_is) {
  for (const auto operation :
       {atomic_operation::inc, atomic_operation::dec, atomic_operation::min, atomic_operation::max,
        atomic_operation::and_, atomic_operation::or_, atomic_operation::xor_})
    EXPECT_EQ(apply(operation, 0x100000005, 0x3, 0, false, true), 0x100000005u);
}

TEST(atomic_operation_test, operand_size) {
  EXPECT_EQ(atomic_operand_bytes(atomic_operation::add, false), 4u);
  EXPECT_EQ(atomic_operand_bytes(atomic_operation::add, true), 8u);
  EXPECT_EQ(atomic_operand_bytes(atomic_operation::cas, false), 8u);
  EXPECT_EQ(atomic_operand_bytes(atomic_operation::cas, true), 16u);
}

}  // namespace
}  // namespace gt200::model
