// When each instruction starts on the SPs, the SFUs and the DP unit, which lanes pass through which unit in which
// cycle, and when their results arrive.
#include "sc_models/sm/units/execution_units.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
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

// Where the results of single lanes arrive.
class lane_sink final : public sc_core::sc_module, public tlm_bus::transaction_target<lane_result> {
 public:
  explicit lane_sink(const sc_core::sc_module_name& name) : sc_module(name), in("in", *this) {}
  void transport(lane_result& result) override {
    taken.push_back({sc_core::sc_time_stamp().value() / support::shader_period, result});
  }
  struct arrival {
    cycle_t cycle;
    lane_result result;
  };
  tlm_bus::transaction_in<lane_result> in;
  std::vector<arrival> taken;
};

// The lanes that pass one unit.
class lane_watch final : public tlm_bus::transaction_observer<lane_operation> {
 public:
  struct passage {
    cycle_t cycle;
    unsigned lane;
    bool predicate;
    friend bool operator==(const passage& a, const passage& b) {
      return a.cycle == b.cycle && a.lane == b.lane && a.predicate == b.predicate;
    }
    friend std::ostream& operator<<(std::ostream& out, const passage& p) {
      return out << "lane " << p.lane << " in " << p.cycle << (p.predicate ? "" : " (off)");
    }
  };
  std::vector<passage> seen;
  std::vector<std::uint32_t> sources;

 private:
  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds at, const lane_operation& o) override {
    seen.push_back({at / support::shader_period, o.lane, o.predicate});
    sources.push_back(o.source[0][0]);
  }
};

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
    for (unit_group& g : units_->groups) {
      for (unsigned u = 0; u < g.units(); ++u) {
        auto& latch = lanes_[g.unit(u).basename()];
        latch = std::make_unique<lane_sink>((std::string("latch_") + g.unit(u).basename()).c_str());
        g.unit(u).result.bind(latch->in);
      }
    }
    for (const unit_result& r : list_->results()) {
      results_.push_back(std::make_unique<sink>(("results_" + r.port.source).c_str(), shader(), 64));
      units_->groups[r.unit].results[r.number].bind(results_.back()->in);
    }
  }
  unit_group& group(const char* name) { return units_->groups[list_->index_of(name)]; }
  // Watches all units of a group, by their numbers.
  std::vector<lane_watch>& watch(const char* name) {
    unit_group& g = group(name);
    auto& watches = watches_[name];
    watches = std::vector<lane_watch>(g.units());
    for (unsigned u = 0; u < g.units(); ++u) g.unit(u).operands.observers().attach(watches[u]);
    return watches;
  }
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
  std::map<std::string, std::unique_ptr<lane_sink>> lanes_;            // by name of the unit
  std::map<std::string, std::vector<lane_watch>> watches_;
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

// -- lane by lane --

using passage = lane_watch::passage;
const std::vector<std::string> by_lane = {"tpc.sm.units.detail=lane"};

