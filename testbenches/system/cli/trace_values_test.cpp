// Values in waves and logs as users ask for them: --wave-values and --trace-values.
#include <regex>

#include "testbenches/support/vcd_file.h"
#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

using trace_values = traced_run;

TEST_F(trace_values, values_are_in_no_file_unless_a_pattern_names_them) {
  ASSERT_EQ(run({"--waves", path("plain.vcd"), "--trace", "--wave-window", "3600:4200"}).code, 0);
  for (const auto& [name, signal] : support::read_vcd(path("plain.vcd")).signals) {
    EXPECT_EQ(name.find(".register_file.warp_"), std::string::npos) << name;
    EXPECT_NE(signal.type, "reg") << name;
    EXPECT_NE(signal.type, "real") << name;
  }
  ASSERT_EQ(
      run({"--waves", path("values.vcd"), "--trace", "--wave-window", "3600:4200", "--wave-scope", "*.issue.*",
           "--wave-values", "*.sm_0.register_file.warp_2.r1.lane_*", "--wave-values", "*.sm_0.*.bank_3.*"},
          "values")
          .code,
      0);
  const support::vcd_file file = support::read_vcd(path("values.vcd"));
  std::map<std::string, std::size_t> kinds;
  for (const auto& [name, signal] : file.signals)
    ++kinds[name.find(".issue.") != std::string::npos            ? "issue"
            : name.find(".warp_2.r1.lane_") != std::string::npos ? "lanes"
            : name.find(".bank_3.") != std::string::npos         ? "bank"
                                                                 : "clocks"];
  EXPECT_EQ(kinds["lanes"], 32u);
  EXPECT_EQ(kinds["bank"], 4u);
  EXPECT_EQ(kinds["clocks"], 8u);
  EXPECT_GT(kinds["issue"], 50u);
  // The log has them too.
  ASSERT_EQ(gt200_run({"trace", "convert", path("values"), "--waves", path("again.vcd")}).code, 0);
  EXPECT_TRUE(content_of(path("values.vcd")) == content_of(path("again.vcd")));
  EXPECT_EQ(stats("out"), stats("values"));
}

TEST_F(trace_values, values_are_the_same_however_the_run_is_simulated) {
  const auto recorded = [this](const arguments& how) {
    arguments args = {"--waves",       path("w.vcd"),
                      "--wave-scope",  "*.sm_0.issue.issued",
                      "--wave-values", "*.sm_0.register_file.warp_?.r?.lane_?",
                      "--wave-values", "*.sm_1.shared_memory.*",
                      "--wave-values", "*.sm_1.execution_units.*.data.*",
                      "--wave-values", "*.sm_1.register_file.*.data.*",
                      "--wave-values", "*.simt_stack.warp_?.entry_?.*"};
    args.insert(args.end(), how.begin(), how.end());
    EXPECT_EQ(run(args).code, 0);
    return content_of(path("w.vcd"));
  };
  const std::string due = recorded({});
  ASSERT_GT(due.size(), 100'000u);
  for (const arguments& how : {arguments{"--shuffle", "7"}, {"--clocking", "reference"}, {"--audit"}})
    EXPECT_TRUE(recorded(how) == due) << how.back();
}

TEST_F(trace_values, a_value_can_be_the_trigger) {
  const std::string lane = "gt200.tpc_0.sm_0.register_file.warp_1.r1.lane_3";  // number of the thread
  ASSERT_EQ(run({"--waves", path("w.vcd"), "--wave-scope", "*.sm_0.issue.*", "--wave-values", lane,
                 "--wave-trigger", lane + ">=35", "--wave-after", "50"})
                .code,
            0);
  const support::vcd_file file = support::read_vcd(path("w.vcd"));
  EXPECT_GE(std::stoul(file.signals.at(lane).at(file.first_time), nullptr, 2), 35u);
}

TEST_F(trace_values, too_many_values_are_refused) {
  const outcome o = run({"--waves", path("w.vcd"), "--wave-values", "*"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(is_one_clear_line(o.err));
  EXPECT_NE(o.err.find("more than 262144 values"), std::string::npos) << o.err;
}

TEST_F(trace_values, find_shows_operands_and_results_lane_by_lane_if_they_were_recorded) {
  const std::string folder =
      kernel("numbers",
             "    shl b32 $r1 $r0 0x2\n    mov b32 $r2 0x40200000\n"
             "    set $c0 # l u32 $r0 $r1\n    (lg $c0) add rn f32 $r3 $r2 $r2\n    exit nop\n",
             32);
  const auto lives = [&](const arguments& more) {
    arguments args = {"run", folder, "--config", "gt200_small", "--out", path("out"), "--trace"};
    args.insert(args.end(), more.begin(), more.end());
    const outcome ran = gt200_run(args);
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    std::string text;
    for (const char* id : {"i0.1", "i0.4"}) text += gt200_run({"trace", "find", id, path("out")}).out;
    return text;
  };
  EXPECT_EQ(lives({}).find("lane  "), std::string::npos);
  const std::string text = lives({"--trace-values"});
  const auto has_line = [&](const std::string& pattern) {
    for (const std::string& line : lines_of(text))
      if (std::regex_match(line, std::regex(pattern))) return true;
    return false;
  };
  EXPECT_TRUE(has_line(" *lane +operand 1 +operand 2 +\\$r1 *")) << text;
  EXPECT_TRUE(has_line(" *5 +0x00000005 5 +0x00000002 2 +0x00000014 20 *")) << text;
  EXPECT_TRUE(has_line(" *lane +operand 1 +operand 2 +predicate +\\$r3 *")) << text;
  EXPECT_TRUE(has_line(" *31 +0x40200000 2.5 +0x40200000 2.5 +0x[0-9a-f]+ +0x40a00000 5 *")) << text;
  EXPECT_FALSE(has_line(" *0 +0x40200000 2.5 .*")) << "lane 0 was switched off\n" << text;
}

}  // namespace
}  // namespace gt200::cli
