// Which instruction starts when on the SPs, the SFUs and the DP unit, and which lanes pass through which unit.
#include "sc_models/sm/units/execution_units.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

#include "sc_models/config/load.h"
#include "sc_models/sm/units/unit_booking.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

using isa::unit_class;
using tlm_bus::cycle_t;

config::sm_config sm_config_with(const std::vector<std::string>& overrides) {
  return config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values.tpc.sm;
}

isa::instruction instruction_of(unit_class unit) {
  isa::instruction i;
  i.unit = unit;
  return i;
}

const isa::instruction mad = instruction_of(unit_class::sp);
const isa::instruction multiply = instruction_of(unit_class::sp_mul);
const isa::instruction transcendental = instruction_of(unit_class::sfu);
const isa::instruction dp_add = instruction_of(unit_class::dp);

class execution_units_test : public support::systemc_test {
 protected:
  void build(const std::vector<std::string>& overrides = {}) {
    config_ = sm_config_with(overrides);
    units_ = std::make_unique<execution_units>("units", shader(), config_);
    unit_group* groups[] = {&units_->sp, &units_->sfu, &units_->dp};
    for (unsigned g = 0; g < 3; ++g) {
      const std::string n = std::to_string(g);
      from_collector_[g] = std::make_unique<source>(("collector_" + n).c_str(), shader());
      from_shared_[g] = std::make_unique<source>(("shared_" + n).c_str(), shader());
      results_[g] = std::make_unique<sink>(("results_" + n).c_str(), shader(), 64);
      from_collector_[g]->out.bind(groups[g]->from_collector);
      from_shared_[g]->out.bind(groups[g]->from_shared_memory);
      groups[g]->out.bind(results_[g]->in);
    }
    products_ = std::make_unique<sink>("products", shader(), 64);
    units_->sfu.multiply_out.bind(products_->in);
  }
  // Reaches its unit in `cycle`; ids count from 1 in the order of issue.
  void arrives(cycle_t cycle, const isa::instruction& what, unit_class at) {
    warp_instruction& operation = operations_.emplace_back();
    operation.instruction = &what;
    operation.id = operation.sequence = operations_.size();
    operation.executed = ~isa::lane_mask{0};
    const unsigned g = at == unit_class::sp ? 0 : at == unit_class::sfu ? 1 : 2;
    from_collector_[g]->send_at(cycle - 1, {&operation});
  }
  // Cycles in which the instructions started, in order of their ids; the sink sees a result one cycle later.
  std::vector<cycle_t> starts() {
    run_through(200, shader());
    std::vector<cycle_t> result(operations_.size());
    for (const sink* s : {results_[0].get(), results_[1].get(), results_[2].get(), products_.get()})
      for (const auto& t : s->taken) result[t.value.operation->id - 1] = t.cycle - 1;
    return result;
  }
  using list = std::vector<cycle_t>;

  using source = support::token_source<collected_token>;
  using sink = support::token_sink<executed_token>;
  config::sm_config config_;
  std::unique_ptr<execution_units> units_;
  std::unique_ptr<source> from_collector_[3], from_shared_[3];
  std::unique_ptr<sink> results_[3], products_;
  std::deque<warp_instruction> operations_;
};

// MAD at t, multiplication on the SFUs at t + 2, MAD at t + 4; the special function waits for the multipliers.
TEST_F(execution_units_test, sp_and_sfu_overlap_with_an_interval_of_4) {
  build({"tpc.sm.sfu.multiply_interval_cycles=4"});
  arrives(10, mad, unit_class::sp);
  arrives(12, multiply, unit_class::sfu);
  arrives(14, mad, unit_class::sp);
  arrives(16, transcendental, unit_class::sfu);
  EXPECT_EQ(starts(), (list{10, 12, 14, 16}));
}
TEST_F(execution_units_test, sp_and_sfu_overlap_with_the_preset) {
  build();
  arrives(10, mad, unit_class::sp);
  arrives(12, multiply, unit_class::sfu);
  arrives(14, mad, unit_class::sp);
  arrives(16, transcendental, unit_class::sfu);
  EXPECT_EQ(starts(), (list{10, 12, 14, 22}));
}
TEST_F(execution_units_test, a_warp_takes_4_cycles_on_the_sps_16_on_the_sfus_and_32_on_the_dp_unit) {
  build({"tpc.sm.dp.shares_sp=false"});
  for (const auto& [what, unit] : {std::pair{&mad, unit_class::sp}, std::pair{&transcendental, unit_class::sfu},
                                   std::pair{&dp_add, unit_class::dp}})
    for (cycle_t cycle : {10, 11}) arrives(cycle, *what, unit);
  EXPECT_EQ(starts(), (list{10, 14, 10, 26, 10, 42}));
}
TEST_F(execution_units_test, dp_excludes_sp) {
  build();
  arrives(10, dp_add, unit_class::dp);
  arrives(11, mad, unit_class::sp);
  arrives(12, dp_add, unit_class::dp);
  arrives(12, transcendental, unit_class::sfu);
  EXPECT_EQ(starts(), (list{10, 42, 46, 12})) << "in the order of issue; the SFUs work beside both";
}
TEST_F(execution_units_test, of_dp_and_sp_in_one_cycle_the_older_goes_first) {
  build();
  arrives(10, mad, unit_class::sp);
  arrives(10, dp_add, unit_class::dp);
  EXPECT_EQ(starts(), (list{10, 14}));
}
TEST_F(execution_units_test, dp_beside_sp_where_it_has_its_own_data_path) {
  build({"tpc.sm.dp.shares_sp=false"});
  arrives(10, dp_add, unit_class::dp);
  arrives(11, mad, unit_class::sp);
  EXPECT_EQ(starts(), (list{10, 11}));
}

