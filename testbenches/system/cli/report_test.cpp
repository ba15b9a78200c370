// gt200 report: pages from the files of finished runs.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
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

// Every opened element is closed, in order.
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
  const outcome result = gt200_run({"report", "--static", folder});
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

// -- over time, by line, registers, latencies --

TEST_F(report, shows_how_the_run_went_over_time_and_its_intervals_are_the_whole_run) {
  const std::string folder = run("a");
  ASSERT_EQ(gt200_run({"report", "--static", folder}).code, 0);
  const json all = stats("a");
  const json& over_time = all["over_time"];
  const json& launch = all["launches"][0];
  std::uint64_t last = 0;
  for (const json& end : over_time["core_cycles"]) {
    EXPECT_GT(end.get<std::uint64_t>(), last);
    last = end;
  }
  EXPECT_GT(over_time["core_cycles"].size(), 10u);
  EXPECT_LE(over_time["core_cycles"].size(), 257u);
  const auto sum_of = [](const json& values) {
    std::uint64_t sum = 0;
    for (const json& v : values) sum += v.get<std::uint64_t>();
    return sum;
  };
  std::uint64_t slots = 0;
  for (const auto& [cause, values] : over_time["slots"].items()) {
    ASSERT_EQ(values.size(), over_time["core_cycles"].size()) << cause;
    slots += sum_of(values);
    if (cause != "no_warp") {
      EXPECT_EQ(sum_of(values), launch["cycle_accounting"]["total"][cause].get<std::uint64_t>()) << cause;
    }
  }
  EXPECT_EQ(slots, last * all["chip"]["sms"].get<std::uint64_t>());
  std::uint64_t warp_cycles = 0;
  for (const json& sm : launch["cycle_accounting"]["sms"])
    warp_cycles += sm["resident_warp_cycles"].get<std::uint64_t>();
  EXPECT_EQ(sum_of(over_time["resident_warp_cycles"]), warp_cycles);
  std::uint64_t read = 0;
  for (const auto& [path, value] : launch["counters"].items())
    if (path.find(".read_bytes") != std::string::npos) read += value.get<std::uint64_t>();
  EXPECT_EQ(sum_of(over_time["dram_read_bytes"]), read);
  const std::string page = content_of(folder + "/report.html");
  const std::size_t begin = page.find("to core cycle");
  ASSERT_NE(begin, std::string::npos);
  for (const json& end : over_time["core_cycles"])
    EXPECT_NE(page.find("<td>" + grouped(end) + "</td>", begin), std::string::npos) << end;
}

TEST_F(report, says_which_part_of_the_chart_is_outside_of_launches_so_that_the_rest_is_what_the_table_shows) {
  const std::string folder = run("a");
  ASSERT_EQ(gt200_run({"report", "--static", folder}).code, 0);
  const std::string page = content_of(folder + "/report.html");
  const json all = stats("a");
  const auto cycles = all["launches"][0]["core_cycles"].get<std::uint64_t>();
  const auto last = all["over_time"]["core_cycles"].back().get<std::uint64_t>();
  EXPECT_NE(page.find(grouped(cycles) + " in launches, and " + grouped(last - cycles) + " outside of them"),
            std::string::npos);
  // The charted slots of every cause are those of the table.
  std::map<std::string, std::uint64_t> charted;
  const std::regex slots("core cycles [0-9,]+ to [0-9,]+[:,] ([a-zA-Z ]+): ([0-9,]+) slots");
  for (std::sregex_iterator i(page.begin(), page.end(), slots), end; i != end; ++i) {
    std::string digits = (*i)[2];
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    charted[(*i)[1]] += std::stoull(digits);
  }
  const json& table = all["launches"][0]["cycle_accounting"]["total"];
  EXPECT_EQ(charted["no warp resident"], table["no_warp"].get<std::uint64_t>());
  EXPECT_EQ(charted["issued"], table["issued"].get<std::uint64_t>());
  EXPECT_EQ(charted["outside of launches"], (last - cycles) * all["chip"]["sms"].get<std::uint64_t>());
}

