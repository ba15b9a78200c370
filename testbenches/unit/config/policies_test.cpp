// Policies are chosen by the names of their lists, and explained by their texts.
#include <gmock/gmock.h>

#include <stdexcept>

#include "sc_models/config/explain.h"
#include "sc_models/config/policy.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::HasSubstr;

class policies : public config_files {};

TEST_F(policies, compare_with_their_names) {
  const page_policy closed = "closed";
  EXPECT_TRUE(closed == "closed");
  EXPECT_TRUE(closed != "open");
  EXPECT_STREQ(closed.name(), "closed");
  EXPECT_STREQ(page_policy().name(), page_policies.names[0]);
}

TEST_F(policies, of_other_names_do_not_exist) {
  EXPECT_THROW(page_policy("half_open"), std::invalid_argument);
  EXPECT_THROW(warp_policy("coordinated"), std::invalid_argument) << "an order of fetch only";
}

TEST_F(policies, coordinated_is_one_of_fetch_only) {
  EXPECT_EQ(error_of(preset("gt200"), {"tpc.sm.fetch.policy=coordinated"}), "no error");
  for (const char* key : {"tpc.sm.scheduler.policy", "tpc.sm.scheduler.second_policy"})
    EXPECT_THAT(error_of(preset("gt200"), {std::string(key) + "=coordinated"}),
                HasSubstr("'coordinated' is not allowed; allowed: one of lrr, "));
}

TEST_F(policies, are_explained_one_by_one) {
  const std::string text = explain(load(preset("gt200")), "partition.dram.page_policy");
  EXPECT_THAT(text, HasSubstr("allowed  one of open, closed\n"));
  for (std::size_t i = 0; i < page_policies.count; ++i) {
    EXPECT_THAT(text, HasSubstr(page_policies.names[i]));
    EXPECT_THAT(text, HasSubstr(page_policies.texts[i]));
  }
}

}  // namespace
}  // namespace gt200::config::test