TEST_F(execution_units_test, warp_by_warp_no_lane_passes_a_unit_alone) {
  build();
  arrives(10, mad, "sp");
  EXPECT_EQ(starts(), (list{10}));
  EXPECT_EQ(group("sp").units(), 0u) << "there are no units for single lanes";
}
TEST_F(execution_units_test, eight_lanes_pass_through_the_sps_in_every_cycle) {
  build(by_lane);
  auto& sps = watch("sp");
  arrives(10, mad, "sp");
  arrives(11, mad, "sp", 0x0000ffff);
  EXPECT_EQ(starts(), (list{10, 14})) << "as warp by warp";
  ASSERT_EQ(sps.size(), 8u);
  for (unsigned u = 0; u < 8; ++u)
    EXPECT_EQ(sps[u].seen, (std::vector<passage>{{10, u, true},
                                                 {11, u + 8, true},
                                                 {12, u + 16, true},
                                                 {13, u + 24, true},
                                                 {14, u, true},
                                                 {15, u + 8, true},
                                                 {16, u + 16, false},
                                                 {17, u + 24, false}}))
        << "SP " << u;
  EXPECT_STREQ(group("sp").unit(7).name(), "units.sp.sp_7");
}
// Four beats in six cycles, as an s[] operand needs: 0, 1.5, 3 and 4.5 cycles after the start, rounded up.
TEST_F(execution_units_test, beats_are_spread_over_the_interval) {
  build({"tpc.sm.units.detail=lane", "tpc.sm.sp.shared_operand_interval_cycles=6"});
  auto& sps = watch("sp");
  isa::instruction with_s_operand = mad;
  with_s_operand.reads_shared = true;
  arrives(10, with_s_operand, "sp");
  starts();
  EXPECT_EQ(sps[0].seen, (std::vector<passage>{{10, 0, true}, {12, 8, true}, {13, 16, true}, {15, 24, true}}));
}
TEST_F(execution_units_test, lanes_pass_closely_packed_when_divergence_is_free) {
  build(by_lane, lane_share(true));
  auto& sps = watch("sp");
  arrives(10, mad, "sp", 0xf00f00f0);  // twelve lanes in two cycles
  starts();
  EXPECT_EQ(sps[0].seen, (std::vector<passage>{{10, 4, true}, {11, 28, true}}));
  EXPECT_EQ(sps[3].seen, (std::vector<passage>{{10, 7, true}, {11, 31, true}}));
  EXPECT_EQ(sps[4].seen, (std::vector<passage>{{10, 16, true}}));
}
TEST_F(execution_units_test, each_sfu_serves_four_of_eight_lanes) {
  build(by_lane);
  auto& sfus = watch("sfu");
  arrives(10, transcendental, "sfu");
  arrives(30, multiply, "sfu");
  starts();
  ASSERT_EQ(sfus.size(), 2u);
  for (unsigned u = 0; u < 2; ++u) {
    ASSERT_EQ(sfus[u].seen.size(), 32u);
    for (unsigned n = 0; n < 16; ++n)
      EXPECT_EQ(sfus[u].seen[n], (passage{10 + n, n / 4 * 8 + n % 4 + 4 * u, true}));
    // Four beats in ten cycles; four multipliers per SFU.
    const cycle_t beats[] = {30, 33, 35, 38};
    for (unsigned n = 0; n < 16; ++n)
      EXPECT_EQ(sfus[u].seen[16 + n], (passage{beats[n / 4], n / 4 * 8 + n % 4 + 4 * u, true}));
  }
}
TEST_F(execution_units_test, the_dp_unit_takes_one_lane_after_the_other) {
  build(by_lane);
  auto& dp = watch("dp");
  arrives(10, dp_add, "dp");
  starts();
  ASSERT_EQ(dp[0].seen.size(), 32u);
  for (unsigned n = 0; n < 32; ++n) EXPECT_EQ(dp[0].seen[n], (passage{10 + n, n, true}));
}
// The token of a result is visible to write-back 10 core cycles after the start, so at the earliest 19 shader
// cycles after it. The last beat enters five cycles after the start if there is an s[] operand.
TEST_F(execution_units_test, results_leave_after_the_units_pipeline) {
  build(by_lane);
  EXPECT_EQ(list_->units()[list_->index_of("sp")].results[0].pipeline, shader_cycles(14));
  arrives(10, mad, "sp", 0xff00ffff);
  starts();
  const auto& taken = lanes_["sp_1"]->taken;
  ASSERT_EQ(taken.size(), 4u);
  for (unsigned n = 0; n < 4; ++n) {
    EXPECT_EQ(taken[n].cycle, 10 + n + 13) << "the latch has it one cycle later";
    EXPECT_EQ(taken[n].result.lane, 8 * n + 1);
    EXPECT_EQ(taken[n].result.beat, n);
    EXPECT_EQ(taken[n].result.executed, n != 2);
  }
}
TEST_F(execution_units_test, each_unit_calculates_its_lanes) {
  build(by_lane);
  isa::instruction add = mad;
  add.execute = [](const isa::instruction&, isa::lane_bundle& b, isa::lane_mask) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      b.destination[0].lane[lane] = b.source[0][0].lane[lane] + b.source[1][0].lane[lane];
  };
  arrives(10, add, "sp");
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    operations_[0].values.source[0][0].lane[lane] = 100 * lane;
    operations_[0].values.source[1][0].lane[lane] = lane;
  }
  starts();
  for (const auto& arrival : lanes_["sp_5"]->taken)
    EXPECT_EQ(arrival.result.destination[0], 101u * arrival.result.lane);
  EXPECT_EQ(operations_[0].values.destination[0].lane[5], 0u) << "results come together in write-back";
}
TEST_F(execution_units_test, an_instruction_that_looks_at_other_lanes_gets_their_operands) {
  build(by_lane);
  isa::instruction neighbour = mad;
  neighbour.crosses_lanes = true;
  neighbour.execute = [](const isa::instruction&, isa::lane_bundle& b, isa::lane_mask) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      b.destination[0].lane[lane] = b.source[0][0].lane[lane ^ 1];
  };
  arrives(10, neighbour, "sp");
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) operations_[0].values.source[0][0].lane[lane] = 100 * lane;
  starts();
  for (const auto& arrival : lanes_["sp_5"]->taken)
    EXPECT_EQ(arrival.result.destination[0], 100u * (arrival.result.lane ^ 1u));
}
TEST_F(execution_units_test, only_the_chosen_groups_sms_and_cycles_pass_lane_by_lane) {
  build({"tpc.sm.units.detail=lane", "tpc.sm.units.sfu=false", "tpc.sm.units.first_cycle=6",
         "tpc.sm.units.last_cycle=7"});  // shader cycles 12 to 15
  auto& sps = watch("sp");
  for (const cycle_t cycle : {7, 11, 15, 19}) arrives(cycle, mad, "sp");
  arrives(12, transcendental, "sfu");
  starts();
  EXPECT_EQ(sps[0].seen, (std::vector<passage>{{15, 0, true}, {16, 8, true}, {17, 16, true}, {18, 24, true}}))
      << "an instruction that starts in the window passes whole";
  EXPECT_EQ(group("sfu").units(), 0u);
}
TEST_F(execution_units_test, other_sms_pass_warp_by_warp) {
  build({"tpc.sm.units.detail=lane", "tpc.sm.units.sms=0x2"});  // this one is SM 0
  arrives(10, mad, "sp");
  EXPECT_EQ(starts(), (list{10}));
  EXPECT_EQ(group("sp").units(), 0u);
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
