// The SP's RTL: its timing and directed results on its pins, and random operations and all pairs of special values
// beside the semantics functions.
#include <gtest/gtest.h>

#include <set>

#include "rtl_ref/sp/sp.h"
#include "testbenches/rtl/sp_bench.h"

namespace gt200 {
namespace {

using rtl::sp_control;
using rtl::sp_operation;

constexpr unsigned sp_depth = 8;

sp_control plain(sp_operation operation) {
  sp_control c;
  c.operation = operation;
  return c;
}

class sp_pins_test : public ::testing::Test {
 protected:
  // The result of one operation, which must come exactly depth() edges later.
  rtl::lane_result result_of(const sp_control& control, const rtl::lane_operands& operands) {
    pins_->start(control, operands);
    for (unsigned n = 1; n < pins_->depth(); ++n) {
      pins_->edge();
      EXPECT_EQ(pins_->result(), nullptr) << n;
    }
    pins_->edge();
    const rtl::lane_result* const result = pins_->result();
    if (result == nullptr) {
      ADD_FAILURE() << "no result";
      return {};
    }
    return *result;
  }

  std::unique_ptr<rtl::sp_pins> pins_ = rtl::make_sp(sp_depth);
};

TEST_F(sp_pins_test, a_result_comes_after_as_many_edges_as_the_pipeline_is_deep) {
  EXPECT_EQ(result_of(plain(sp_operation::add), {{2, 3, 0}, 0, 0}).destination, 5u);
  pins_->edge();
  EXPECT_EQ(pins_->result(), nullptr);
}

TEST_F(sp_pins_test, an_operation_can_start_in_every_cycle) {
  for (std::uint32_t n = 0; n < 3 * pins_->depth(); ++n) {
    if (n < pins_->depth()) {
      EXPECT_EQ(pins_->result(), nullptr);
    } else {
      ASSERT_NE(pins_->result(), nullptr);
      EXPECT_EQ(pins_->result()->destination, n - pins_->depth() + 1000);
    }
    pins_->start(plain(sp_operation::add), {{n, 1000, 0}, 0, 0});
    pins_->edge();
  }
}

TEST_F(sp_pins_test, two_operations_in_a_cycle_are_a_mistake_of_the_caller) {
  pins_->start(plain(sp_operation::add), {});
  EXPECT_THROW(pins_->start(plain(sp_operation::add), {}), std::logic_error);
}

TEST_F(sp_pins_test, multiply_add_truncates_the_product) {
  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46; less 1 + 2^-22 nothing is left, where a fused operation would leave 2^-46.
  const sp_control c = plain(sp_operation::float_multiply_add);
  EXPECT_EQ(result_of(c, {{0x3f800001, 0x3f800001, 0xbf800002}, 0, 0}).destination, 0u);
  // (1 + 2^-23)(1 - 2^-24) = 1 + 2^-24 - 2^-47: truncated 1, rounded 1; plus 2^-24 it stays a tie and becomes even.
  EXPECT_EQ(result_of(c, {{0x3f800001, 0x3f7fffff, 0x33800000}, 0, 0}).destination, 0x3f800000u);
}

TEST_F(sp_pins_test, an_integer_addition_has_four_flags) {
  const rtl::lane_result r = result_of(plain(sp_operation::add), {{0x80000000, 0x80000000, 0}, 0, 0});
  EXPECT_EQ(r.destination, 0u);
  EXPECT_EQ(r.flags_out, 0xd);  // overflow, carry, zero
}

TEST_F(sp_pins_test, an_address_is_a_result_of_its_own) {
  const rtl::lane_result r = result_of(plain(sp_operation::add_to_address), {{0, 8, 0}, 0, 0xfffc});
  EXPECT_EQ(r.address_out, 4);
  EXPECT_EQ(r.destination, 0u);
}

TEST(sp_rtl, has_every_instruction_of_its_classes_that_needs_one_lane_only) {
  using isa::tesla::opcode;
  const std::set<opcode> of_several_lanes = {opcode::vote_any, opcode::vote_all, opcode::quadop};
  std::set<opcode> lacking;
  for (const isa::tesla::encoded& e : isa::tesla::random_instructions(20)) {
    const auto i = isa::tesla::decoded(e.words);
    const bool of_class = i->unit == isa::unit_class::sp || i->unit == isa::unit_class::sp_mul ||
                          i->unit == isa::unit_class::shared_move;
    if (!of_class) {
      EXPECT_FALSE(rtl::supported(*i)) << isa::text_of(*i);
    } else if (!rtl::supported(*i)) {
      lacking.insert(i->op);
    }
  }
  EXPECT_EQ(lacking, of_several_lanes);
}

TEST(sp_rtl, computes_random_operations_like_the_semantics_and_every_bin_is_hit) {
  support::sp_bench bench(rtl::make_sp(sp_depth), 2008);
  EXPECT_EQ(bench.run(1'000'000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}

TEST(sp_rtl, computes_all_pairs_of_special_values_like_the_semantics) {
  support::sp_bench bench(rtl::make_sp(sp_depth), 1);
  EXPECT_EQ(bench.run_special_values(), std::nullopt);
  EXPECT_GT(bench.operations(), 1'000'000u);
}

// Flips a bit of the result of the `from`-th operation, or loses it.
class broken_sp : public rtl::sp_pins {
 public:
  broken_sp(unsigned from, bool loses) : left_(from), loses_(loses) {}
  unsigned depth() const override { return sound_->depth(); }
  void start(const sp_control& control, const rtl::lane_operands& operands) override {
    sound_->start(control, operands);
  }
  void edge() override {
    sound_->edge();
    if (sound_->result() == nullptr) return;
    result_ = *sound_->result();
    if (left_ != 0) --left_;
    if (left_ == 0) result_.destination ^= 0x400;
  }
  const rtl::lane_result* result() const override {
    if (sound_->result() == nullptr || (left_ == 0 && loses_)) return nullptr;
    return &result_;
  }

 private:
  std::unique_ptr<rtl::sp_pins> sound_ = rtl::make_sp(sp_depth);
  rtl::lane_result result_;
  unsigned left_;
  bool loses_;
};

TEST(broken_sp_rtl, is_reported_with_operation_operands_and_both_results) {
  for (const bool loses : {false, true}) {
    support::sp_bench bench(std::make_unique<broken_sp>(500, loses), 1);
    const auto text = bench.run(2000);
    ASSERT_TRUE(text);
    for (const char* part :
         {"operation 499: ", "  x ", "  model: value ", loses ? "  RTL:   no result" : "  RTL:   value "})
      EXPECT_NE(text->find(part), std::string::npos) << part << " in\n" << *text;
  }
}

}  // namespace
}  // namespace gt200
