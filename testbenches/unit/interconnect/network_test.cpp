// A network of the crossbar alone: a generator offers packets and drives the clock, a taker takes what arrives, and
// monitors in between see everything.
#include "sc_models/interconnect/network.h"

#include <gmock/gmock.h>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_generator.h"
#include "testbenches/support/transaction_monitor.h"

namespace gt200::model {
namespace {

using testing::ElementsAre;
using tlm_bus::cycle_t;

constexpr unsigned latency = 10;

class network_test : public support::systemc_test {
 protected:
  network_test() {
    offers.out.bind(offer_monitor.in);
    offer_monitor.out.bind(unit.inputs);
    clock_edges.out.bind(unit.clock);
    unit.outputs.bind(delivery_monitor.in);
    delivery_monitor.out.bind(outputs.in);
    outputs.answer = [this](packet_delivery& d) {
      d.taken = takes;
      if (takes) left.emplace_back(d.payload, now);
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  bool offer(unsigned input, unsigned output, tlm::tlm_generic_payload& payload, unsigned flits) {
    return offers.send({input, output, flits, &payload, now}).accepted;
  }
  network_cycle deliver() { return clock_edges.send({network_cycle::half::deliver, now}); }
  network_cycle start() { return clock_edges.send({network_cycle::half::start, now}); }
  void cycles(unsigned n) {
    for (; n != 0; --n, ++now) {
      deliver();
      start();
    }
  }

  const config::crossbar_config crossbar;
  const config::topology_config topology;
  const config::policy_values no_keys;
  const std::unique_ptr<network> unit_ =
      make_network("crossbar", {"unit", 2, 2, true, latency, 8, 9, crossbar, topology, no_keys});
  network& unit = *unit_;
  support::transaction_generator<packet_offer> offers{"offers"};
  support::transaction_monitor<packet_offer> offer_monitor{"offer_monitor"};
  support::transaction_generator<network_cycle> clock_edges{"clock_edges"};
  support::transaction_monitor<packet_delivery> delivery_monitor{"delivery_monitor"};
  support::transaction_taker<packet_delivery> outputs{"outputs"};
  cycle_t now = 100;
  bool takes = true;
  std::vector<std::pair<tlm::tlm_generic_payload*, cycle_t>> left;
};

TEST_F(network_test, a_packet_arrives_two_hops_short_of_the_latency) {
  tlm::tlm_generic_payload p;
  EXPECT_TRUE(offer(1, 0, p, 1));
  cycles(20);
  EXPECT_THAT(left, ElementsAre(std::pair(&p, cycle_t{100 + latency - 2})));
}

TEST_F(network_test, an_offer_to_a_full_queue_is_refused_until_its_packets_have_started) {
  tlm::tlm_generic_payload p[3];
  EXPECT_TRUE(offer(0, 0, p[0], 5));
  EXPECT_FALSE(offer(0, 1, p[1], 5)) << "5 of 8 flits are taken";
  EXPECT_TRUE(offer(0, 1, p[2], 3));
  EXPECT_EQ(start().flits_started, 5u);
  ++now;
  EXPECT_TRUE(offer(0, 1, p[1], 5));
  ASSERT_EQ(offer_monitor.seen.size(), 4u);
  EXPECT_FALSE(offer_monitor.seen[1].accepted);
  EXPECT_TRUE(offer_monitor.seen[3].accepted);
  EXPECT_EQ(offer_monitor.seen[3].payload, &p[1]);
}

TEST_F(network_test, a_packet_that_is_not_taken_is_delivered_again) {
  tlm::tlm_generic_payload p;
  offer(0, 1, p, 1);
  takes = false;
  cycles(latency);  // it arrives two cycles earlier
  takes = true;
  cycles(1);
  EXPECT_THAT(left, ElementsAre(std::pair(&p, cycle_t{100 + latency})));
  ASSERT_EQ(delivery_monitor.seen.size(), 3u);
  EXPECT_FALSE(delivery_monitor.seen[1].taken);
  EXPECT_TRUE(delivery_monitor.seen[2].taken);
  EXPECT_EQ(delivery_monitor.seen[2].output, 1u);
}

TEST_F(network_test, a_delivery_tells_whether_another_packet_has_arrived_behind_it) {
  tlm::tlm_generic_payload p[2];
  offer(0, 0, p[0], 1);
  offer(1, 0, p[1], 1);
  takes = false;
  cycles(latency + 2);
  takes = true;
  EXPECT_TRUE(deliver().more_arrived);
  EXPECT_FALSE(deliver().more_arrived);
  EXPECT_EQ(left.size(), 2u);
}

TEST_F(network_test, the_clock_may_rest_until_the_next_event) {
  tlm::tlm_generic_payload p;
  EXPECT_EQ(start().next_event, tlm_bus::no_cycle);
  offer(0, 0, p, 1);
  start();
  ++now;
  EXPECT_EQ(start().next_event, 100u + latency - 2);
}

}  // namespace
}  // namespace gt200::model
