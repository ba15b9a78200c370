// Files and their bases.
#include <gmock/gmock.h>

#include "sc_models/config/print.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::HasSubstr;

class files : public config_files {};

TEST_F(files, a_file_overrides_its_base) {
  const gpu_config config = load(write_on_gt200("[chip]\ntpcs = 4\n")).values;
  EXPECT_EQ(config.chip.tpcs, 4u);
  EXPECT_EQ(config.chip.sms_per_tpc, 3u);
}

TEST_F(files, a_base_is_relative_to_the_file_that_names_it) {
  write("presets/full.toml", read_text(preset("gt200")));
  write("presets/half.toml", "base = \"full.toml\"\n[chip]\ntpcs = 5\npartitions = 4\n");
  const std::string file = write("mine/test.toml", "base = \"../presets/half.toml\"\n[chip]\npartitions = 2\n");
  const gpu_config config = load(file).values;
  EXPECT_EQ(config.chip.tpcs, 5u);
  EXPECT_EQ(config.chip.partitions, 2u);
}

TEST_F(files, the_place_of_a_setting_is_kept) {
  const std::string file = write_on_gt200("[chip]\ntpcs = 4\n");
  const resolved_config config = load(file);
  EXPECT_EQ(config.set_at.at("chip.tpcs").file, file);
  EXPECT_EQ(config.set_at.at("chip.tpcs").line, 3u);
  EXPECT_THAT(config.set_at.at("chip.partitions").file, HasSubstr("gt200.toml"));
}

TEST_F(files, a_path_is_relative_to_the_file_that_sets_it) {
  const std::string file = write(
      "mine/test.toml", "base = \"" + preset("gt200") + "\"\n[tpc.sm.scoreboard]\nrtl = \"../rtl/my unit.toml\"\n");
  const gpu_config config = load(file).values;
  EXPECT_EQ(config.tpc.sm.scoreboard.rtl, path("rtl/my unit.toml"));
  EXPECT_EQ(config.tpc.sm.scheduler.rtl, "");
  const gpu_config again = load(write("elsewhere/printed.toml", to_toml(config))).values;
  EXPECT_EQ(again.tpc.sm.scoreboard.rtl, path("rtl/my unit.toml"));
}

TEST_F(files, a_circle_of_bases_is_refused) {
  write("a.toml", "base = \"b.toml\"\n");
  write("b.toml", "# comment\nbase = \"a.toml\"\n");
  EXPECT_THAT(error_of(path("a.toml")), HasSubstr("b.toml:2: base leads in a circle"));
  write("self.toml", "base = \"self.toml\"\n");
  EXPECT_THAT(error_of(path("self.toml")), HasSubstr("self.toml:1: base leads in a circle"));
}

TEST_F(files, unreadable_files_are_named) {
  EXPECT_EQ(error_of(path("none.toml")), path("none.toml") + ": cannot read this configuration file");
  EXPECT_THAT(error_of(path("")), HasSubstr("cannot read this configuration file"));  // the folder
  const std::string file = write("test.toml", "\nbase = \"none.toml\"\n");
  EXPECT_EQ(error_of(file), file + ":2: cannot read the base configuration '" + path("none.toml") + "'");
}

TEST_F(files, a_base_must_be_a_name) {
  EXPECT_THAT(error_of(write("test.toml", "base = 3\n")), HasSubstr("test.toml:1: base: the name of another"));
}

TEST_F(files, syntax_errors_have_a_line) {
  EXPECT_THAT(error_of(write("test.toml", "[chip]\ntpcs = = 3\n")), HasSubstr("test.toml:2: "));
  EXPECT_THAT(error_of(write("test.toml", "[chip]\ntpcs = 3\ntpcs = 4\n")), HasSubstr("test.toml:3: "));
  EXPECT_THAT(error_of(write("test.toml", std::string("\xff\xfe\0", 3))), HasSubstr("test.toml:1: "));
}

TEST_F(files, a_header_that_is_no_name_is_an_error_and_not_an_abort) {
  EXPECT_THAT(error_of(write("bad.toml", "[chip]\n[=]\n")), HasSubstr("bad.toml:2: malformed TOML"));
}

// Lines with a comment are not given to the parser; what it says must not show that.
TEST_F(files, comment_lines_keep_their_place_and_their_rules) {
  EXPECT_THAT(error_of(write("bad.toml", "# a\n\t# b\n[chip]\n# c\n[=]\n")),
              HasSubstr("bad.toml:5: malformed TOML"));
  EXPECT_THAT(error_of(write("bad.toml", "[chip]\n# a \x01 b\n")), HasSubstr("bad.toml:2:"));
  EXPECT_THAT(error_of(write("bad.toml", "[chip]\n# \xff\n")), HasSubstr("bad.toml:2:"));
  EXPECT_THAT(error_of(write("bad.toml", "# \"\"\"\n[chip]\nname = \"\"\"\n# no comment\n\"\"\"x\n")),
              HasSubstr("bad.toml:5:"));
}

TEST_F(files, an_empty_file_misses_its_first_key) {
  EXPECT_THAT(error_of(write("test.toml", "")), HasSubstr("test.toml: missing key 'chip.tpcs'"));
}

TEST_F(files, dotted_keys_and_inline_tables_are_the_same_as_groups) {
  EXPECT_EQ(
      load(write_on_gt200("tpc.sm.limits.warps = 48\nchip = {tpcs = 2, sms_per_tpc = 4}\n")).values.chip.sms(), 8u);
}

}  // namespace
}  // namespace gt200::config::test
