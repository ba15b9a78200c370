// idealisations.ideal_memory and idealisations.perfect_caches: what they promise holds for every cache and every
// way to the memory.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "testbenches/system/cli/program.h"

namespace gt200::keys {
namespace {

using nlohmann::json;

struct small_run {
  const char* kernel;
  const char* config;
  const char* parameter;
};
void PrintTo(const small_run& r, std::ostream* out) { *out << r.kernel << " " << r.config; }

class idealised : public ::testing::TestWithParam<small_run> {
 protected:
  // Counters whose name ends so, summed over the launches and the chip. The emulator checks every instruction.
  static std::uint64_t sum(const json& statistics, const std::string& end) {
    std::uint64_t total = 0;
    for (const json& launch : statistics["launches"])
      for (const auto& [counter, value] : launch["counters"].items())
        if (counter.size() > end.size() && counter.compare(counter.size() - end.size(), end.size(), end) == 0)
          total += value.get<std::uint64_t>();
    return total;
  }
  static json run(const std::string& key) {
    const small_run& r = GetParam();
    cli::arguments args = {
        "run", cli::source_path(std::string("kernels/") + r.kernel), "--config", r.config, "--check", "--json"};
    if (*r.parameter != 0) args.insert(args.end(), {"--param", r.parameter});
    if (!key.empty()) args.insert(args.end(), {"--set", "idealisations." + key + "=true"});
    const cli::outcome outcome = cli::gt200_run(args);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? json::parse(outcome.out) : json();
  }
};

TEST_P(idealised, memory_needs_neither_crossbar_nor_dram) {
  const json plain = run(""), ideal = run("ideal_memory");
  ASSERT_FALSE(plain.is_null() || ideal.is_null());
  EXPECT_NE(sum(plain, ".read_bytes"), 0u);
  EXPECT_EQ(sum(ideal, ".read_bytes"), 0u);
  EXPECT_EQ(sum(ideal, ".written_bytes"), 0u);
}

TEST_P(idealised, caches_never_miss) {
  const json plain = run(""), perfect = run("perfect_caches");
  ASSERT_FALSE(plain.is_null() || perfect.is_null());
  for (const char* cache : {".icache", ".constant_cache", ".texture.l1", ".texture_l2", ".tpc.l2", ".l3"}) {
    EXPECT_EQ(sum(perfect, std::string(cache) + ".misses"), 0u) << cache;
    EXPECT_EQ(sum(perfect, std::string(cache) + ".merged"), 0u) << cache;
  }
  EXPECT_NE(sum(plain, ".icache.misses"), 0u);
}

INSTANTIATE_TEST_SUITE_P(kernels, idealised,
                         ::testing::Values(small_run{"sha1", "gt200_small", "N=4096"},
                                           small_run{"bfs", "gt200_small", "N=128"},
                                           small_run{"texture_filter", "gt200_small", "OUT_WIDTH=32"},
                                           small_run{"spmv", "gtx480", "ROWS=64"},
                                           small_run{"spmv", "v100_small", "ROWS=64"}),
                         [](const auto& of) { return std::string(of.param.kernel) + "_" + of.param.config; });

}  // namespace
}  // namespace gt200::keys
