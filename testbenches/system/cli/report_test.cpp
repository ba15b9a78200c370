// gt200 report: pages made from the files of finished runs.
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

using nlohmann::json;

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// Every element that is opened is closed, in order.
testing::AssertionResult is_balanced(const std::string& page) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z0-9]+)[^>]*?(/?)>");
  for (std::sregex_iterator i(page.begin(), page.end(), tag), end; i != end; ++i) {
    const std::string name = (*i)[2];
    if (name == "meta" || (*i)[3] == "/") continue;
    if ((*i)[1] != "/") {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return testing::AssertionFailure() << "</" << name << "> closes " << (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << open.back() << " stays open";
}

class report : public cli_test {
 protected:
  std::string run(const std::string& name, const arguments& more = {}) const {
    arguments args = {
        "run",     source_path("kernels/matrix_mul"), "--param", "N=32", "--config", "gt200_small", "--out",
        path(name)};
    args.insert(args.end(), more.begin(), more.end());
    EXPECT_EQ(gt200_run(args).code, 0);
    return path(name);
  }
  json stats(const std::string& name) const { return json::parse(content_of(path(name) + "/stats.json")); }
};

TEST_F(report, shows_the_figures_of_the_run) {
  const std::string folder = run("a");
  const outcome result = gt200_run({"report", folder});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, folder + "/report.html\n");
  const std::string page = content_of(folder + "/report.html");
  EXPECT_TRUE(is_balanced(page));
  for (const char* outside : {"http://", "https://", "<script", "src="})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  const json all = stats("a");
  const json& launch = all["launches"][0];
  const auto shows = [&](const std::string& cell) {
    EXPECT_NE(page.find(">" + cell + "</td>"), std::string::npos) << cell;
  };
  shows(grouped(launch["core_cycles"]));
  for (const auto& [cause, slots] : launch["cycle_accounting"]["total"].items())
    if (slots != 0) shows(grouped(slots));
  shows(grouped(launch["counters"]["gt200.partition_0.dram.controller.read_bytes"]));
  for (const json& sm : launch["cycle_accounting"]["sms"])
    EXPECT_NE(page.find(sm["path"].get<std::string>()), std::string::npos);
}

TEST_F(report, attributes_the_whole_difference_between_two_runs_to_causes) {
  const std::string first = run("a"), second = run("b", {"--set", "tpc.sm.scoreboard.entries_per_warp=1"});
  const outcome result = gt200_run({"report", first, second, "-o", path("two.html")});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string page = content_of(path("two.html"));
  EXPECT_TRUE(is_balanced(page));
  EXPECT_NE(page.find("<td class=\"left\">tpc.sm.scoreboard.entries_per_warp</td>"), std::string::npos);
  const double expected = stats("b")["launches"][0]["core_cycles"].get<double>() -
                          stats("a")["launches"][0]["core_cycles"].get<double>();
  EXPECT_GT(expected, 0);
  const std::size_t begin = page.find("Where the difference"), end = page.find("<b>all</b>");
  ASSERT_LT(begin, end);
  const std::string part = page.substr(begin, end - begin);
  double sum = 0;
  unsigned causes = 0;
  const std::regex row("<td>([+-][0-9.]+)</td></tr>");
  for (std::sregex_iterator i(part.begin(), part.end(), row), last; i != last; ++i, ++causes)
    sum += std::stod((*i)[1]);
  EXPECT_GT(causes, 5u);
  EXPECT_NEAR(sum, expected, 0.005 * causes);  // every line is rounded
}

TEST_F(report, says_what_is_wrong_with_its_input) {
  const outcome missing = gt200_run({"report", path("nowhere")});
  EXPECT_NE(missing.code, 0);
  EXPECT_TRUE(is_one_clear_line(missing.err));
  const std::string folder = run("a");
  file("a/stats.json", "{\"schema\": \"gt200.stats\", \"schema_version\": 1}");
  const outcome incomplete = gt200_run({"report", folder});
  EXPECT_NE(incomplete.code, 0);
  EXPECT_TRUE(is_one_clear_line(incomplete.err));
  EXPECT_NE(incomplete.err.find("stats.json"), std::string::npos) << incomplete.err;
}

}  // namespace
}  // namespace gt200::cli
