// The members of stats.json that describe the run. The figures of its launches are tested in
// testbenches/system/cli/run_test.cpp, with a reader that requires everything this document holds.
#include "observe/stats_document.h"

#include <gmock/gmock.h>

#include "observe/stats_version.h"
#include "sc_models/config/load.h"

namespace gt200::observe {
namespace {

using json = nlohmann::ordered_json;

class stats_file : public ::testing::Test {
 protected:
  json document(const run_facts& facts) { return document_.assemble(facts); }
  static run_facts some_facts() {
    run_facts facts;
    facts.source = "k.s";
    facts.launch_description = "k/launch.toml";
    facts.seed = 7;
    facts.parameters = {{"N", 64}};
    facts.cpu_seconds = 2;
    facts.command_line = {"gt200", "run", "k"};
    return facts;
  }

 private:
  device board_{config::load(GT200_SOURCE_DIR "/configs/gt200_small.toml", {}).values};
  statistics figures_{board_};
  stats_document document_{figures_};
};

TEST_F(stats_file, begins_with_its_schema_and_says_what_ran) {
  const json all = document(some_facts());
  EXPECT_EQ(all.begin().key(), "schema");
  EXPECT_EQ(all.at("schema"), stats_schema);
  EXPECT_EQ(all.at("schema_version"), stats_schema_version);
  EXPECT_EQ(
      all.at("program"),
      (json{{"source", "k.s"}, {"launch_description", "k/launch.toml"}, {"seed", 7}, {"parameters", {{"N", 64}}}}));
  EXPECT_EQ(all.at("command_line"), (json{"gt200", "run", "k"}));
  EXPECT_EQ(all.at("configuration_hash").get<std::string>().size(), 16u);
}

TEST_F(stats_file, says_null_of_a_result_that_nobody_compared) {
  EXPECT_TRUE(document(some_facts()).at("result").at("passed").is_null());
}

TEST_F(stats_file, says_how_the_run_ended) {
  run_facts facts = some_facts();
  facts.end = end_reason::hang;
  facts.passed = false;
  facts.message = "nothing moves";
  const json result = document(facts).at("result");
  EXPECT_EQ(
      result,
      (json{
          {"end", "hang"}, {"checks", 0}, {"passed", false}, {"worst_error", 0.0}, {"message", "nothing moves"}}));
}

TEST_F(stats_file, has_figures_and_intervals_and_the_speed_of_the_host) {
  const json all = document(some_facts());
  EXPECT_TRUE(all.at("launches").empty());
  EXPECT_FALSE(all.at("counters").empty());
  EXPECT_TRUE(all.at("over_time").contains("core_cycles"));
  EXPECT_TRUE(all.at("source_lines").empty());
  EXPECT_EQ(all.at("host").at("warp_instructions_per_cpu_second"), 0.0);
}

}  // namespace
}  // namespace gt200::observe
