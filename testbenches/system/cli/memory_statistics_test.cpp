// Statistics of the memory system: latencies fall into the bins of the preset's figures, and every access, packet
// and transaction is counted once on each path it takes.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

using nlohmann::json;

class memory_statistics : public cli_test {
 protected:
  // One warp runs `body`; `directives` precede the kernel.
  json run(const std::string& directives, const std::string& body, const std::string& more_launch = "") const {
    file("k/k.s", ".target sm_13\n" + directives + ".entry k\n.param u32 out\n" + body + ".end\n");
    file("k/launch.toml",
         "schema = 1\nsource = \"k.s\"\n[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = 65536\n"
         "init = \"zeros\"\n" +
             more_launch + "[[step]]\nlaunch = \"k\"\ngrid = [1]\nblock = [32]\narguments = [\"out\"]\n");
    return run_kernel(path("k"));
  }
  json run_kernel(const std::string& folder, const arguments& more = {}) const {
    arguments args = {"run", folder, "--config", "gt200_small", "--out", path("out")};
    args.insert(args.end(), more.begin(), more.end());
    const outcome result = gt200_run(args);
    EXPECT_EQ(result.code, 0) << result.err;
    summary_ = result.out;
    return json::parse(content_of(path("out/stats.json")))["launches"][0];
  }
  // Counts by bin of the histogram whose path ends so, over all instances; 0 elsewhere.
  static std::vector<std::uint64_t> bins(const json& launch, const std::string& end) {
    std::vector<std::uint64_t> sum(24);
    for (const auto& [name, histogram] : launch["histograms"].items()) {
      if (!ends_with(name, end)) continue;
      std::uint64_t total = 0;
      for (std::size_t i = 0; i < histogram["bins"].size(); ++i) {
        sum[i] += histogram["bins"][i].get<std::uint64_t>();
        total += histogram["bins"][i].get<std::uint64_t>();
      }
      EXPECT_EQ(histogram["count"].get<std::uint64_t>(), total) << name;
    }
    return sum;
  }
  static std::uint64_t number(const json& launch, const std::string& end) {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : bins(launch, end)) sum += n;
    return sum;
  }
  static std::uint64_t counted(const json& launch, const std::string& part, const std::string& end) {
    std::uint64_t sum = 0;
    for (const auto& [name, value] : launch["counters"].items())
      if (name.find(part) != std::string::npos && ends_with(name, end)) sum += value.get<std::uint64_t>();
    return sum;
  }
  static bool ends_with(const std::string& name, const std::string& end) {
    return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  }
  mutable std::string summary_;
};

// 220 core cycles from load to load; the first one also walks the page table.
TEST_F(memory_statistics, a_chase_of_loads_has_its_latency) {
  std::string body = "  mov b32 $r1 b32 s[out]\n";
  for (unsigned i = 0; i < 64; ++i) body += "  ld b32 $r2 g14[$r1]\n  add b32 $r1 $r1 $r2\n";
  const json launch = run("", body + "  exit st b32 g14[$r1] $r2\n");
  const auto loads = bins(launch, ".latency.global_load");
  EXPECT_EQ(loads[8], 63u) << "128 to 255 core cycles";
  EXPECT_EQ(number(launch, ".latency.global_load"), 64u);
  EXPECT_EQ(number(launch, ".latency.global_store"), 1u);
  EXPECT_EQ(number(launch, ".page_walker.latency"), 1u);
  EXPECT_NE(summary_.find("tpc.sm.write_back.latency.global_load"), std::string::npos) << summary_;
}

// Words of one line of the L2, then of one line of the L1, one after the other.
TEST_F(memory_statistics, a_chase_of_texels_counts_the_level_that_had_them) {
  std::string body = "  mov b32 $r1 $r124\n";
  const auto fetch = [&](unsigned texel) {
    body += "  add b32 $r1 $r1 0x" + std::string(texel == 0 ? "0" : "8") +
            "\n  mov b32 $r4 $r1\n  texfetch all $r4:$r5:$r6:$r7 $t0 $s0 $r4 0x0 0x0 0x0\n  add b32 $r1 $r1 $r4\n";
  };
  for (unsigned i = 0; i < 8; ++i) fetch(i);
  for (unsigned i = 0; i < 20; ++i) fetch(0);
  const json launch = run(".sampler texels 0\n", body + "  mov b32 $r3 b32 s[out]\n  exit st b32 g14[$r3] $r1\n",
                          "[[texture]]\nname = \"texels\"\nbuffer = \"out\"\n");
  EXPECT_EQ(number(launch, ".latency.texture_dram"), 1u);
  EXPECT_EQ(number(launch, ".latency.texture_l2"), 7u);
  EXPECT_EQ(number(launch, ".latency.texture_l1"), 20u);
  EXPECT_EQ(bins(launch, ".latency.texture_l2")[8], 7u) << "185 core cycles";
}