TEST_F(report, series_of_parts_of_the_chip_add_up_to_the_counters) {
  run("a");
  const json all = stats("a");
  const json& series = all["over_time"]["series"];
  const auto sum_of = [](const json& values) {
    std::uint64_t sum = 0;
    for (const json& v : values) sum += v.get<std::uint64_t>();
    return sum;
  };
  for (const json& sm : all["launches"][0]["cycle_accounting"]["sms"]) {
    const auto path = sm["path"].get<std::string>();
    EXPECT_EQ(series.count(path + ".issued") == 0 ? 0 : sum_of(series[path + ".issued"]),
              sm["slots"]["issued"].get<std::uint64_t>());
  }
  unsigned banks = 0;
  std::uint64_t hits = 0;
  for (const json& counter : all["counters"]) {
    const auto path = counter["path"].get<std::string>();
    if (series.count(path) != 0) {
      EXPECT_EQ(sum_of(series[path]), counter["value"].get<std::uint64_t>()) << path;
      banks += path.find(".bank_") != std::string::npos;
    }
    if (path.find(".icache.hits") != std::string::npos) hits += counter["value"].get<std::uint64_t>();
  }
  EXPECT_GT(banks, 3u);
  EXPECT_EQ(sum_of(series["tpc.sm.icache.hits"]), hits);
}

TEST_F(report, over_time_does_not_depend_on_how_the_run_is_simulated) {
  run("due");
  run("reference", {"--clocking", "reference"});
  run("shuffled", {"--shuffle", "3"});
  run("threads", {"--threads", "2", "--share-every-window"});
  EXPECT_EQ(stats("due")["over_time"], stats("reference")["over_time"]);
  EXPECT_EQ(stats("due")["over_time"], stats("shuffled")["over_time"]);
  EXPECT_EQ(stats("due")["over_time"], stats("threads")["over_time"]);
}

TEST_F(report, shows_the_hottest_lines_of_the_source_with_the_slots_of_their_instructions) {
  const std::string folder = run("a");
  ASSERT_EQ(gt200_run({"report", "--static", folder}).code, 0);
  const std::string page = content_of(folder + "/report.html");
  const json all = stats("a");
  std::map<std::uint64_t, std::uint64_t> slots;
  for (const json& i : all["launches"][0]["cycle_accounting"]["instructions"])
    for (const auto& [cause, count] : i["slots"].items()) slots[i.at("line")] += count.get<std::uint64_t>();
  const auto hottest = std::max_element(slots.begin(), slots.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::string text = all["source_lines"][std::to_string(hottest->first)];
  EXPECT_NE(text.find_first_not_of(' '), std::string::npos);
  const std::size_t row = page.find("<td class=\"left\">" + std::to_string(hottest->first) + "</td>");
  ASSERT_NE(row, std::string::npos);
  EXPECT_NE(page.substr(row, 600).find("<td>" + grouped(hottest->second) + "</td>"), std::string::npos);
}

TEST_F(report, shows_live_and_allocated_registers) {
  const std::string folder = run("a");
  ASSERT_EQ(gt200_run({"report", "--static", folder}).code, 0);
  const json all = stats("a");
  const json& launch = all["launches"][0];
  const auto given = launch["registers"].get<unsigned>();
  unsigned most = 0;
  for (const json& i : launch["cycle_accounting"]["instructions"])
    most = std::max(most, i["live_registers"].get<unsigned>());
  EXPECT_GT(most, 3u);
  EXPECT_LE(most, given);
  EXPECT_NE(content_of(folder + "/report.html")
                .find(std::to_string(given) + " registers per thread, at most " + std::to_string(most) + " needed"),
            std::string::npos);
}

TEST_F(report, is_made_without_latencies_when_the_log_cannot_be_read) {
  const std::string folder = run("traced", {"--trace"});
  std::string log = content_of(folder + "/trace.log");
  log[log.size() / 1000] ^= 1;  // in the definitions, with which it begins
  std::ofstream(folder + "/trace.log", std::ios::binary) << log;
  const outcome result = gt200_run({"report", "--static", folder});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.err.find("trace.log: is damaged"), std::string::npos) << result.err;
  const std::string page = content_of(folder + "/report.html");
  EXPECT_NE(page.find("trace.log: is damaged"), std::string::npos);
  EXPECT_NE(page.find("Where the issue slots went"), std::string::npos);
}

