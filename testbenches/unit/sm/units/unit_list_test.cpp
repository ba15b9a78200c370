// The list of execution units as the stages of an SM read it.
#include "sc_models/sm/units/unit_list.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "sc_models/config/load.h"

namespace gt200::model {
namespace {

using isa::unit_class;

unit_list list_with(const std::vector<std::string>& overrides = {}) {
  return unit_list(config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values.tpc.sm);
}
isa::instruction instruction_of(unit_class unit, bool reads_shared = false) {
  isa::instruction i;
  i.unit = unit;
  i.reads_shared = reads_shared;
  return i;
}
template <class Item, class Name>
std::vector<std::string> names_of(const std::vector<Item>& items, Name name) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(name(item));
  return names;
}
using names = std::vector<std::string>;

TEST(unit_list, has_the_units_of_the_preset_in_the_order_of_their_pipes) {
  const unit_list list = list_with();
  EXPECT_EQ(names_of(list.units(), [](const auto& u) { return u.name; }), (names{"sp", "sfu", "dp"}));
  EXPECT_EQ(names_of(list.collectors(), [](const auto& c) { return c.name; }),
            (names{"sp", "sfu", "dp", "shared", "memory", "control"}));
  EXPECT_EQ(names_of(list.results(), [](const auto& r) { return r.port.source; }),
            (names{"sp", "sfu", "sfu_multiply", "dp"}));
  EXPECT_EQ(list.index_of("dp"), 2u);
  EXPECT_EQ(list.result_index("dp"), 3u);
  EXPECT_THROW(list.index_of("tensor"), std::out_of_range);
  EXPECT_THROW(list.result_index("tensor"), std::out_of_range);
}

TEST(unit_list, has_a_second_group_of_sps_and_one_class_for_all_memories_where_an_sm_has_them) {
  const config::sm_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gtx480.toml", {}).values.tpc.sm;
  unit_options options;
  options.sp_groups = 2;
  options.one_memory_class = true;
  const unit_list list(config, options);
  EXPECT_EQ(names_of(list.units(), [](const auto& u) { return u.name; }), (names{"sp", "sfu", "dp", "sp_second"}));
  const unsigned second = list.index_of("sp_second");
  EXPECT_EQ(list.timing(second, unit_class::sp).interval, shader_cycles(2));
  EXPECT_EQ(list.timing(second, unit_class::sp_half).interval, shader_cycles(0))
      << "half rate: the first group alone";
  EXPECT_EQ(list.timing(0, unit_class::sp_half).interval, shader_cycles(2));
  ASSERT_EQ(list.alternatives().size(), 2u);
  EXPECT_EQ(list.alternatives()[1].instead, second);
  EXPECT_EQ(list.alternatives_of(instruction_of(unit_class::sp)), 2u);
  EXPECT_EQ(list.alternatives_of(instruction_of(unit_class::sp_half)), 0u);
  EXPECT_EQ(list.collector_of(instruction_of(unit_class::shared)), list.memory());
  EXPECT_EQ(list.collector_of(instruction_of(unit_class::shared, true)), list.memory());
  options.sp_groups = 3;
  EXPECT_THROW(unit_list(config, options), std::length_error);
}

TEST(unit_list, takes_lanes_collector_units_and_weights_from_the_configuration) {
  const unit_list list =
      list_with({"tpc.sm.sp.lanes=16", "tpc.sm.sfu.lanes=1", "tpc.sm.sfu.latency_cycles=64",
                 "tpc.sm.operand_collector.sfu_units=5", "tpc.sm.operand_collector.memory_units=7",
                 "tpc.sm.scheduler.weights.dp=9", "tpc.sm.scheduler.weights.control=11"});
  EXPECT_EQ(list.units()[0].functional_units, 16u);
  EXPECT_EQ(list.units()[1].functional_units, 1u) << "two SFUs need two lanes";
  EXPECT_EQ(list.units()[1].collector_units, 5u);
  EXPECT_EQ(list.collectors()[1].collector_units, 5u);
  for (const collector_class c : {list.shared(), list.memory(), list.control()})
    EXPECT_EQ(list.collectors()[as_index(c)].collector_units, 7u);
  EXPECT_EQ(list.collectors()[2].issue_weight, 9u);
  EXPECT_EQ(list.collectors()[as_index(list.control())].issue_weight, 11u);
}

TEST(unit_list, tells_the_interval_of_each_class_with_and_without_an_s_operand) {
  const unit_list list = list_with();
  const auto interval = [&](const char* unit, unit_class c, bool reads_shared) {
    return list.interval(list.index_of(unit), instruction_of(c, reads_shared)).count();
  };
  EXPECT_EQ(interval("sp", unit_class::sp, false), 4u);
  EXPECT_EQ(interval("sp", unit_class::sp, true), 6u);
  EXPECT_EQ(interval("sp", unit_class::shared_move, true), 6u);
  EXPECT_EQ(interval("sp", unit_class::sp_mul, false), 4u);
  EXPECT_EQ(interval("sfu", unit_class::sfu, false), 16u);
  EXPECT_EQ(interval("sfu", unit_class::sfu, true), 16u);
  EXPECT_EQ(interval("sfu", unit_class::sp_mul, false), 10u);
  EXPECT_EQ(interval("dp", unit_class::dp, false), 32u);
  EXPECT_EQ(interval("dp", unit_class::sp, false), 0u) << "executes none of these";
}

TEST(unit_list, a_move_from_shared_memory_has_an_interval_of_its_own) {
  const unit_list list = list_with({"tpc.sm.sp.shared_move_interval_cycles=4"});
  const auto interval = [&](unit_class c) {
    return list.interval(list.index_of("sp"), instruction_of(c, true)).count();
  };
  EXPECT_EQ(interval(unit_class::shared_move), 4u);
  EXPECT_EQ(interval(unit_class::sp), 6u);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::shared_move, true)), stall_cause::dependency_shared);
}