// 40 lines, more than the L1 holds, three times. 256 bytes of DRAM fill four lines of the L2.
TEST_F(memory_statistics, constants_count_the_level_that_had_them) {
  std::string body;
  for (unsigned pass = 0; pass < 3; ++pass)
    for (unsigned line = 0; line < 40; ++line) {
      std::ostringstream offset;
      offset << std::hex << 64 * line;
      body += "  ld $r2 b32 c0[0x" + offset.str() + "]\n  add b32 $r3 $r3 $r2\n";
    }
  const json launch = run(".const table 4096\n", body + "  mov b32 $r3 b32 s[out]\n  exit st b32 g14[$r3] $r2\n");
  EXPECT_EQ(number(launch, ".constant_cache.latency.dram"), 10u);
  EXPECT_EQ(number(launch, ".constant_cache.latency.l3"), 30u);
  EXPECT_EQ(bins(launch, ".constant_cache.latency.l2")[6], 80u) << "36 core cycles longer than a hit";
  EXPECT_EQ(bins(launch, ".constant_cache.latency.l3")[7], 30u) << "106 core cycles longer";
  EXPECT_EQ(number(launch, ".icache.latency.dram") + number(launch, ".icache.latency.l3") +
                number(launch, ".icache.latency.l2"),
            counted(launch, ".icache.", ".fills"));
}

// 32 lanes load one word, and each stores it to a word of its own: 128 + 128 bytes by 2 x 32 and 2 x 64.
TEST_F(memory_statistics, bytes_of_a_word_that_lanes_share_count_for_each_of_them) {
  const json launch = run("",
                          "  shl b32 $r1 $r0 0x2\n  add b32 $r1 b32 s[out] $r1\n  mov b32 $r2 b32 s[out]\n"
                          "  ld b32 $r2 g14[$r2]\n  exit st b32 g14[$r1] $r2\n");
  EXPECT_EQ(counted(launch, ".coalescer.", ".bytes_requested"), 256u);
  EXPECT_EQ(counted(launch, ".coalescer.", ".bytes_transferred"), 192u);
  EXPECT_NE(
      summary_.find(
          "\nbytes         256 asked for by lanes, 192 moved (asked for / moved 133.3 %, lanes share words), "),
      std::string::npos)
      << summary_;
}

TEST_F(memory_statistics, bytes_that_lanes_do_not_share_are_a_share_of_those_moved) {
  run_kernel(source_path("kernels/vector_add"), {"--param", "N=1024"});
  EXPECT_NE(summary_.find(" asked for by lanes, 12,288 moved (asked for / moved 100.0 %), "), std::string::npos)
      << summary_;
}

TEST_F(memory_statistics, loads_of_a_cache_hit_are_merged_or_fetch) {
  const json launch = run_kernel(source_path("kernels/matrix_mul"), {"--set", "partition.l2.enabled=true"});
  const auto in_partitions = [&](const std::string& counter) {
    std::uint64_t sum = 0;
    for (const auto& [name, value] : launch["counters"].items())
      if (name.find(".partition_") != std::string::npos && ends_with(name, counter))
        sum += value.get<std::uint64_t>();
    return sum;
  };
  const std::uint64_t loads = in_partitions(".arbiter.loads");
  const std::uint64_t merged = in_partitions(".l2.merged") - in_partitions(".l2.merged_stores");
  EXPECT_GT(merged, 0u);
  EXPECT_EQ(in_partitions(".l2.hits") + in_partitions(".l2.misses") + merged, loads);
  std::smatch line;
  ASSERT_TRUE(std::regex_search(
      summary_, line, std::regex("partition\\.l2 +([0-9.]+) %  of ([0-9,]+) loads, ([0-9.]+) % merged\n")))
      << summary_;
  std::string shown = line[2];
  shown.erase(std::remove(shown.begin(), shown.end(), ','), shown.end());
  EXPECT_EQ(shown, std::to_string(loads));
  EXPECT_NEAR(std::stod(line[3]), 100.0 * static_cast<double>(merged) / static_cast<double>(loads), 0.01);
}

struct small_run {
  const char* kernel;
  const char* parameter;
};
class conservation : public memory_statistics, public testing::WithParamInterface<small_run> {};