TEST_F(report, shows_latencies_when_the_run_was_traced) {
  const std::string plain = run("plain"), traced = run("traced", {"--trace"});
  ASSERT_EQ(gt200_run({"report", "--static", plain}).code, 0);
  ASSERT_EQ(gt200_run({"report", "--static", traced}).code, 0);
  EXPECT_EQ(content_of(plain + "/report.html").find("instructions, from issue"), std::string::npos);
  const std::string page = content_of(traced + "/report.html");
  EXPECT_TRUE(is_balanced(page));
  // Every instruction is counted once.
  std::uint64_t sum = 0;
  const std::regex line("<p>([0-9,]+) instructions, from issue");
  for (std::sregex_iterator i(page.begin(), page.end(), line), end; i != end; ++i) {
    std::string digits = (*i)[1];
    digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
    sum += std::stoull(digits);
  }
  EXPECT_EQ(sum, stats("traced")["launches"][0]["cycle_accounting"]["total"]["issued"].get<std::uint64_t>());
  EXPECT_NE(page.find("transactions of TPCs, from the crossbar's entry and back, load"), std::string::npos);
}

TEST_F(report, attributes_the_whole_difference_between_two_runs_to_causes) {
  const std::string first = run("a"), second = run("b", {"--set", "tpc.sm.scoreboard.entries_per_warp=1"});
  const outcome result = gt200_run({"report", "--static", first, second, "-o", path("two.html")});
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

TEST_F(report, compares_kernels_launches_lines_and_code) {
  const std::string first = run("a"), same = run("b", {"--set", "tpc.sm.scoreboard.entries_per_warp=1"});
  std::string source = content_of(source_path("kernels/matrix_mul/matrix_mul.s"));
  const std::string line = "    shl b32 $r3 $r3 0x4\n";
  const std::size_t at = source.find(line);
  ASSERT_NE(at, std::string::npos);
  source.insert(at, "    mov b32 $r9 $r9\n");
  file("changed.s", source);
  const std::string changed = run("c", {"--source", path("changed.s")});
  ASSERT_EQ(gt200_run({"report", "--static", first, same, "-o", path("same.html")}).code, 0);
  ASSERT_EQ(gt200_run({"report", "--static", first, changed, "-o", path("changed.html")}).code, 0);
  const std::string page = content_of(path("same.html")), other = content_of(path("changed.html"));
  EXPECT_TRUE(is_balanced(other));
  EXPECT_NE(page.find("the same code"), std::string::npos);
  EXPECT_EQ(page.find("the code differs"), std::string::npos);
  EXPECT_NE(other.find("the code differs"), std::string::npos);
  EXPECT_NE(other.find("<h2>By kernel"), std::string::npos);
  // A line that moved is beside itself; the new one is in B alone.
  const std::regex moved("<tr><td class=\"left\">19</td><td class=\"left\">20</td>.*shl b32 \\$r3 \\$r3 0x4");
  EXPECT_TRUE(std::regex_search(other, moved));
  const std::regex fresh("<tr><td class=\"left\"></td><td class=\"left\">19</td>.*mov b32 \\$r9 \\$r9");
  EXPECT_TRUE(std::regex_search(other, fresh));
}

TEST_F(report, of_a_study_has_its_designs_with_intervals_and_links_to_its_runs) {
  const std::string folder = path("study");
  ASSERT_EQ(gt200_run({"sweep", source_path("kernels/vector_add"), "--config", "gt200_small", "--set",
                       "tpc.sm.scoreboard.entries_per_warp=1,6", "--replicate", "2", "--no-cache", "--out", folder})
                .code,
            0);
  const outcome result = gt200_run({"report", "--static", folder});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, folder + "/report.html\n");
  const std::string page = content_of(folder + "/report.html");
  EXPECT_TRUE(is_balanced(page));
  EXPECT_NE(page.find("baseline"), std::string::npos);
  EXPECT_NE(page.find(" +- "), std::string::npos);
  unsigned links = 0;
  const std::regex link("href=\"(points/[^\"]+/report.html)\"");
  for (std::sregex_iterator i(page.begin(), page.end(), link), end; i != end; ++i, ++links)
    EXPECT_NE(content_of(folder + "/" + (*i)[1].str()).find("Where the issue slots went"), std::string::npos);
  EXPECT_EQ(links, 4u);
  const outcome two = gt200_run({"report", folder, folder});
  EXPECT_EQ(two.code, 1);
  EXPECT_TRUE(is_one_clear_line(two.err));
}