TEST(unit_list, results_of_a_reduced_operand_leave_by_the_port_of_their_latency) {
  const auto port = [](const unit_list& list, unit_class c) {
    const unsigned sfu = list.index_of("sfu");
    return list.units()[sfu].results[list.timing(sfu, c).result];
  };
  const unit_list list = list_with();
  EXPECT_EQ(list.interval(list.index_of("sfu"), instruction_of(unit_class::sfu_reduced)).count(), 16u);
  EXPECT_EQ(port(list, unit_class::sfu).latency.count(), 28u);
  EXPECT_EQ(port(list, unit_class::sfu_reduced).latency.count(), 24u);
  EXPECT_EQ(port(list, unit_class::sfu_reduced).source, "sfu_multiply");
  const unit_list alike = list_with({"tpc.sm.sfu.reduced_saves_cycles=0"});
  EXPECT_EQ(port(alike, unit_class::sfu_reduced).source, "sfu");
  const unit_list apart = list_with({"tpc.sm.sfu.reduced_saves_cycles=2"});
  EXPECT_EQ(port(apart, unit_class::sfu_reduced).source, "sfu_reduced");
  EXPECT_EQ(port(apart, unit_class::sfu_reduced).latency.count(), 26u);
}

TEST(unit_list, leads_every_class_to_its_collector) {
  const unit_list list = list_with();
  const auto collector = [&](unit_class c, bool reads_shared = false) {
    return list.collectors()[as_index(list.collector_of(instruction_of(c, reads_shared)))].name;
  };
  for (const unit_class c : {unit_class::sp, unit_class::sp_mul, unit_class::constant, unit_class::none})
    EXPECT_EQ(collector(c), "sp");
  EXPECT_EQ(collector(unit_class::shared_move, true), "shared");
  for (const unit_class c : {unit_class::sfu, unit_class::sfu_reduced}) EXPECT_EQ(collector(c), "sfu");
  EXPECT_EQ(collector(unit_class::dp), "dp");
  EXPECT_EQ(collector(unit_class::shared), "shared");
  for (const unit_class c : {unit_class::memory, unit_class::texture}) EXPECT_EQ(collector(c), "memory");
  for (const unit_class c : {unit_class::control, unit_class::barrier}) EXPECT_EQ(collector(c), "control");
  EXPECT_EQ(collector(unit_class::dp, true), "shared") << "s[] is read in program order";
  EXPECT_EQ(list.unit_of(unit_class::memory), no_unit);
}

TEST(unit_list, leads_an_instruction_with_an_s_operand_from_shared_memory_to_its_unit) {
  const unit_list list = list_with();
  const auto unit = [&](unit_class c) {
    return list.units()[list.shared_operand_units()[list.shared_operand_pipe(c)]].name;
  };
  EXPECT_EQ(unit(unit_class::sp_mul), "sp");
  EXPECT_EQ(unit(unit_class::sfu), "sfu");
  EXPECT_EQ(unit(unit_class::dp), "dp");
}

