// When each instruction starts on the SPs, the SFUs and the DP unit, and which lanes pass through which unit.
#include "sc_models/sm/units/execution_units.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

#include "sc_models/config/load.h"
#include "sc_models/sm/units/unit_reservation.h"
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
  void build(const std::vector<std::string>& overrides = {}, lane_share share = {}) {
    config_ = sm_config_with(overrides);
    list_ = std::make_unique<unit_list>(config_);
    units_ = std::make_unique<execution_units>("units", shader(), config_, *list_, share);
    for (unsigned g = 0; g < units_->groups.size(); ++g) {
      const std::string n = std::to_string(g);
      from_collector_.push_back(std::make_unique<source>(("collector_" + n).c_str(), shader()));
      from_shared_.push_back(std::make_unique<source>(("shared_" + n).c_str(), shader()));
      from_collector_[g]->out.bind(units_->groups[g].from_collector);
      from_shared_[g]->out.bind(*units_->groups[g].from_shared_memory);
    }
    for (const unit_result& r : list_->results()) {
      results_.push_back(std::make_unique<sink>(("results_" + r.port.source).c_str(), shader(), 64));
      units_->groups[r.unit].results[r.number].bind(results_.back()->in);
    }
  }
  const unit_group& group(const char* name) { return units_->groups[list_->index_of(name)]; }
  // Reaches its unit in `cycle`; ids count from 1 in the order of issue.
  void arrives(cycle_t cycle, const isa::instruction& what, const char* at,
               isa::lane_mask executed = ~isa::lane_mask{0}) {
    warp_instruction& operation = operations_.emplace_back();
    operation.instruction = &what;
    operation.id = operation.sequence = operations_.size();
    operation.executed = executed;
    from_collector_[list_->index_of(at)]->send_at(cycle - 1, {&operation});
  }
  // Cycles in which the instructions started, in order of their ids; the sink sees a result one cycle later.
  std::vector<cycle_t> starts() {
    run_through(200, shader());
    std::vector<cycle_t> result(operations_.size());
    for (const auto& s : results_)
      for (const auto& t : s->taken) result[t.value.operation->id - 1] = t.cycle - 1;
    return result;
  }
  using list = std::vector<cycle_t>;

  using source = support::token_source<collected_token>;
  using sink = support::token_sink<executed_token>;
  config::sm_config config_;
  std::unique_ptr<unit_list> list_;
  std::unique_ptr<execution_units> units_;
  std::vector<std::unique_ptr<source>> from_collector_, from_shared_;  // by unit
  std::vector<std::unique_ptr<sink>> results_;                         // by result port
  std::deque<warp_instruction> operations_;
};

// MAD at t, multiplication on the SFUs at t + 2, MAD at t + 4; the special function waits for the multipliers.
TEST_F(execution_units_test, sp_and_sfu_overlap_with_an_interval_of_4) {
  build({"tpc.sm.sfu.multiply_interval_cycles=4"});
  arrives(10, mad, "sp");
  arrives(12, multiply, "sfu");
  arrives(14, mad, "sp");
  arrives(16, transcendental, "sfu");
  EXPECT_EQ(starts(), (list{10, 12, 14, 16}));
}
TEST_F(execution_units_test, sp_and_sfu_overlap_with_the_preset) {
  build();
  arrives(10, mad, "sp");
  arrives(12, multiply, "sfu");
  arrives(14, mad, "sp");
  arrives(16, transcendental, "sfu");
  EXPECT_EQ(starts(), (list{10, 12, 14, 22}));
}
TEST_F(execution_units_test, a_warp_takes_4_cycles_on_the_sps_16_on_the_sfus_and_32_on_the_dp_unit) {
  build({"tpc.sm.dp.shares_sp=false"});
  for (const auto& [what, unit] :
       {std::pair{&mad, "sp"}, std::pair{&transcendental, "sfu"}, std::pair{&dp_add, "dp"}})
    for (cycle_t cycle : {10, 11}) arrives(cycle, *what, unit);
  EXPECT_EQ(starts(), (list{10, 14, 10, 26, 10, 42}));
}
TEST_F(execution_units_test, dp_excludes_sp) {
  build();
  arrives(10, dp_add, "dp");
  arrives(11, mad, "sp");
  arrives(12, dp_add, "dp");
  arrives(12, transcendental, "sfu");
  EXPECT_EQ(starts(), (list{10, 42, 46, 12})) << "in the order of issue; the SFUs work beside both";
}
TEST_F(execution_units_test, of_dp_and_sp_in_one_cycle_the_older_goes_first) {
  build();
  arrives(10, mad, "sp");
  arrives(10, dp_add, "dp");
  EXPECT_EQ(starts(), (list{10, 14}));
}
TEST_F(execution_units_test, dp_beside_sp_where_it_has_its_own_data_path) {
  build({"tpc.sm.dp.shares_sp=false"});
  arrives(10, dp_add, "dp");
  arrives(11, mad, "sp");
  EXPECT_EQ(starts(), (list{10, 11}));
}

TEST_F(execution_units_test, few_lanes_occupy_the_units_as_long_as_a_warp) {
  build();
  for (const isa::lane_mask lanes : {isa::lane_mask{1}, isa::lane_mask{0}, ~isa::lane_mask{0}})
    arrives(10, mad, "sp", lanes);
  EXPECT_EQ(starts(), (list{10, 14, 18}));
}
TEST_F(execution_units_test, lanes_occupy_the_units_for_their_own_steps_when_divergence_is_free) {
  build({}, lane_share(true));
  for (const isa::lane_mask lanes : {0x11111111u, 0x1ffu, 0u, ~0u, 1u}) arrives(10, mad, "sp", lanes);
  for (const isa::lane_mask lanes : {0x7u, 1u, 1u}) arrives(10, transcendental, "sfu", lanes);
  EXPECT_EQ(starts(), (list{10, 11, 13, 14, 18, 10, 12, 13}));
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
      v.lanes.push_back(group_.unit(u).lanes_at(shader_cycle(cycle() - 1)));
      any |= v.lanes.back();
    }
    if (any != 0) seen.push_back(v);
    if (cycle() < 100) wake_next();
  }
  const unit_group& group_;
};

