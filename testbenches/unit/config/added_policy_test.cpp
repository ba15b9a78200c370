// Policies from outside: their names, keys, values and errors; choices by the name of a module.
#include "sc_models/config/added_policy.h"

#include <gmock/gmock.h>

#include "sc_models/config/explain.h"
#include "sc_models/config/print.h"
#include "testbenches/unit/config/config_files.h"
#include "toolchain/error.h"

namespace gt200::config::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

added_policy with_keys(const char* name) {
  return {name,
          "a policy of the tests",
          {number_key("window", 8, unit::none, between(2, 64), "warps it looks at"),
           real_key("share", 0.5, unit::none, {0, 1}, "of the slots"), flag_key("eager", true, "whether it is")}};
}

class added : public config_files {};

TEST_F(added, has_a_place_behind_those_of_the_project_in_the_order_of_names) {
  const std::size_t own = warp_policies.count;
  EXPECT_TRUE(add_policy(warp_policies, with_keys("zebra")));
  EXPECT_TRUE(add_policy(warp_policies, with_keys("aardvark")));
  ASSERT_EQ(warp_policies.count, own + 2);
  EXPECT_STREQ(warp_policies.names[own], "aardvark");
  EXPECT_STREQ(warp_policies.names[own + 1], "zebra");
  EXPECT_STREQ(warp_policy().name(), warp_policies.names[0]);
  EXPECT_STREQ(warp_policy("zebra").name(), "zebra");
}

TEST_F(added, keeps_the_declared_values_until_others_are_set) {
  ASSERT_TRUE(add_policy(warp_policies, with_keys("mine")));
  const resolved_config declared = load(preset("gt200"), {"tpc.sm.scheduler.policy=mine"});
  const policy_values& values = declared.values.tpc.sm.scheduler.added.of("mine");
  EXPECT_STREQ(declared.values.tpc.sm.scheduler.policy.name(), "mine");
  EXPECT_EQ(values.number("window"), 8u);
  EXPECT_EQ(values.real("share"), 0.5);
  EXPECT_TRUE(values.flag("eager"));
  EXPECT_THROW(values.number("width"), std::logic_error);
  const resolved_config changed =
      load(preset("gt200"), {"tpc.sm.scheduler.mine.window=16", "tpc.sm.scheduler.mine.eager=false"});
  EXPECT_EQ(changed.values.tpc.sm.scheduler.added.of("mine").number("window"), 16u);
  EXPECT_FALSE(changed.values.tpc.sm.scheduler.added.of("mine").flag("eager"));
  EXPECT_NE(hash_of(declared.values), hash_of(changed.values));
}

TEST_F(added, is_printed_and_loaded_again) {
  ASSERT_TRUE(add_policy(warp_policies, with_keys("mine")));
  const resolved_config config = load(preset("gt200"), {"tpc.sm.scheduler.mine.window=16"});
  const std::string text = to_toml(config.values);
  EXPECT_THAT(text, HasSubstr("[tpc.sm.scheduler.mine]\nwindow = 16\nshare = 0.5\neager = true\n"));
  EXPECT_EQ(to_toml(parse(text, "again.toml").values), text);
}

TEST_F(added, is_explained_with_range_unit_and_text) {
  ASSERT_TRUE(add_policy(warp_policies, with_keys("mine")));
  const resolved_config config = load(preset("gt200"));
  EXPECT_THAT(explain(config, "tpc.sm.scheduler.mine.window"),
              HasSubstr("= 8\n  warps it looks at\n  allowed  integer 2..64\n"));
  EXPECT_THAT(explain(config, "tpc.sm.scheduler.mine.window"), HasSubstr("set at   the policy\n"));
  EXPECT_THAT(explain(config, "tpc.sm.scheduler.policy"), HasSubstr("    mine         a policy of the tests\n"));
}

TEST_F(added, is_refused_values_outside_of_its_ranges) {
  ASSERT_TRUE(add_policy(warp_policies, with_keys("mine")));
  EXPECT_THAT(error_of(preset("gt200"), {"tpc.sm.scheduler.mine.window=1"}),
              HasSubstr("tpc.sm.scheduler.mine.window: '1' is out of range; allowed: integer 2..64"));
  EXPECT_THAT(error_of(preset("gt200"), {"tpc.sm.scheduler.mine.share=2"}), HasSubstr("is out of range"));
  EXPECT_THAT(error_of(preset("gt200"), {"tpc.sm.scheduler.mine.height=2"}), HasSubstr("unknown key"));
}

