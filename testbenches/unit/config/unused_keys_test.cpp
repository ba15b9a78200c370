// A quantity is judged only where something uses it: for every value of every choice and flag of several presets,
// all quantities that have no effect then may have their least and their largest values at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sc_models/config/hints.h"
#include "sc_models/config/schema.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using settings = std::vector<std::string>;

// "key=value" for all values that a choice or a flag may have; nothing for other keys.
settings values_of(const key_info& key) {
  settings result;
  if (std::holds_alternative<bool*>(key.value)) return {key.path + "=false", key.path + "=true"};
  if (const auto* const choice = std::get_if<choice_ref>(&key.value))
    for (std::size_t k = 0; k < choice->count; ++k) result.push_back(key.path + "=" + choice->names[k]);
  return result;
}

std::string extreme_of(const key_info& key, bool largest) {
  if (const auto* const number = std::get_if<number_ref>(&key.value)) {
    const range& r = number->allowed;
    const std::uint64_t first = (r.low + r.step - 1) / r.step * r.step;
    return fmt::format("{}={}", key.path, largest ? r.high / r.step * r.step : first);
  }
  if (const auto* const real = std::get_if<real_ref>(&key.value))
    return fmt::format("{}={}", key.path, largest ? real->allowed.high : real->allowed.low);
  return "";
}

// Caches and, but for Volta, units without effect are made all the same: they must have a shape and times.
bool is_made_anyway(const std::string& path, bool is_volta) {
  for (const char* unit : {"tpc.sm.sp.", "tpc.sm.sfu.", "tpc.sm.dp."})
    if (!is_volta && path.rfind(unit, 0) == 0) return true;
  for (const char* cache :
       {"l3.", "tpc.l2.", "partition.texture_l2.", "tpc.sm.icache.", "tpc.sm.constant_cache.", "tpc.texture.l1."})
    if (path.rfind(cache, 0) == 0) return true;
  return false;
}

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
      gpu_config with_choice = load(file, {choice}).values;
      const std::set<std::string> unused = keys_without_effect(with_choice);
      for (const bool largest : {false, true}) {
        settings overrides = {choice};
        for (const key_info& key : schema(with_choice).keys)
          if (unused.count(key.path) != 0 && !is_made_anyway(key.path, with_choice.chip.is_volta()))
            if (const std::string extreme = extreme_of(key, largest); !extreme.empty())
              overrides.push_back(extreme);
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
