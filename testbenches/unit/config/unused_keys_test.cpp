// A quantity is judged only where something uses it: for every value of every choice and flag of several presets,
// all quantities that have no effect then may have their least and their largest values at once.
#include <gtest/gtest.h>

#include "testbenches/unit/config/config_files.h"
#include "testbenches/unit/config/extremes.h"

namespace gt200::config::test {
namespace {

std::string error_of(const std::string& file, const settings& overrides) {
  try {
    load(file, overrides);
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

class unused_keys : public ::testing::TestWithParam<const char*> {};

TEST_P(unused_keys, contradict_nothing) {
  const std::string file = preset(GetParam());
  gpu_config values = load(file).values;
  const schema all(values);
  std::size_t tried = 0;
  for (const key_info& chosen : all.keys)
    for (const std::string& choice : values_of(chosen)) {
      if (!error_of(file, {choice}).empty()) continue;
      for (const bool largest : {false, true}) {
        settings overrides = extremes_without_effect(load(file, {choice}).values, largest);
        overrides.insert(overrides.begin(), choice);
        tried += overrides.size() - 1;
        EXPECT_EQ(error_of(file, overrides), "") << choice << (largest ? ", largest" : ", least");
      }
    }
  EXPECT_GT(tried, 1000u);
}

INSTANTIATE_TEST_SUITE_P(config, unused_keys, ::testing::Values("gt200", "gtx480", "v100"),
                         [](const auto& of) { return std::string(of.param); });

// The key that is judged where it is used.
TEST(warps_of_an_sm, need_not_be_those_of_a_policy_that_nothing_chooses) {
  const settings few = {"tpc.sm.limits.warps=4", "tpc.sm.limits.threads=128",
                        "tpc.sm.limits.threads_per_block=128"};
  for (const char* policy : {"lrr", "gto"}) {
    settings overrides = few;
    overrides.push_back(std::string("tpc.sm.scheduler.policy=") + policy);
    EXPECT_EQ(error_of(preset("gt200"), overrides), "") << policy;
  }
  settings overrides = few;
  overrides.emplace_back("tpc.sm.scheduler.policy=two_level");
  EXPECT_NE(error_of(preset("gt200"), overrides).find("active warps are resident ones"), std::string::npos);
}

}  // namespace
}  // namespace gt200::config::test