// Looks at the units in every cycle.
class viewer : public tlm_bus::stage {
 public:
  viewer(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const unit_group& group)
      : stage(name, domain), group_(group) {
    wake_at(1);
  }
  struct view {
    cycle_t cycle;
    std::vector<isa::lane_mask> lanes;
  };
  std::vector<view> seen;

 private:
  void tick() override {
    view v{cycle() - 1, {}};
    isa::lane_mask any = 0;
    for (unsigned u = 0; u < group_.units(); ++u) {
      v.lanes.push_back(group_.unit(u).lanes_at(cycle() - 1));
      any |= v.lanes.back();
    }
    if (any != 0) seen.push_back(v);
    if (cycle() < 100) wake_next();
  }
  const unit_group& group_;
};

TEST_F(execution_units_test, eight_lanes_pass_through_the_sps_in_every_cycle) {
  build();
  viewer look("look", shader(), units_->sp);
  arrives(10, mad, unit_class::sp);
  arrives(11, mad, unit_class::sp);
  starts();
  ASSERT_EQ(look.seen.size(), 8u);
  for (unsigned n = 0; n < 8; ++n) {
    EXPECT_EQ(look.seen[n].cycle, 10 + n);
    ASSERT_EQ(look.seen[n].lanes.size(), 8u);
    for (unsigned u = 0; u < 8; ++u) EXPECT_EQ(look.seen[n].lanes[u], 1u << (n % 4 * 8 + u));
  }
  EXPECT_STREQ(units_->sp.unit(7).name(), "units.sp.sp_7");
}
TEST_F(execution_units_test, each_sfu_serves_four_of_eight_lanes) {
  build();
  viewer look("look", shader(), units_->sfu);
  arrives(10, transcendental, unit_class::sfu);
  arrives(30, multiply, unit_class::sfu);
  starts();
  ASSERT_EQ(look.seen.size(), 26u);
  for (unsigned n = 0; n < 16; ++n) {
    const unsigned lane = n / 4 * 8 + n % 4;
    EXPECT_EQ(look.seen[n].lanes, (std::vector<isa::lane_mask>{1u << lane, 1u << (lane + 4)}));
  }
  isa::lane_mask lanes = 0;
  for (unsigned n = 16; n < 26; ++n) {
    EXPECT_EQ(__builtin_popcount(look.seen[n].lanes[0]), 4) << "four multipliers per SFU";
    lanes |= look.seen[n].lanes[0] | look.seen[n].lanes[1];
  }
  EXPECT_EQ(lanes, ~0u);
}

// -- which unit a multiplication is issued to: shader cycles are twice the core cycles --

TEST(unit_booking, a_multiplication_goes_to_the_sfus_while_the_sps_are_booked) {
  const config::sm_config config = sm_config_with({});
  unit_booking booking(config);
  EXPECT_FALSE(booking.sfu_preferred(5)) << "the SPs are free";
  booking.issued(mad, false, 5);  // shader cycles 10 .. 13
  EXPECT_TRUE(booking.sfu_preferred(6));
  EXPECT_FALSE(booking.sfu_preferred(7)) << "the SPs are free again";
}
TEST(unit_booking, the_sfus_are_booked_for_the_interval_of_a_multiplication) {
  const config::sm_config config = sm_config_with({});
  unit_booking booking(config);
  booking.issued(multiply, true, 6);  // shader cycles 12 .. 21
  EXPECT_FALSE(booking.sfu_multiplies(10));
  EXPECT_TRUE(booking.sfu_multiplies(11));
  EXPECT_EQ(booking.sfu_free_at(), 11u);
}
TEST(unit_booking, dp_books_the_sps_only_when_it_shares_their_data_path) {
  for (const bool shares : {false, true}) {
    const config::sm_config config =
        sm_config_with({shares ? "tpc.sm.dp.shares_sp=true" : "tpc.sm.dp.shares_sp=false"});
    unit_booking booking(config);
    booking.issued(dp_add, false, 5);  // shader cycles 10 .. 41
    EXPECT_EQ(booking.sfu_preferred(20), shares);
    EXPECT_FALSE(booking.sfu_preferred(21));
  }
}
TEST(unit_booking, multiplications_stay_on_the_sps_where_that_is_configured) {
  const config::sm_config config = sm_config_with({"tpc.sm.sfu.multiply_enabled=false"});
  unit_booking booking(config);
  booking.issued(mad, false, 5);
  EXPECT_FALSE(booking.sfu_preferred(6));
}

}  // namespace
}  // namespace gt200::model
