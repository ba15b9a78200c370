// One direction of the crossbar: latency, flits, order, fairness, back pressure, and that next_event() is exact.
#include "sc_models/interconnect/switching_network.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

constexpr unsigned latency = 10;

switching_network::parameters shape(unsigned inputs, unsigned outputs, const char* arbitration = "round_robin") {
  return {inputs, outputs, latency, 32, 9, arbitration};
}

// Runs a network cycle by cycle; every output takes what arrives while `takes` says so.
struct run {
  explicit run(const switching_network::parameters& p) : network(p), outputs(p.outputs) {}

  void cycle() {
    for (unsigned o = 0; o < outputs; ++o)
      if (takes && network.has_arrived(o, now)) {
        left.push_back({o, &network.arrived(o), now});
        network.pop(o);
      }
    network.arbitrate(now);
    ++now;
  }
  void cycles(unsigned n) {
    for (unsigned i = 0; i < n; ++i) cycle();
  }

  struct departure {
    unsigned output;
    tlm::tlm_generic_payload* payload;
    cycle_t at;
  };
  switching_network network;
  unsigned outputs;
  cycle_t now = 100;
  bool takes = true;
  std::vector<departure> left;
};

TEST(switching_network_test, packet_of_one_flit_arrives_two_hops_short_of_the_latency) {
  run r(shape(2, 2));
  tlm::tlm_generic_payload p;
  r.network.accept(1, 0, p, 1, r.now);
  r.cycles(20);
  ASSERT_EQ(r.left.size(), 1u);
  EXPECT_EQ(r.left[0].at, 100 + latency - 2);
  EXPECT_TRUE(r.network.idle());
}

TEST(switching_network_test, every_further_flit_takes_one_cycle_more) {
  run r(shape(2, 2));
  tlm::tlm_generic_payload p;
  r.network.accept(1, 0, p, 5, r.now);
  r.cycles(20);
  ASSERT_EQ(r.left.size(), 1u);
  EXPECT_EQ(r.left[0].at, 100 + latency - 2 + 4);
}

// An arbitration from outside that matches an input with an output for which it has nothing, or takes it twice.
class wrong_arbitration final : public switch_arbitration {
 public:
  explicit wrong_arbitration(bool twice) : twice_(twice) {}
  void match(const switch_requests& requests, switch_matches& matches) override {
    if (requests.inputs_for[0] == 0) return;
    const auto input = static_cast<unsigned>(__builtin_ctzll(requests.inputs_for[0]));
    if (twice_) matches.add(input, 0);
    matches.add(twice_ ? input : input ^ 1, 0);
  }

 private:
  bool twice_;
};

TEST(switching_network_test, a_match_of_an_added_arbitration_that_cannot_go_is_refused_by_name) {
  for (const bool twice : {false, true}) {
    const std::string name = twice ? "takes_twice" : "takes_nothing";
    switch_arbitrations::add({name, "goes wrong", {}}, [twice](const arbitration_context&) {
      return std::make_unique<wrong_arbitration>(twice);
    });
    config::crossbar_config config;
    const auto arbitration = make_switch_arbitration(name, 2, 2, config);
    switching_network network(shape(2, 2));
    tlm::tlm_generic_payload p;
    network.accept(1, 0, p, 1, 100);
    const std::uint64_t inputs_for[] = {2, 0};
    switch_matches matches;
    try {
      arbitration->match({network, inputs_for, 1, 3, 2, 100}, matches);
      ADD_FAILURE() << name << " was not refused";
    } catch (const std::logic_error& error) {
      EXPECT_NE(std::string(error.what()).find("the policy '" + name + "' has matched input"), std::string::npos)
          << error.what();
    }
  }
}

TEST(switching_network_test, packets_of_one_input_to_one_output_keep_order_and_full_rate) {
  run r(shape(1, 1));
  std::vector<tlm::tlm_generic_payload> p(6);
  for (auto& payload : p) r.network.accept(0, 0, payload, 5, r.now);
  r.cycles(60);
  ASSERT_EQ(r.left.size(), 6u);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(r.left[i].payload, &p[i]);
    EXPECT_EQ(r.left[i].at, 100 + latency - 2 + 4 + 5 * i);
  }
}

TEST(switching_network_test, waiting_for_one_output_does_not_hold_up_packets_for_another) {
  run r(shape(2, 2));
  tlm::tlm_generic_payload long_one, blocked, other;
  r.network.accept(0, 0, long_one, 9, r.now);
  r.cycle();
  r.network.accept(1, 0, blocked, 1, r.now);
  r.network.accept(1, 1, other, 1, r.now);
  r.cycles(40);
  ASSERT_EQ(r.left.size(), 3u);
  EXPECT_EQ(r.left[0].payload, &other);
  EXPECT_EQ(r.left[0].at, 101 + latency - 2);
}

class arbitration_test : public ::testing::TestWithParam<const char*> {};

