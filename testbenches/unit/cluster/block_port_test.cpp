// Blocks on their way into a TPC and out of it, in exact cycles: latency, order, and the caches that a launch
// invalidates.
#include "sc_models/cluster/block_port.h"

#include <deque>

#include "sc_models/grid_descriptor.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

class noting_cache : public sc_core::sc_module, public cache_control_if {
 public:
  noting_cache(const sc_core::sc_module_name& name, const tlm_bus::clock_domain& domain)
      : sc_core::sc_module(name), domain_(domain) {}
  std::vector<cycle_t> invalidated;
  void invalidate() override { invalidated.push_back(domain_.cycle()); }

 private:
  const tlm_bus::clock_domain& domain_;
};

class block_port_test : public support::systemc_test {
 protected:
  static constexpr unsigned sms = 3;
  static constexpr unsigned latency = 5;
  using events = std::vector<std::pair<cycle_t, unsigned>>;  // cycle, block

  block_port_test()
      : port_("port", uncore(), sms, 8, latency),
        distributor_("distributor", uncore()),
        retired_("retired", uncore(), 2),
        l2_("l2", uncore()),
        texture_("texture", uncore()) {
    distributor_.out.bind(port_.launch);
    port_.retire.bind(retired_.in);
    port_.caches.bind(l2_);
    port_.caches.bind(texture_);
    for (unsigned i = 0; i < sms; ++i) {
      sms_.emplace_back(("sm_" + std::to_string(i)).c_str(), uncore(), 2);
      ends_.emplace_back(("end_" + std::to_string(i)).c_str(), uncore());
      port_.to_sm[i].bind(sms_[i].in);
      ends_[i].out.bind(port_.from_sm[i]);
    }
  }

  void launch_at(cycle_t cycle, const grid_descriptor& grid, unsigned block, unsigned sm) {
    launch_token token;
    token.grid = &grid;
    token.block_id = block;
    token.sm = static_cast<std::uint8_t>(sm);
    distributor_.send_at(cycle, token);
  }
  void retire_at(cycle_t cycle, unsigned block, unsigned sm, bool faulted = false) {
    retire_token token;
    token.block_id = block;
    token.sm = static_cast<std::uint8_t>(sm);
    token.faulted = faulted;
    ends_[sm].send_at(cycle, token);
  }
  events at_sm(unsigned sm) const { return blocks(sms_[sm].taken); }
  events at_distributor() const { return blocks(retired_.taken); }

  block_port port_;
  support::token_source<launch_token> distributor_;
  support::token_sink<retire_token> retired_;
  noting_cache l2_, texture_;
  std::deque<support::token_sink<launch_token>> sms_;
  std::deque<support::token_source<retire_token>> ends_;

 private:
  template <class Token>
  static events blocks(const std::vector<support::timed<Token>>& taken) {
    events result;
    for (const auto& t : taken) result.push_back({t.cycle, t.value.block_id});
    return result;
  }
};

grid_descriptor launch_number(std::uint64_t number) {
  grid_descriptor grid;
  grid.launch = number;
  return grid;
}

// Sent in 10, at the port in 15, at the SM in 16.
TEST_F(block_port_test, a_block_takes_the_latency_and_goes_to_its_sm) {
  const grid_descriptor grid = launch_number(1);
  launch_at(10, grid, 0, 2);
  launch_at(11, grid, 1, 0);
  run_until_idle();
  EXPECT_EQ(at_sm(2), (events{{10 + latency + 1, 0}}));
  EXPECT_EQ(at_sm(0), (events{{11 + latency + 1, 1}}));
  EXPECT_EQ(at_sm(1), events{});
}
TEST_F(block_port_test, the_first_block_of_each_launch_invalidates_all_caches_before_it_reaches_its_sm) {
  const grid_descriptor one = launch_number(1);
  const grid_descriptor two = launch_number(2);
  launch_at(10, one, 0, 0);
  launch_at(20, one, 1, 1);
  launch_at(30, two, 0, 0);
  run_until_idle();
  for (const noting_cache* cache : {&l2_, &texture_})
    EXPECT_EQ(cache->invalidated, (std::vector<cycle_t>{10 + latency, 30 + latency}));
}
TEST_F(block_port_test, an_sm_without_room_holds_up_the_blocks_behind) {
  const grid_descriptor grid = launch_number(1);
  sms_[0].takes = [](cycle_t cycle) { return cycle >= 50; };
  for (unsigned block = 0; block < 3; ++block) launch_at(10, grid, block, 0);
  launch_at(10, grid, 3, 1);
  run_until_idle();
  // Two blocks fit the pipe to SM 0; the third follows when the credit of the first is back.
  EXPECT_EQ(at_sm(0), (events{{50, 0}, {51, 1}, {52, 2}}));
  EXPECT_EQ(at_sm(1), (events{{53, 3}}));
}

// Sent in 10, at the port in 11; one leaves per cycle.
TEST_F(block_port_test, sms_take_turns_to_report_the_ends_of_blocks) {
  retire_at(10, 0, 0);
  retire_at(11, 3, 0);
  retire_at(10, 1, 1);
  retire_at(10, 2, 2);
  run_until_idle();
  EXPECT_EQ(at_distributor(), (events{{12, 0}, {13, 1}, {14, 2}, {15, 3}}));
}
TEST_F(block_port_test, an_end_says_where_the_block_ran_and_whether_it_faulted) {
  retire_at(10, 7, 2, true);
  run_until_idle();
  ASSERT_EQ(retired_.taken.size(), 1u);
  EXPECT_EQ(retired_.taken[0].value.sm, 2u);
  EXPECT_TRUE(retired_.taken[0].value.faulted);
}

}  // namespace
}  // namespace gt200::model
