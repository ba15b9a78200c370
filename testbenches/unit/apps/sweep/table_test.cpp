#include "apps/sweep/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "apps/sweep/figures.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

using json = nlohmann::ordered_json;

// Two launches on two SMs: 100 + 60 core cycles, 320 slots, 64 of them issued.
json two_launches() {
  const auto launch = [](unsigned cycles, unsigned issued, unsigned barrier) {
    return json{{"core_cycles", cycles},
                {"began_at_fs", 1'000'000'000},
                {"ended_at_fs", 1'000'000'000 + 2'000'000 * cycles},
                {"cycle_accounting",
                 {{"total", {{"issued", issued}, {"no_warp", 2 * cycles - issued - barrier}, {"barrier", barrier}}},
                  {"sms", {{{"resident_warp_cycles", cycles}}, {{"resident_warp_cycles", 3 * cycles}}}}}}};
  };
  return {{"result", {{"end", "done"}, {"passed", true}}},
          {"chip", {{"sms", 2}}},
          {"launches", {launch(100, 40, 32), launch(60, 24, 0)}},
          {"counters",
           {{{"path", "gt200.tpc_0.sm_0.icache.misses"}, {"value", 3}},
            {{"path", "gt200.tpc_0.sm_1.icache.misses"}, {"value", 4}},
            {{"path", "gt200.l3.misses"}, {"value", 9}}}}};
}

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> result;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    result.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) result.back().push_back(cell);
    if (line.back() == ',') result.back().emplace_back();
  }
  return result;
}

class table : public testing::Test {
 protected:
  // The cell of the only point in the column of that name.
  std::string cell(const std::string& name, const std::vector<std::string>& counters = {}) const {
    const auto cells = cells_of(csv({axis_}, {{{1}, 0, figures_of(two_launches())}}, counters));
    for (std::size_t i = 0; i < cells[0].size(); ++i)
      if (cells[0][i] == name) return cells[1].at(i);
    return "no column " + name;
  }
  const axis axis_ = parse_axis("--set", "chip.tpcs=1,2");
};

TEST_F(table, gives_every_point_its_values_and_figures) {
  EXPECT_EQ(cell("chip.tpcs"), "2");
  EXPECT_EQ(cell("exit_code"), "0");
  EXPECT_EQ(cell("passed"), "true");
  EXPECT_EQ(cell("core_cycles"), "160");
  EXPECT_EQ(cell("microseconds"), "0.320000");
  EXPECT_EQ(cell("warp_instructions"), "64");
  EXPECT_EQ(cell("ipc"), "0.200000");
  EXPECT_EQ(cell("resident_warps"), "2.0000");
  EXPECT_EQ(cell("issued_share"), "0.200000");
  EXPECT_EQ(cell("barrier_share"), "0.100000");
  EXPECT_EQ(cell("no_warp_share"), "0.700000");
}

TEST_F(table, sums_a_counter_over_its_instances) {
  EXPECT_EQ(cell("tpc.sm.icache.misses", {"tpc.sm.icache.misses"}), "7");
  EXPECT_EQ(cell("l3.misses", {"l3.misses"}), "9");
  EXPECT_EQ(cell("tpc.l1.misses", {"tpc.l1.misses"}), "") << "a counter of other chips of the sweep";
}

TEST_F(table, a_point_without_statistics_leaves_its_figures_empty) {
  const auto cells = cells_of(csv({axis_}, {{{0}, 1, json()}, {{1}, 0, figures_of(two_launches())}}, {}));
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[1][0], "1");
  EXPECT_EQ(cells[1][1], "1");
  for (std::size_t i = 2; i < cells[1].size(); ++i) EXPECT_EQ(cells[1][i], "") << cells[0][i];
  EXPECT_EQ(cells[1].size(), cells[2].size());
}

TEST_F(table, quotes_what_needs_it) {
  const axis odd = parse_axis("--set", "k=[1, 2]");
  EXPECT_NE(csv({odd}, {{{0}, 1, json()}}, {}).find("\n\"[1, 2]\",1"), std::string::npos);
}

// A study may come from others: what they keep is that of a run, or refused.
TEST(figures, are_those_of_a_run_or_refused) {
  const std::string whole =
      R"({"end":"done","passed":null,"core_cycles":1,"femtoseconds":2,"sms":1,"resident_warp_cycles":3,)"
      R"("slots":{"issued":1,"no_warp":2},"counters":{"a":1}})";
  EXPECT_EQ(figures_in(whole, "f").at("sms"), 1);
  EXPECT_TRUE(figures_in("null", "f").is_null());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& wrong :
       {std::string("{}"), std::string("[1]"), std::string("\"x\""), std::string("{\"end\""),
        changed("\"done\"", "3"), changed("\"sms\":1", "\"sms\":\"many\""),
        changed("\"no_warp\":2", "\"no_warp\":{}"), changed("{\"a\":1}", "{\"a\":[]}"), changed("{\"a\":1}", "7")})
    EXPECT_THROW(figures_in(wrong, "f"), input_error) << wrong;
}

}  // namespace
}  // namespace gt200::apps::sweep