TEST_P(conservation, every_access_is_counted_once_on_each_part_of_its_path) {
  const json launch =
      run_kernel(source_path(std::string("kernels/") + GetParam().kernel), {"--param", GetParam().parameter});
  // 1. Instructions.
  std::uint64_t accesses = 0, fetches = 0;
  for (const char* path : {"global_load", "global_store", "local_load", "local_store", "atomic"})
    accesses += number(launch, std::string(".write_back.latency.") + path);
  for (const char* path : {"texture_l1", "texture_l2", "texture_dram"})
    fetches += number(launch, std::string(".latency.") + path);
  EXPECT_GT(accesses, 0u);
  EXPECT_EQ(accesses, counted(launch, ".sm_controller.", ".load_store_operations"));
  EXPECT_EQ(fetches, counted(launch, ".sm_controller.", ".texture_operations"));
  EXPECT_EQ(accesses + fetches, counted(launch, ".sm_controller.queue_", ".entries"));
  // 2. Misses and walks.
  for (const auto& [cache, misses] : {std::pair{".icache.", ".fills"}, std::pair{".constant_cache.", ".misses"}}) {
    std::uint64_t answered = 0;
    for (const char* level : {"l2", "l3", "dram"})
      answered += number(launch, std::string(cache) + "latency." + level);
    EXPECT_EQ(answered, counted(launch, cache, misses)) << cache;
  }
  EXPECT_EQ(number(launch, ".page_walker.latency"), counted(launch, ".page_walker.", ".walks"));
  // 3. Transactions.
  EXPECT_EQ(counted(launch, ".load_store_queue.load_queue.", ".entries"),
            counted(launch, ".load_store_queue.", ".loads") + counted(launch, ".load_store_queue.", ".atomics"));
  EXPECT_EQ(counted(launch, ".load_store_queue.store_queue.", ".entries"),
            counted(launch, ".load_store_queue.", ".stores"));
  const std::uint64_t requests = counted(launch, ".crossbar.", ".requests");
  EXPECT_EQ(counted(launch, ".crossbar.request_queue_", ".entries"), requests);
  EXPECT_EQ(counted(launch, ".crossbar.reply_queue_", ".entries"), requests);
  EXPECT_EQ(counted(launch, ".arbiter.queue.", ".entries"), requests);
  // 4. The DRAM.
  const std::uint64_t accessed = counted(launch, ".bank_", ".row_hits") + counted(launch, ".bank_", ".row_misses");
  EXPECT_GT(accessed, 0u);
  EXPECT_EQ(accessed, counted(launch, ".controller.row_", ""));
  EXPECT_GE(counted(launch, ".controller.queue.", ".entries"), accessed) << "stores may be waiting at the end";
  EXPECT_LE(counted(launch, ".bank_", ".row_conflicts"), counted(launch, ".bank_", ".row_misses"));
  EXPECT_GE(counted(launch, ".bank_", ".activates"), counted(launch, ".bank_", ".row_misses"));
  // 5. Latencies on the way.
  EXPECT_EQ(number(launch, ".tlb.latency"), accesses);
  for (const char* cache : {".l2.", ".l3."})
    EXPECT_EQ(number(launch, std::string(cache) + "latency.fill"), counted(launch, cache, ".misses")) << cache;
  EXPECT_EQ(number(launch, ".crossbar.latency.request"), requests);
  EXPECT_EQ(number(launch, ".crossbar.latency.reply"), requests);
  EXPECT_EQ(number(launch, ".controller.latency.read") + number(launch, ".controller.latency.write"), accessed);
  EXPECT_EQ(number(launch, ".rop.latency.atomic"), counted(launch, ".rop.", ".atomics"));
  EXPECT_LE(number(launch, ".rop.latency.store"),
            counted(launch, ".rop.", ".stores") - counted(launch, ".rop.", ".merged_stores"));
}

// Of each kind all instances together, and of a queue what its counters say.
TEST_P(conservation, distributions_are_the_sums_of_the_histograms) {
  const json launch =
      run_kernel(source_path(std::string("kernels/") + GetParam().kernel), {"--param", GetParam().parameter});
  std::uint64_t all = 0, in_kinds = 0;
  for (const auto& [path, histogram] : launch["histograms"].items()) {
    all += histogram["count"].get<std::uint64_t>();
    if (!ends_with(path, ".used")) continue;
    const std::string queue = path.substr(0, path.size() - 4);
    EXPECT_EQ(histogram["sum"], launch["counters"][queue + "occupancy"]) << path;
  }
  for (const auto& [kind, of] : launch["distributions"].items()) {
    in_kinds += of["count"].get<std::uint64_t>();
    std::uint64_t count = 0, highest = 0;
    for (std::size_t i = 0; i < of["values"].size(); i += 2) {
      EXPECT_TRUE(i == 0 || of["values"][i] > highest) << kind;
      highest = of["values"][i];
      count += of["values"][i + 1].get<std::uint64_t>();
    }
    EXPECT_EQ(of["count"], count) << kind;
    EXPECT_EQ(of["most"], highest) << kind;
    EXPECT_TRUE(of["p50"] <= of["p90"] && of["p90"] <= of["p99"] && of["p99"] <= highest) << kind;
  }
  EXPECT_EQ(in_kinds, all);
  EXPECT_EQ(launch["distributions"].count("tpc.memory.sm_controller.queue.used"), 1u);
}

INSTANTIATE_TEST_SUITE_P(memory_statistics, conservation,
                         testing::Values(small_run{"vector_add", "N=3000"}, small_run{"atomic_counter", "N=500"},
                                         small_run{"histogram", "N=500"}, small_run{"bfs", "N=128"},
                                         small_run{"texture_filter", "OUT_WIDTH=32"},
                                         small_run{"black_scholes", "N=512"}),
                         [](const auto& of) { return std::string(of.param.kernel); });

}  // namespace
}  // namespace gt200::cli