TEST_F(added, has_a_name_of_its_own) {
  EXPECT_FALSE(add_policy(warp_policies, {"gto", "", {}}));
  EXPECT_THAT(take_registration_errors(),
              ElementsAre("issue policy 'gto' cannot be added: gt200 has one of this name"));
  EXPECT_TRUE(add_policy(warp_policies, {"mine", "", {}}));
  EXPECT_FALSE(add_policy(warp_policies, {"mine", "", {}}));
  EXPECT_THAT(take_registration_errors(),
              ElementsAre("issue policy 'mine' cannot be added: one of this name is there already"));
  EXPECT_FALSE(add_policy(dram_models, {"My memory", "", {}}));
  EXPECT_THAT(take_registration_errors(), ElementsAre(HasSubstr("its name is not made of a-z, 0-9 and _")));
  EXPECT_THAT(take_registration_errors(), IsEmpty());
}

TEST_F(added, declares_values_that_it_allows) {
  EXPECT_FALSE(add_policy(dram_models, {"a", "", {number_key("n", 1, unit::none, between(2, 3), "")}}));
  EXPECT_FALSE(add_policy(dram_models, {"b", "", {number_key("n", 6, unit::none, power_of_two(2, 8), "")}}));
  EXPECT_FALSE(add_policy(dram_models, {"c", "", {real_key("r", 1.5, unit::none, {0, 1}, "")}}));
  EXPECT_FALSE(add_policy(dram_models, {"d", "", {flag_key("f", true, ""), flag_key("f", true, "")}}));
  EXPECT_EQ(take_registration_errors().size(), 4u);
}

// Nobody can catch what goes wrong before main().
TEST_F(added, that_went_wrong_is_an_error_of_the_next_configuration) {
  add_policy(page_policies, {"open", "", {}});
  EXPECT_THAT(error_of(preset("gt200")), HasSubstr("page policy 'open' cannot be added"));
  EXPECT_EQ(error_of(preset("gt200")), "no error");
}

TEST_F(added, shares_no_group_with_a_key_or_another_policy) {
  ASSERT_TRUE(add_policy(warp_policies, with_keys("weights")));
  EXPECT_THAT(error_of(preset("gt200")), HasSubstr("are called 'tpc.sm.scheduler.weights'"));
}

TEST_F(added, comes_before_a_configuration_that_names_one) {
  ASSERT_TRUE(add_policy(dram_models, {"mine", "", {}}));
  load(preset("gt200"), {"partition.dram.model=mine"});
  EXPECT_FALSE(add_policy(dram_models, {"late", "", {}}));
  EXPECT_THAT(take_registration_errors(),
              ElementsAre(HasSubstr("a configuration that names an added one was loaded")));
  EXPECT_TRUE(add_policy(page_policies, {"late", "", {}})) << "another list";
}

TEST_F(added, is_chosen_by_the_name_of_a_module) {
  choose_at("gt200.partition_[02].dram=fixed_latency");
  choose_at("*.tpc_?.sm_0.issue=gto");
  EXPECT_STREQ(chosen_at(dram_models, "gt200.partition_2.dram", "timing"), "fixed_latency");
  EXPECT_STREQ(chosen_at(dram_models, "gt200.partition_1.dram", "timing"), "timing");
  EXPECT_STREQ(chosen_at(warp_policies, "gpu.tpc_3.sm_0.issue", "lrr"), "gto");
  EXPECT_STREQ(chosen_at(dram_schedulers, "gt200.partition_2.dram", "fifo"), "fifo") << "another kind";
  EXPECT_THAT(unused_choices(), IsEmpty());
}

TEST_F(added, is_chosen_once) {
  choose_at("gt200.*=fixed_latency");
  choose_at("*.dram=timing");
  EXPECT_THROW(chosen_at(dram_models, "gt200.partition_2.dram", "timing"), input_error);
  EXPECT_THAT(unused_choices(), ElementsAre("*.dram=timing"));
}

TEST_F(added, must_be_there_to_be_chosen) {
  EXPECT_THROW(choose_at("gt200.*=nothing"), input_error);
  EXPECT_THROW(choose_at("gt200"), input_error);
}

}  // namespace
}  // namespace gt200::config::test
