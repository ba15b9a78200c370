// The resolved configuration as TOML, its hash, and explanations.
#include "sc_models/config/print.h"

#include <gmock/gmock.h>

#include "sc_models/config/explain.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::HasSubstr;

class print : public config_files {};

// Changes one key to another allowed value; single ranges only, rules between keys may be broken.
void change(const key_info& key) {
  struct {
    void operator()(bool* member) const { *member = !*member; }
    void operator()(const number_ref& number) const {
      std::visit([](auto* member) { *member += 1; }, number.value);
    }
    void operator()(const real_ref& real) const { *real.value += 0.1; }
    void operator()(const file_ref& file) const { *file.value += "x"; }
    void operator()(const choice_ref& choice) const {
      *choice.value = static_cast<unsigned char>((*choice.value + 1) % choice.count);
    }
  } change_value;
  std::visit(change_value, key.value);
}

TEST_F(print, reading_what_was_printed_gives_the_same_configuration) {
  for (const char* name : {"gt200", "g80", "gt200_as_described"}) {
    const gpu_config config = load(preset(name), {"clocks.shader_mhz=1234.56789"}).values;
    for (const comments with : {comments::none, comments::all}) {
      const std::string text = to_toml(config, with);
      const gpu_config again = load(write("printed.toml", text)).values;
      EXPECT_EQ(to_toml(again, with), text);
      EXPECT_EQ(again.clocks.shader_mhz, 1234.56789);
    }
  }
}

// The 64-bit FNV-1a of the printed values, but for a switch that came later and is off.
TEST_F(print, the_hash_is_that_of_the_printed_values) {
  const gpu_config config = load(preset("gt200")).values;
  std::string text = to_toml(config);
  const std::string later = "posted_stores = false\n";
  ASSERT_NE(text.find(later), std::string::npos);
  text.erase(text.find(later), later.size());
  std::uint64_t expected = 0xcbf29ce484222325u;
  for (const char c : text) expected = (expected ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  EXPECT_EQ(hash_of(config), expected);
}

TEST_F(print, the_hash_depends_on_values_and_not_on_files) {
  const gpu_config by_preset = load(preset("gt200_small")).values;
  const gpu_config by_override = load(preset("gt200"), {"chip.tpcs=1", "chip.sms_per_tpc=2", "chip.partitions=2",
                                                        "tpc.texture.l1.instances=2"})
                                     .values;
  EXPECT_EQ(hash_of(by_preset), hash_of(by_override));
}

TEST_F(print, every_key_changes_text_and_hash) {
  const gpu_config original = load(preset("gt200")).values;
  gpu_config changed = original;
  const schema known(changed);
  for (const key_info& key : known.keys) {
    const std::string before = value_text(key.value);
    change(key);
    EXPECT_NE(value_text(key.value), before) << key.path;
    EXPECT_NE(hash_of(changed), hash_of(original)) << key.path;
    changed = original;
  }
}

TEST_F(print, every_key_is_explained_with_unit_range_source_and_place) {
  const resolved_config config = load(preset("gt200"), {"tpc.sm.scheduler.policy=gto"});
  const std::string latency = explain(config, "tpc.sm.sp.latency_cycles");
  EXPECT_THAT(latency, HasSubstr("tpc.sm.sp.latency_cycles = 24\n"));
  EXPECT_THAT(latency, HasSubstr("shader cycles"));
  EXPECT_THAT(latency, HasSubstr("integer 2..1000 in steps of 2"));
  EXPECT_THAT(latency, HasSubstr("measured: Wong 2010"));
  EXPECT_THAT(latency, HasSubstr("gt200.toml:"));
  EXPECT_THAT(explain(config, "tpc.sm.scheduler.policy"), HasSubstr("set at   --set tpc.sm.scheduler.policy=gto"));
}

TEST_F(print, a_group_explains_all_its_keys_and_no_others) {
  const resolved_config config = load(preset("gt200"));
  const std::string dram = explain(config, "partition.dram");
  EXPECT_THAT(dram, HasSubstr("partition.dram.timing.t_refi = 4317"));
  EXPECT_THAT(dram, ::testing::Not(HasSubstr("partition.rop")));
  gpu_config values = config.values;
  const std::string all = explain(config, "");
  for (const key_info& key : schema(values).keys) EXPECT_THAT(all, HasSubstr(key.path + " = "));
}

TEST_F(print, explaining_an_unknown_key_suggests_near_ones) {
  const resolved_config config = load(preset("gt200"));
  try {
    explain(config, "tpc.sm.sp.latency");
    FAIL() << "accepted";
  } catch (const input_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'tpc.sm.sp.latency_cycles' (in shader cycles)?"));
  }
}

TEST_F(print, explains_the_way_that_comes_on_top_of_a_latency_in_the_unit) {
  const resolved_config described = load(preset("gt200_as_described"));
  EXPECT_THAT(explain(described, "tpc.sm.sp.latency_cycles"), HasSubstr("tpc.sm.sp.latency_cycles = 4\n"));
  EXPECT_THAT(
      explain(described, "tpc.sm.sp.latency_cycles"),
      HasSubstr("  in all   10 from issue until a dependent instruction issues: 6 more for issue, collector "
                "and write-back\n"));
  EXPECT_THAT(explain(described, "tpc.sm.sfu"), HasSubstr("  in all   22 from issue"));
  EXPECT_THAT(explain(described, "tpc.sm.dp.latency_cycles"), HasSubstr("  in all   48 from issue"));
  EXPECT_THAT(explain(load(preset("gt200")), "tpc.sm.sp.latency_cycles"), ::testing::Not(HasSubstr("in all")));
}

// The schema cites sources for the values of gt200.toml.
TEST_F(print, a_value_that_another_preset_sets_has_the_source_of_its_own_line) {
  const resolved_config fermi = load(preset("gtx480"));
  EXPECT_THAT(explain(fermi, "tpc.sm.sp.latency_cycles"),
              HasSubstr("  source   V; of the base's value: measured: Wong 2010"));
  EXPECT_THAT(explain(fermi, "tpc.sm.limits.warps"), HasSubstr("  source   G; of the base's value: "))
      << "the comment of the table";
  EXPECT_THAT(explain(fermi, "tpc.sm.limits.barriers"), HasSubstr("  source   A: the most that the model counts"));
  EXPECT_THAT(explain(fermi, "chip.tpcs"), HasSubstr("  source   none is named; of the base's value: "));
  EXPECT_THAT(explain(load(preset("gt200"), {"chip.tpcs=3"}), "chip.tpcs"),
              HasSubstr("  source   none is named; of the base's value: documented: Kanter"));
}

TEST_F(print, a_comment_begins_behind_the_value) {
  const resolved_config config =
      parse("base = \"gt200.toml\"\n[tpc.sm.scheduler]\npolicy = \"gto\"  # why # here\n", preset("mine"));
  EXPECT_THAT(explain(config, "tpc.sm.scheduler.policy"),
              HasSubstr("  source   why # here; of the base's value: "));
}

}  // namespace
}  // namespace gt200::config::test
