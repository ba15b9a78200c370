// The templates for your own RTL answer like the model, so that users start from something that works.
#include <gtest/gtest.h>

#include "apps/support/model_run.h"
#include "rtl_ref/coalescer/coalescer.h"
#include "rtl_ref/scoreboard/scoreboard.h"
#include "sc_models/config/load.h"
#include "testbenches/rtl/coalescer_bench.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/support/systemc_test.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

constexpr rtl::scoreboard_size hazard_unit_size{24, 3};
std::unique_ptr<rtl::scoreboard_pins> make_hazard_unit(const char* name = "hazard_unit") {
  return rtl::make_scoreboard(hazard_unit_size,
                              std::string(GT200_SOURCE_DIR) + "/rtl_ref/template/" + name + ".toml");
}
std::unique_ptr<rtl::scoreboard_pins> make_registered_hazard_unit() {
  return make_hazard_unit("registered_hazard_unit");
}
const std::string merge_unit = std::string(GT200_SOURCE_DIR) + "/rtl_ref/template/merge_unit.toml";

class rtl_template : public support::systemc_test {};

void answers_like_the_model(tlm_bus::clock_domain& domain, std::unique_ptr<rtl::scoreboard_pins> pins) {
  config::sm_config config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", {}).values.tpc.sm;
  config.limits.warps = hazard_unit_size.warps;
  config.scoreboard.entries_per_warp = hazard_unit_size.entries;
  support::scoreboard_bench bench(domain, config, std::move(pins), 4711);
  EXPECT_EQ(bench.run(120000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}

TEST_F(rtl_template, answers_like_the_model_and_every_bin_is_hit) {
  answers_like_the_model(core(), make_hazard_unit());
}

TEST_F(rtl_template, of_a_coalescer_answers_like_the_model_and_every_bin_is_hit) {
  const auto rule = rtl::coalescer_rule::cc_1_2;
  support::coalescer_bench bench(rule, rtl::make_coalescer(rule, merge_unit), 4711);
  EXPECT_EQ(bench.run(100000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}

TEST_F(rtl_template, of_a_coalescer_refuses_the_rule_that_it_lacks) {
  try {
    rtl::make_coalescer(rtl::coalescer_rule::cc_1_0, merge_unit);
    FAIL() << "not refused";
  } catch (const input_error& error) {
    EXPECT_NE(std::string(error.what()).find("merge_unit.sv has rule 1.2 only"), std::string::npos) << error.what();
  }
}

TEST_F(rtl_template, with_registered_answers_gives_the_same_a_cycle_later) {
  const auto pins = make_registered_hazard_unit();
  EXPECT_EQ(pins->latency(), 1u);
  isa::instruction writes_r0;
  writes_r0.write_count = 1;
  writes_r0.writes[0] = {isa::register_file_kind::gpr, 0, 1};
  const unsigned port = pins->ask(3, writes_r0);
  EXPECT_FALSE(pins->answered(port).accepted);
  pins->edge();
  EXPECT_EQ(pins->answered(port), (rtl::scoreboard_pins::answer{true, 0, 0b1}));
  pins->edge();
  EXPECT_FALSE(pins->answered(port).accepted);
  answers_like_the_model(core(), make_registered_hazard_unit());
}

// In the chip: the kernels take the cycles of the model with that latency, both alone and in lockstep.
class registered_answers : public ::testing::TestWithParam<const char*> {};

TEST_P(registered_answers, take_the_cycles_of_the_model_of_the_same_latency) {
  const auto run = [](const char* model, const char* latency) {
    return support::in_own_process([&] {
      apps::workload_options options;
      options.target = std::string(GT200_SOURCE_DIR) + "/kernels/" + GetParam();
      options.parameters = {std::string(GetParam()) == "matrix_mul" ? "N=32" : "N=512"};
      const auto work = apps::load_workload(options);
      device target(support::configuration(
                        "gt200_small",
                        {"tpc.sm.limits.warps=24", "tpc.sm.limits.threads=768",
                         "tpc.sm.scoreboard.entries_per_warp=3", "tpc.sm.scoreboard.model=" + std::string(model),
                         "tpc.sm.scoreboard.rtl=" GT200_SOURCE_DIR "/rtl_ref/template/registered_hazard_unit.toml",
                         "tpc.sm.scoreboard.lookup_latency_cycles=" + std::string(latency)}),
                    {});
      apps::prepare(*work, target.allocator());
      target.load(work->prepared);
      observe::statistics statistics(target);
      const apps::run_outcome outcome = apps::run_on_model(target, *work, {statistics});
      std::string text = outcome.result.text;
      for (const auto& launch : statistics.launches()) text += "\n" + std::to_string(launch.cycles) + " cycles";
      return text;
    });
  };
  const std::string expected = run("systemc", "1");
  EXPECT_NE(expected.find(" cycles"), std::string::npos) << expected;
  EXPECT_EQ(expected.find("correct"), 0u) << expected;
  EXPECT_NE(expected, run("systemc", "0")) << "a latency costs cycles";
  EXPECT_EQ(run("rtl", "1"), expected);
  EXPECT_EQ(run("lockstep", "1"), expected);
  EXPECT_NE(run("rtl", "0").find("answers a look-up after 1 core cycles"), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(kernels, registered_answers, ::testing::Values("reduce0", "matrix_mul", "bfs"));

}  // namespace
}  // namespace gt200
