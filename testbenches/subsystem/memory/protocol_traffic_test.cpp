// Foreign components at the memory boundaries: random transactions, no violation of the protocol on either side,
// and the right data. scripts/validate base_protocol runs the same for 10 million transactions.
#include "testbenches/subsystem/memory/protocol_traffic.h"

#include <gtest/gtest.h>

namespace gt200::support {
namespace {

class protocol_traffic : public testing::TestWithParam<boundary> {};

TEST_P(protocol_traffic, keeps_the_protocol_and_the_data) {
  constexpr std::uint64_t transactions = 3000;
  const traffic_result result = GetParam().run(transactions, 7);
  EXPECT_EQ(result.trouble, "");
  EXPECT_GE(result.transactions, transactions);
}

INSTANTIATE_TEST_SUITE_P(boundaries, protocol_traffic, testing::ValuesIn(boundaries()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace gt200::support