TEST_P(arbitration_test, inputs_share_an_output_fairly) {
  run r(shape(4, 1, GetParam()));
  std::vector<tlm::tlm_generic_payload> p(4 * 8);
  std::map<tlm::tlm_generic_payload*, unsigned> input_of;
  for (unsigned n = 0; n < 8; ++n)
    for (unsigned i = 0; i < 4; ++i) {
      input_of[&p[n * 4 + i]] = i;
      r.network.accept(i, 0, p[n * 4 + i], 1, r.now);
    }
  r.cycles(60);
  ASSERT_EQ(r.left.size(), 32u);
  for (unsigned n = 0; n < 32; n += 4) {
    unsigned seen = 0;
    if (std::string(GetParam()) == "oldest") continue;  // all are equally old
    for (unsigned i = 0; i < 4; ++i) seen |= 1u << input_of[r.left[n + i].payload];
    EXPECT_EQ(seen, 15u) << "every input once in four grants";
  }
  EXPECT_EQ(r.left.back().at, 100 + 31 + latency - 2) << "one flit per cycle";
}

TEST_P(arbitration_test, random_traffic_is_complete_in_order_and_announced) {
  run r(shape(5, 3, GetParam()));
  std::mt19937 random(4);
  std::vector<tlm::tlm_generic_payload> p(600);
  std::map<tlm::tlm_generic_payload*, std::pair<unsigned, unsigned>> number;  // (input, output), order by address
  unsigned next = 0;
  cycle_t announced = 0;
  bool disturbed = true;  // an accept or pop since next_event() was asked
  for (unsigned c = 0; c < 4000; ++c) {
    r.takes = random() % 4 != 0;
    const auto departures = r.left.size();
    for (unsigned o = 0; o < 3; ++o)
      if (r.takes && r.network.has_arrived(o, r.now)) {
        r.left.push_back({o, &r.network.arrived(o), r.now});
        r.network.pop(o);
      }
    disturbed = disturbed || r.left.size() != departures;
    for (unsigned i = 0; i < 5 && next < p.size(); ++i) {
      const unsigned flits = 1 + random() % 9;
      if (random() % 3 != 0 || !r.network.can_accept(i, flits)) continue;
      const unsigned output = random() % 3;
      number[&p[next]] = {i, output};
      r.network.accept(i, output, p[next++], flits, r.now);
      disturbed = true;
    }
    const unsigned started = r.network.arbitrate(r.now);
    if (!disturbed && r.now < announced) {
      EXPECT_EQ(started, 0u) << "started in cycle " << r.now << ", announced " << announced;
    }
    announced = r.network.next_event(r.now);
    EXPECT_GT(announced, r.now);
    disturbed = false;
    ++r.now;
  }
  ASSERT_EQ(next, p.size());
  ASSERT_EQ(r.left.size(), p.size());
  std::map<std::pair<unsigned, unsigned>, tlm::tlm_generic_payload*> last;
  for (const auto& d : r.left) {
    EXPECT_EQ(d.output, number[d.payload].second);
    auto& before = last[number[d.payload]];
    EXPECT_LT(before, d.payload) << "FIFO per input and output";
    before = d.payload;
  }
  EXPECT_TRUE(r.network.idle());
}

INSTANTIATE_TEST_SUITE_P(all, arbitration_test,
                         ::testing::ValuesIn(config::crossbar_arbitrations.names,
                                             config::crossbar_arbitrations.names +
                                                 config::crossbar_arbitrations.count),
                         [](const auto& p) { return std::string(p.param); });

TEST(switching_network_test, oldest_packet_goes_first) {
  run r(shape(3, 1, "oldest"));
  tlm::tlm_generic_payload busy, young, old;
  r.network.accept(0, 0, busy, 9, r.now);
  r.cycle();
  r.network.accept(2, 0, old, 1, r.now);
  r.cycle();
  r.network.accept(1, 0, young, 1, r.now);
  r.cycles(40);
  ASSERT_EQ(r.left.size(), 3u);
  EXPECT_EQ(r.left[1].payload, &old);
  EXPECT_EQ(r.left[2].payload, &young);
}

TEST(switching_network_test, receiver_that_does_not_take_fills_the_way_then_the_input) {
  run r(shape(1, 1));
  r.takes = false;
  std::vector<tlm::tlm_generic_payload> p(100);
  unsigned accepted = 0;
  for (unsigned c = 0; c < 200; ++c) {
    if (r.network.can_accept(0, 1)) r.network.accept(0, 0, p[accepted++], 1, r.now);
    r.cycle();
  }
  EXPECT_EQ(accepted, latency + 9 + 32) << "the pipeline with one packet, and the input's buffer";
  r.takes = true;
  r.cycles(200);
  EXPECT_EQ(r.left.size(), accepted);
}

TEST(switching_network_test, packet_larger_than_the_buffer_gets_in_alone) {
  auto small = shape(1, 1);
  small.queue_flits = 2;
  switching_network network(small);
  EXPECT_TRUE(network.can_accept(0, 9));
  tlm::tlm_generic_payload p;
  network.accept(0, 0, p, 9, 1);
  EXPECT_FALSE(network.can_accept(0, 1));
}

TEST(switching_network_test, impossible_shapes_are_refused) {
  auto p = shape(0, 1);
  EXPECT_THROW(switching_network{p}, std::invalid_argument);
  p = shape(65, 1);
  EXPECT_THROW(switching_network{p}, std::invalid_argument);
  p = shape(1, 1);
  p.latency = 2;
  EXPECT_THROW(switching_network{p}, std::invalid_argument);
}

}  // namespace
}  // namespace gt200::model