TEST(unit_list, lets_multiplications_issue_to_the_sfus_where_that_is_enabled) {
  const unit_list list = list_with();
  ASSERT_EQ(list.alternatives().size(), 1u);
  EXPECT_EQ(list.units()[list.alternatives()[0].own].name, "sp");
  EXPECT_EQ(list.units()[list.alternatives()[0].instead].name, "sfu");
  EXPECT_EQ(list.alternatives_of(instruction_of(unit_class::sp_mul)), 1u);
  EXPECT_EQ(list.alternatives_of(instruction_of(unit_class::sp_mul, true)), 0u) << "s[] reaches the SPs only";
  EXPECT_EQ(list.alternatives_of(instruction_of(unit_class::sp)), 0u);
  const unit_list without = list_with({"tpc.sm.sfu.multiply_enabled=false"});
  EXPECT_EQ(without.alternatives_of(instruction_of(unit_class::sp_mul)), 0u);
  EXPECT_EQ(without.alternatives().size(), 1u) << "its counter stays";
}

TEST(unit_list, gives_dp_the_data_path_of_the_sps_where_that_is_configured) {
  const unit_list shared = list_with();
  EXPECT_EQ(shared.units()[2].data_path, shared.units()[0].data_path);
  EXPECT_NE(shared.units()[1].data_path, shared.units()[0].data_path);
  const unit_list apart = list_with({"tpc.sm.dp.shares_sp=false"});
  EXPECT_NE(apart.units()[2].data_path, apart.units()[0].data_path);
}

// 38 shader cycles from shared memory, of which 24, 28 and more than all pass in the unit.
TEST(unit_list, an_s_operand_adds_what_shared_memory_takes_beyond_the_unit) {
  const unit_list list = list_with();
  EXPECT_EQ(list.units()[0].shared_operand_latency, shader_cycles(13));
  EXPECT_EQ(list.units()[1].shared_operand_latency, shader_cycles(9));
  EXPECT_EQ(list.units()[2].shared_operand_latency, shader_cycles(1));
}

TEST(unit_list, names_what_a_warp_waits_for) {
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::sp_mul)), stall_cause::dependency_sp);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::sp, true)), stall_cause::dependency_shared);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::none)), stall_cause::dependency_sp);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::sfu, true)), stall_cause::dependency_sfu);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::dp)), stall_cause::dependency_dp);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::texture)), stall_cause::dependency_texture);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::barrier)), stall_cause::dependency_control);
}

TEST(unit_list, has_a_unit_for_comparisons_where_these_execute_beside_the_branch_unit) {
  const unit_list list = list_with({"tpc.sm.branch.comparisons=true"});
  EXPECT_EQ(names_of(list.units(), [](const auto& u) { return u.name; }), (names{"sp", "sfu", "dp", "compare"}));
  EXPECT_EQ(list.unit_of(unit_class::compare), list.index_of("compare"));
  EXPECT_EQ(list.unit_of(unit_class::sp), list.index_of("sp"));
  EXPECT_EQ(list.interval(list.index_of("compare"), instruction_of(unit_class::compare)).count(), 4u);
  EXPECT_NE(list.units()[3].data_path, list.units()[0].data_path);
  EXPECT_EQ(cause_of_result(instruction_of(unit_class::compare)), stall_cause::dependency_control);
  EXPECT_EQ(list_with().unit_of(unit_class::compare), list_with().index_of("sp"));
}

TEST(unit_list, adds_the_way_to_latencies_that_are_measured_in_the_unit) {
  const unit_list list =
      list_with({"tpc.sm.units.latency_measured=unit", "tpc.sm.sp.latency_cycles=4",
                 "tpc.sm.sp.shared_operand_interval_cycles=4", "tpc.sm.sp.shared_move_interval_cycles=4",
                 "tpc.sm.sfu.latency_cycles=16", "tpc.sm.sfu.reduced_saves_cycles=0"});
  const auto port = [&](const char* source) { return list.results()[list.result_index(source)].port; };
  EXPECT_EQ(port("sp").latency.count(), 10u)
      << "4, up to the next edge of the core clock, and 3 core cycles of way";
  EXPECT_EQ(port("sp").pipeline.count(), 1u) << "the last of 4 beats enters 3 cycles after the first";
  EXPECT_EQ(port("sfu").latency.count(), 22u);
  EXPECT_EQ(port("sfu").pipeline.count(), 1u) << "the last of 16 beats enters 15 cycles after the first";
}

}  // namespace
}  // namespace gt200::model
