// The DRAM without banks: latency of a single access, the rate of the data bus, order, contents.
#include "sc_models/partition/dram/fixed_latency_controller.h"

#include <memory>

#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using tlm_bus::base_protocol;
using bytes = std::vector<std::uint8_t>;

// A burst of 32 bytes takes two cycles of the data bus.
class fixed_latency_controller_test : public support::systemc_test {
 protected:
  fixed_latency_controller_test()
      : config_(test::dram_config()), controller_("controller", memory(), config_), source_("source", memory()) {
    source_.out.bind(controller_.requests);
  }
  tlm_bus::cycle_t answered(std::uint64_t id) const { return source_.answer_of(id).cycle; }
  tlm_bus::cycle_t latency() const { return config_.fixed_latency_cycles; }

  config::dram_config config_;
  fixed_latency_controller controller_;
  support::memory_source<base_protocol> source_;
};

// Sent in 10, taken in 11, seen one cycle after the answer.
TEST_F(fixed_latency_controller_test, a_single_access_takes_the_latency) {
  source_.load_at(10, 0, 32);
  source_.load_at(200, 64 * 1024, 128);
  run_until_idle();
  EXPECT_EQ(answered(1), 11 + latency() + 1);
  EXPECT_EQ(answered(2), 201 + latency() + 1);
}
TEST_F(fixed_latency_controller_test, the_data_bus_limits_the_rate) {
  for (unsigned i = 0; i < 10; ++i) source_.load_at(10, i * 4096, 128);
  run_until_idle();
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(answered(1 + i), 11 + latency() + 1 + 8 * i) << i;
  EXPECT_EQ(controller_.data_cycles.value(), 10u * 8);
  EXPECT_EQ(controller_.read_bytes.value(), 10u * 128);
}
TEST_F(fixed_latency_controller_test, part_of_a_burst_takes_a_burst) {
  for (unsigned i = 0; i < 10; ++i) source_.load_at(10, 64 * i, 4);
  run_until_idle();
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(answered(1 + i), 11 + latency() + 1 + 2 * i) << i;
}
TEST_F(fixed_latency_controller_test, a_load_sees_the_older_store) {
  source_.store_at(10, 100, {1, 2, 3, 4});
  source_.load_at(10, 100, 4);
  source_.load_at(300, 104, 4);
  run_until_idle();
  EXPECT_EQ(source_.answer_of(2).data, (bytes{1, 2, 3, 4}));
  EXPECT_EQ(source_.answer_of(3).data, (bytes{0, 0, 0, 0}));
  EXPECT_EQ(controller_.written_bytes.value(), 4u);
}
TEST_F(fixed_latency_controller_test, bytes_without_enable_stay) {
  source_.store_at(10, 100, {1, 2, 3, 4});
  memory_payload& masked = source_.store_at(20, 100, {9, 9, 9, 9});
  masked.use_byte_enables();
  masked.enables()[2] = 0xff;
  source_.load_at(30, 100, 4);
  run_until_idle();
  EXPECT_EQ(source_.answer_of(3).data, (bytes{1, 2, 9, 4}));
}
TEST_F(fixed_latency_controller_test, an_address_beyond_the_capacity_is_an_error_and_uses_no_bus) {
  source_.load_at(10, config_.capacity_bytes(), 32);
  source_.load_at(11, 0, 32);
  run_until_idle();
  EXPECT_EQ(source_.answer_of(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(source_.answer_of(2).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(answered(2), answered(1) + 2);
  EXPECT_EQ(controller_.data_cycles.value(), 2u);
}
// The source takes its answers late: they wait in the controller, and their order stays.
TEST_F(fixed_latency_controller_test, answers_wait_for_the_requester) {
  source_.takes = [](tlm_bus::cycle_t cycle) { return cycle >= 500; };
  for (unsigned i = 0; i < 5; ++i) source_.load_at(10, 128 * i, 32);
  run_until_idle();
  ASSERT_EQ(source_.answers.size(), 5u);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(source_.answers[i].id, 1u + i);
  EXPECT_EQ(answered(1), 500u);
}

}  // namespace
}  // namespace gt200::model