TEST_F(report, names_the_member_that_is_damaged_and_what_is_expected_there) {
  const std::string folder = run("a");
  const json whole = stats("a");
  const std::vector<std::tuple<std::string, json, std::string>> damages = {
      {"/launches", 3, "/launches: an array is expected"},
      {"/launches/0", "x", "/launches/0: an object is expected"},
      {"/launches/0/core_cycles", "many", "/launches/0/core_cycles: a whole number, not negative is expected"},
      {"/launches/0/core_cycles", -1, "/launches/0/core_cycles: a whole number, not negative is expected"},
      {"/launches/0/kernel", nullptr, "/launches/0/kernel: a string is expected"},
      {"/launches/0/grid", json{"x"}, "/launches/0/grid/0: a whole number, not negative is expected"},
      {"/launches/0/cycle_accounting/total", json::object(), "/cycle_accounting/total/issued: "},
      {"/launches/0/cycle_accounting/instructions/0/pc", 1e300, "/instructions/0/pc: a whole number below 2^32 is"},
      {"/launches/0/histograms/x",
       {{"sum", 1}, {"bins", std::vector<int>(25)}},
       "/bins: an array of at most 24 el"},
      {"/result", json::array(), "/result: an object is expected"},
      {"/result/passed", 1, "/result/passed: true, false or null is expected"},
      {"/command_line/0", 7, "/command_line/0: a string is expected"},
      {"/program/source", false, "/program/source: a string is expected"},
      {"/counters/0/unit", 0, "/counters/0/unit: a string is expected"},
      {"/source_lines", "x", "/source_lines: an object is expected"},
      {"/over_time/dram_read_bytes", json::array(), "/over_time/dram_read_bytes: an array of "},
      {"/schema_version", "1", "is not gt200.stats, version 1"}};
  for (const auto& [place, value, reason] : damages) {
    json damaged = whole;
    damaged[json::json_pointer(place)] = value;
    file("a/stats.json", damaged.dump());
    const outcome o = gt200_run({"report", "--static", folder});
    EXPECT_EQ(o.code, 1) << place;
    EXPECT_TRUE(is_one_clear_line(o.err));
    EXPECT_EQ(o.err.rfind("gt200: " + path("a/stats.json") + ": ", 0), 0u) << o.err;
    EXPECT_NE(o.err.find(reason), std::string::npos) << o.err;
  }
}

TEST_F(report, reports_mistakes_in_its_input) {
  const outcome missing = gt200_run({"report", path("nowhere")});
  EXPECT_NE(missing.code, 0);
  EXPECT_TRUE(is_one_clear_line(missing.err));
  const std::string folder = run("a");
  file("a/stats.json", "{\"schema\": \"gt200.stats\", \"schema_version\": 1}");
  const outcome incomplete = gt200_run({"report", "--static", folder});
  EXPECT_NE(incomplete.code, 0);
  EXPECT_TRUE(is_one_clear_line(incomplete.err));
  EXPECT_NE(incomplete.err.find("stats.json"), std::string::npos) << incomplete.err;
}

}  // namespace
}  // namespace gt200::cli
