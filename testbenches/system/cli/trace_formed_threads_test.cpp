// Of which threads a warp is made, where warps are formed anew: pipeline view, log and waves.
#include <map>
#include <numeric>
#include <regex>
#include <set>

#include "testbenches/support/kanata_file.h"
#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

const arguments dynamic = {"--set", "tpc.sm.warp_formation=dynamic"};

arguments dynamic_and(const arguments& more) {
  arguments all = dynamic;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

class formed_threads : public traced_run {
 protected:
  // By number of the warp in which they started: the lanes in a text like "0:0x0000ffff 3:0xffff0000". A lane
  // stands once.
  static std::map<unsigned, std::uint32_t> lanes_in(const std::string& text) {
    std::map<unsigned, std::uint32_t> lanes;
    std::uint32_t all = 0;
    static const std::regex part("([0-9]+):(0x[0-9a-f]{8})");
    for (std::sregex_iterator i(text.begin(), text.end(), part), end; i != end; ++i) {
      const auto of = static_cast<std::uint32_t>(std::stoul((*i)[2].str(), nullptr, 16));
      EXPECT_EQ(all & of, 0u) << text;
      all |= of;
      EXPECT_TRUE(lanes.emplace(std::stoul((*i)[1].str()), of).second) << text;
    }
    return lanes;
  }
  static std::uint64_t number_of(const std::map<unsigned, std::uint32_t>& lanes) {
    return std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0}, [](std::uint64_t sum, const auto& of) {
      return sum + static_cast<unsigned>(__builtin_popcount(of.second));
    });
  }
  std::uint64_t counted(const std::string& name) const {
    std::uint64_t sum = 0;
    const nlohmann::json all = stats("out");
    for (const auto& c : all.at("counters")) {
      const std::string counter = c.at("path");
      if (counter.size() > name.size() && counter.compare(counter.size() - name.size(), name.size(), name) == 0)
        sum += c.at("value").get<std::uint64_t>();
    }
    return sum;
  }
};

TEST_F(formed_threads, of_every_instruction_stand_in_the_pipeline_view) {
  const outcome ran = run(dynamic_and({"--pipeline-view", path("p.kanata")}), "out", "bfs");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::uint64_t threads = 0;
  std::uint64_t of_several = 0;
  for (const auto& [number, line] : support::read_kanata(path("p.kanata"))) {
    if (!line.retired) continue;
    const auto lanes = lanes_in(line.detail);
    ASSERT_FALSE(lanes.empty()) << line.label << " " << line.detail;
    EXPECT_LT(lanes.rbegin()->first, 8u) << "a block has eight warps";
    threads += number_of(lanes);
    if (lanes.size() > 1) ++of_several;
  }
  EXPECT_EQ(threads, counted(".issue.thread_instructions"));
  EXPECT_GT(counted(".warp_former.regrouped"), 0u);
  EXPECT_GE(of_several, counted(".warp_former.regrouped")) << "each executes an instruction at least";
}

TEST_F(formed_threads, of_several_blocks_stand_with_the_slots_of_their_blocks) {
  const outcome ran =
      run(dynamic_and({"--set", "tpc.sm.warp_former.across_blocks=true", "--set",
                       "tpc.sm.warp_former.heuristic=time_stamp", "--pipeline-view", path("p.kanata")}),
          "out", "bfs");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::uint64_t threads = 0;
  std::uint64_t of_several_blocks = 0;
  static const std::regex part("([0-9]+)/([0-9]+):(0x[0-9a-f]{8})");
  for (const auto& [number, line] : support::read_kanata(path("p.kanata"))) {
    if (!line.retired) continue;
    std::set<std::string> blocks;
    for (std::sregex_iterator i(line.detail.begin(), line.detail.end(), part), end; i != end; ++i) {
      blocks.insert((*i)[1].str());
      threads += static_cast<unsigned>(__builtin_popcountl(std::stoul((*i)[3].str(), nullptr, 16)));
    }
    ASSERT_FALSE(blocks.empty()) << line.detail;
    if (blocks.size() > 1) ++of_several_blocks;
  }
  EXPECT_EQ(threads, counted(".issue.thread_instructions"));
  EXPECT_GT(of_several_blocks, 0u);
}

TEST_F(formed_threads, of_warps_that_keep_them_stand_nowhere) {
  ASSERT_EQ(run({"--pipeline-view", path("p.kanata")}, "out", "bfs").code, 0);
  for (const auto& [number, line] : support::read_kanata(path("p.kanata")))
    EXPECT_EQ(line.detail.find("threads"), std::string::npos) << line.detail;
}

TEST_F(formed_threads, stand_in_the_life_of_an_instruction) {
  ASSERT_EQ(run(dynamic_and({"--trace", "--pipeline-view", path("p.kanata")}), "out", "bfs").code, 0);
  std::set<std::string> found;
  for (const auto& [number, line] : support::read_kanata(path("p.kanata"))) {
    const std::size_t behind_id = line.detail.find(" threads ");
    const auto lanes = lanes_in(line.detail);
    if (!line.retired || lanes.size() < 2 || found.size() == 3) continue;
    const std::string id = line.detail.substr(0, behind_id);
    found.insert(id);
    const std::string life = gt200_run({"trace", "find", id, path("out")}).out;
    EXPECT_NE(life.find("," + line.detail.substr(behind_id)), std::string::npos) << line.detail << "\n" << life;
    std::smatch executed;
    ASSERT_TRUE(std::regex_search(life, executed, std::regex("lanes (0x[0-9a-f]{8})"))) << life;
    std::uint32_t all = 0;
    for (const auto& [home, of] : lanes) all |= of;
    EXPECT_EQ(std::stoul(executed[1].str(), nullptr, 16) & ~all, 0u) << line.detail << "\n" << life;
  }
  EXPECT_EQ(found.size(), 3u);
}

// The former is called by other stages; what they change stands in the record at that edge.
TEST_F(formed_threads, are_recorded_alike_however_the_run_is_simulated) {
  const auto traced = [this](const arguments& how) {
    arguments args = dynamic_and({"--trace", "--waves", path("w.vcd")});
    args.insert(args.end(), how.begin(), how.end());
    EXPECT_EQ(run(args).code, 0);
    return std::pair(content_of(path("w.vcd")), content_of(path("out/trace.log")));
  };
  const auto due = traced({});
  for (const arguments& how : {arguments{"--shuffle", "7"}, {"--clocking", "reference"}, {"--audit"}}) {
    const auto other = traced(how);
    EXPECT_TRUE(due.first == other.first) << "the waves differ: " << how.back();
    EXPECT_TRUE(due.second == other.second) << "the log differs: " << how.back();
  }
}

}  // namespace
}  // namespace gt200::cli