TEST_F(execution_units_test, eight_lanes_pass_through_the_sps_in_every_cycle) {
  build();
  viewer look("look", shader(), group("sp"));
  arrives(10, mad, "sp");
  arrives(11, mad, "sp");
  starts();
  ASSERT_EQ(look.seen.size(), 8u);
  for (unsigned n = 0; n < 8; ++n) {
    EXPECT_EQ(look.seen[n].cycle, 10 + n);
    ASSERT_EQ(look.seen[n].lanes.size(), 8u);
    for (unsigned u = 0; u < 8; ++u) EXPECT_EQ(look.seen[n].lanes[u], 1u << (n % 4 * 8 + u));
  }
  EXPECT_STREQ(group("sp").unit(7).name(), "units.sp.sp_7");
}
TEST_F(execution_units_test, lanes_pass_closely_packed_when_divergence_is_free) {
  build({}, lane_share(true));
  viewer look("look", shader(), group("sp"));
  arrives(10, mad, "sp", 0xf00f00f0);  // twelve lanes in two cycles
  starts();
  ASSERT_EQ(look.seen.size(), 2u);
  const std::vector<isa::lane_mask> first = {1u << 4,  1u << 5,  1u << 6,  1u << 7,
                                             1u << 16, 1u << 17, 1u << 18, 1u << 19};
  const std::vector<isa::lane_mask> second = {1u << 28, 1u << 29, 1u << 30, 1u << 31, 0, 0, 0, 0};
  EXPECT_EQ(look.seen[0].lanes, first);
  EXPECT_EQ(look.seen[1].lanes, second);
}
TEST_F(execution_units_test, each_sfu_serves_four_of_eight_lanes) {
  build();
  viewer look("look", shader(), group("sfu"));
  arrives(10, transcendental, "sfu");
  arrives(30, multiply, "sfu");
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

class unit_reservation_test : public ::testing::Test {
 protected:
  void build(const std::vector<std::string>& overrides = {}, lane_share share = {}) {
    list_ = std::make_unique<unit_list>(sm_config_with(overrides));
    reservation_ = std::make_unique<unit_reservation>(*list_, config::tesla_clocks, share);
  }
  void issued(const char* unit, const isa::instruction& what, cycle_t cycle,
              isa::lane_mask active = ~isa::lane_mask{0}) {
    reservation_->issued(list_->index_of(unit), what, active, core_cycle(cycle));
  }
  // Multiplications on the SFUs.
  const alternative_unit& alternative() const { return list_->alternatives().front(); }
  bool is_open(cycle_t cycle) const { return reservation_->is_open(alternative(), core_cycle(cycle)); }
  bool is_preferred(cycle_t cycle) const { return reservation_->is_preferred(alternative(), core_cycle(cycle)); }

  std::unique_ptr<unit_list> list_;
  std::unique_ptr<unit_reservation> reservation_;
};

TEST_F(unit_reservation_test, a_multiplication_goes_to_the_sfus_while_the_sps_are_reserved) {
  build();
  EXPECT_FALSE(is_preferred(5)) << "the SPs are free";
  issued("sp", mad, 5);  // shader cycles 10 .. 13
  EXPECT_TRUE(is_preferred(6));
  EXPECT_FALSE(is_preferred(7)) << "the SPs are free again";
}
TEST_F(unit_reservation_test, few_lanes_reserve_the_sps_for_their_own_steps_when_divergence_is_free) {
  build({}, lane_share(true));
  issued("sp", mad, 5, 0x1ffff);  // shader cycles 10 .. 12
  EXPECT_TRUE(is_preferred(6));
  EXPECT_FALSE(is_preferred(7));
  issued("sp", mad, 8, 0xff);  // shader cycle 16
  EXPECT_FALSE(is_preferred(9));
}
TEST_F(unit_reservation_test, an_s_operand_reserves_the_sps_for_longer) {
  build();
  isa::instruction with_s_operand = mad;
  with_s_operand.reads_shared = true;
  issued("sp", with_s_operand, 5);  // shader cycles 10 .. 15
  EXPECT_TRUE(is_preferred(7));
  EXPECT_FALSE(is_preferred(8));
}
TEST_F(unit_reservation_test, the_sfus_are_reserved_for_the_interval_of_a_multiplication) {
  build();
  issued("sfu", multiply, 6);  // shader cycles 12 .. 21
  EXPECT_FALSE(is_open(10));
  EXPECT_TRUE(is_open(11));
  EXPECT_EQ(reservation_->open_at(alternative()), core_cycle(11));
}
TEST_F(unit_reservation_test, dp_reserves_the_sps_only_when_it_shares_their_data_path) {
  for (const bool shares : {false, true}) {
    build({shares ? "tpc.sm.dp.shares_sp=true" : "tpc.sm.dp.shares_sp=false"});
    issued("dp", dp_add, 5);  // shader cycles 10 .. 41
    EXPECT_EQ(is_preferred(20), shares);
    EXPECT_FALSE(is_preferred(21));
  }
}

}  // namespace
}  // namespace gt200::model
