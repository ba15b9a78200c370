// --set key=value, and numbers with units.
#include <gmock/gmock.h>

#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::HasSubstr;

gpu_config with(const std::vector<std::string>& overrides) { return load(preset("gt200"), overrides).values; }
std::string error_with(const std::string& override_text) { return error_of(preset("gt200"), {override_text}); }

TEST(overrides, words_need_no_quotes) {
  EXPECT_EQ(with({"tpc.sm.scheduler.policy=gto"}).tpc.sm.scheduler.policy, "gto");
  EXPECT_EQ(with({"tpc.sm.scheduler.policy=\"gto\""}).tpc.sm.scheduler.policy, "gto");
}

TEST(overrides, values_are_toml) {
  EXPECT_EQ(with({"chip.tpcs=2"}).chip.tpcs, 2u);
  EXPECT_EQ(with({"chip.tpcs = 0x2"}).chip.tpcs, 2u);
  EXPECT_TRUE(with({"idealisations.perfect_caches=true"}).idealisations.perfect_caches);
  EXPECT_EQ(with({"clocks.shader_mhz=1500"}).clocks.shader_mhz, 1500.0);
}

TEST(overrides, the_last_one_wins) { EXPECT_EQ(with({"chip.tpcs=2", "chip.tpcs=3"}).chip.tpcs, 3u); }

// Of a chip with two schedulers.
std::string policies_of(const std::string& chip, const std::vector<std::string>& overrides) {
  const auto& scheduler = load(preset(chip), overrides).values.tpc.sm.scheduler;
  return std::string(scheduler.policy.name()) + " " + scheduler.second_policy.name();
}

TEST(overrides, one_policy_is_for_both_schedulers) {
  EXPECT_EQ(policies_of("gtx480", {}), "lrr lrr");
  EXPECT_EQ(policies_of("gtx480", {"tpc.sm.scheduler.policy=gto"}), "gto gto");
  EXPECT_EQ(policies_of("gt200", {"tpc.sm.scheduler.policy=gto", "tpc.sm.scheduler.schedulers=2"}), "gto gto");
  EXPECT_EQ(policies_of("gt200", {"tpc.sm.scheduler.policy=gto"}), "gto lrr") << "there is one scheduler";
}

TEST(overrides, a_named_second_policy_stays) {
  EXPECT_EQ(policies_of("gtx480", {"tpc.sm.scheduler.second_policy=gto"}), "lrr gto");
  EXPECT_EQ(policies_of("gtx480", {"tpc.sm.scheduler.policy=gto", "tpc.sm.scheduler.second_policy=lrr"}),
            "gto lrr");
  EXPECT_EQ(policies_of("gtx480", {"tpc.sm.scheduler.second_policy=lrr", "tpc.sm.scheduler.policy=gto"}),
            "gto lrr");
}

TEST(overrides, a_version_is_a_name) {
  EXPECT_EQ(with({"tpc.memory.coalescer.rule=1.0"}).tpc.memory.coalescer.rule, coalescing_rule::cc_1_0);
  EXPECT_EQ(with({"chip.compute_capability=1.1"}).chip.capability(), 11);
}

TEST(overrides, a_path_is_relative_to_the_working_folder) {
  const auto rtl = [](const std::string& path) {
    return with({"tpc.sm.scoreboard.rtl=" + path}).tpc.sm.scoreboard.rtl;
  };
  EXPECT_EQ(rtl("mine/unit.toml"), (std::filesystem::current_path() / "mine/unit.toml").string());
  EXPECT_EQ(rtl("/mine/unit.toml"), "/mine/unit.toml");
  EXPECT_EQ(rtl("\"\""), "");
  EXPECT_THAT(error_with("tpc.sm.scoreboard.rtl=3"),
              HasSubstr("tpc.sm.scoreboard.rtl: '3' is not allowed; allowed: a path"));
}

TEST(overrides, errors_name_the_option) {
  EXPECT_THAT(error_with("tpc.sm.schedular.policy=gto"),
              HasSubstr("--set tpc.sm.schedular.policy=gto: unknown key 'tpc.sm.schedular.policy'; "
                        "did you mean 'tpc.sm.scheduler.policy'?"));
  EXPECT_THAT(error_with("chip.tpcs"), HasSubstr("--set chip.tpcs: expected key=value"));
  EXPECT_THAT(error_with("=3"), HasSubstr("--set =3: expected key=value"));
  EXPECT_THAT(error_with("chip.tpcs="), HasSubstr("no value after '='"));
  EXPECT_THAT(error_with("base=g80.toml"), HasSubstr("unknown key 'base'"));
  EXPECT_THAT(error_with("chip.tpcs=1\nchip.partitions=2"), HasSubstr("chip.tpcs: "));
  EXPECT_THAT(error_with("chip.tpcs={a=1}"), HasSubstr("chip.tpcs: 'a table' is not allowed"));
}

TEST(overrides, numbers_may_carry_their_unit) {
  EXPECT_EQ(with({"tpc.sm.icache.bytes=8 KiB"}).tpc.sm.icache.bytes, 8192u);
  EXPECT_EQ(with({"clocks.shader_mhz=1.5 GHz"}).clocks.shader_mhz, 1500.0);
  EXPECT_EQ(with({"tpc.sm.sp.latency_cycles=22 shader cycles"}).tpc.sm.sp.latency_cycles.count(), 22u);
  EXPECT_EQ(with({"partition.dram.capacity_mib=1 GiB"}).partition.dram.capacity_mib, 1024u);
  EXPECT_EQ(with({"host.launch_overhead_ns=3us"}).host.launch_overhead_ns, 3000u);
}

TEST(overrides, a_wrong_unit_is_refused_with_the_right_one) {
  EXPECT_THAT(error_with("tpc.sm.sp.latency_cycles=22 core cycles"),
              HasSubstr("has the wrong unit; allowed: integer 2..1000 in steps of 2 (shader cycles)"));
  EXPECT_THAT(error_with("tpc.sm.icache.bytes=8 ns"), HasSubstr("has the wrong unit"));
  EXPECT_THAT(error_with("tpc.sm.icache.bytes=8 kilobytes"), HasSubstr("has an unknown unit"));
  EXPECT_THAT(error_with("tpc.sm.icache.bytes=0.3 KiB"), HasSubstr("is not a whole number"));
  EXPECT_THAT(error_with("chip.tpcs=1e30 B"), HasSubstr("has the wrong unit"));
  EXPECT_THAT(error_with("tpc.sm.icache.bytes=1e30 B"), HasSubstr("is out of range"));
  EXPECT_THAT(error_with("tpc.sm.icache.bytes='4096'"),
              HasSubstr("write the number without quotes or with a unit"));
  EXPECT_THAT(error_with("chip.tpcs=2.0"), HasSubstr("'2.0' is not allowed"));
  EXPECT_THAT(error_with("clocks.shader_mhz=nan"), HasSubstr("'nan' is out of range"));
}

}  // namespace
}  // namespace gt200::config::test
