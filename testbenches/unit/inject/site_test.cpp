// How a site is written.
#include "inject/site.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::inject {
namespace {

TEST(site, reads_back_as_it_is_written) {
  const site s = parse_site("gt200.tpc_0.sm_1.register_file:4711@2050");
  EXPECT_EQ(s.module, "gt200.tpc_0.sm_1.register_file");
  EXPECT_EQ(s.bit, 4711u);
  EXPECT_EQ(s.cycle, 2050u);
  EXPECT_EQ(text_of(s), "gt200.tpc_0.sm_1.register_file:4711@2050");
}

TEST(site, anything_else_is_refused_and_named) {
  for (const char* wrong : {"", "a", "a:1", "a@1", ":1@1", "a:@1", "a:1@", "a:1@0", "a:-1@1", "a:1@1x", "a@1:1",
                            "a:99999999999999999999@1"})
    try {
      parse_site(wrong);
      ADD_FAILURE() << wrong;
    } catch (const input_error& error) {
      EXPECT_EQ(std::string(error.what()).find(std::string(wrong) + ": is no site"), 0u) << error.what();
    }
}

}  // namespace
}  // namespace gt200::inject
