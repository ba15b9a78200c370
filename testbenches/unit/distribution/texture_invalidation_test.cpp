// What follows the report of a write to a texture: who is told, in which cycle.
#include "sc_models/distribution/texture_invalidation.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

class texture_invalidation_test : public support::systemc_test {
 protected:
  static constexpr unsigned memories = 3;
  static constexpr unsigned tpcs = 2;
  static constexpr unsigned way_to_tpc = 7;

  // Remembers when it was invalidated.
  class l2_cache final : public cache_control_if {
   public:
    explicit l2_cache(tlm_bus::clock_domain& clock) : clock_(clock) {}
    void invalidate() override { at.push_back(clock_.cycle()); }
    std::vector<cycle_t> at;

   private:
    tlm_bus::clock_domain& clock_;
  };

  // `room`: tokens that a TPC can hold.
  void build(unsigned room = 2) {
    unit = std::make_unique<texture_invalidation>("unit", uncore(), memories, tpcs);
    l2 = std::make_unique<l2_cache>(uncore());
    unit->caches.bind(*l2);
    for (unsigned i = 0; i < memories; ++i) {
      writers.push_back(std::make_unique<support::token_source<texture_write_token>>(
          ("writer_" + std::to_string(i)).c_str(), uncore()));
      writers.back()->out.bind(unit->writes[i]);
    }
    for (unsigned i = 0; i < tpcs; ++i) {
      told.push_back(std::make_unique<support::token_sink<texture_write_token>>(
          ("tpc_" + std::to_string(i)).c_str(), uncore(), room, way_to_tpc));
      unit->to_tpc[i].bind(told.back()->in);
    }
  }

  std::unique_ptr<texture_invalidation> unit;
  std::unique_ptr<l2_cache> l2;
  std::vector<std::unique_ptr<support::token_source<texture_write_token>>> writers;
  std::vector<std::unique_ptr<support::token_sink<texture_write_token>>> told;
};

TEST_F(texture_invalidation_test, a_write_empties_the_l2s_at_once_and_the_l1s_of_all_tpcs_later) {
  build();
  writers[1]->send_at(10, {0x1000});
  run_until_idle();
  EXPECT_EQ(l2->at, (std::vector<cycle_t>{11}));
  for (const auto& tpc : told) {
    ASSERT_EQ(tpc->taken.size(), 1u);
    EXPECT_EQ(tpc->taken[0].cycle, 11 + way_to_tpc);
    EXPECT_EQ(tpc->taken[0].value.address, 0x1000u);
  }
  EXPECT_EQ(unit->invalidations.value(), 1u);
}

TEST_F(texture_invalidation_test, writes_of_one_cycle_share_an_invalidation) {
  build();
  for (unsigned i = 0; i < memories; ++i) writers[i]->send_at(10, {0x100 * i});
  run_until_idle();
  EXPECT_EQ(l2->at.size(), 1u);
  EXPECT_EQ(told[0]->taken.size(), 1u);
}

TEST_F(texture_invalidation_test, a_later_write_causes_another_one) {
  build();
  writers[0]->send_at(10, {});
  writers[0]->send_at(40, {});
  run_until_idle();
  EXPECT_EQ(l2->at, (std::vector<cycle_t>{11, 41}));
  EXPECT_EQ(told[1]->taken.size(), 2u);
}

TEST_F(texture_invalidation_test, writes_during_the_wait_for_a_tpc_are_neither_lost_nor_each_invalidated) {
  build(1);
  for (cycle_t at = 10; at < 16; ++at) writers[at % memories]->send_at(at, {at});
  run_until_idle();
  EXPECT_EQ(l2->at.size(), 2u) << "of the first, and of the five that waited";
  ASSERT_EQ(told[0]->taken.size(), 2u);
  EXPECT_GT(l2->at[1], 15u) << "after the last of them";
}

}  // namespace
}  // namespace gt200::model
