// Ring and mesh: ways and their latency, order, rates as computed from the links, and that no packet is ever stuck.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "sc_models/interconnect/topologies/routed_network.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_generator.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

constexpr unsigned latency = 10;
constexpr unsigned hop = 3;
constexpr unsigned sources = 12;
constexpr unsigned partitions = 8;
constexpr unsigned columns = 5;

class topologies : public support::systemc_test {
 protected:
  // Requests: from sources to partitions.
  void make(const char* name, bool requests = true) {
    topology_.hop_cycles = hop;
    topology_.buffer_flits = 16;
    topology_.mesh_columns = columns;
    unit_ =
        make_network(name, {"unit", sources, partitions, requests, latency, 32, 5, crossbar_, topology_, no_keys_});
    offers_.out.bind(unit_->inputs);
    clock_edges_.out.bind(unit_->clock);
    unit_->outputs.bind(outputs_.in);
    outputs_.answer = [this](packet_delivery& d) {
      d.taken = takes_(d.output);
      if (d.taken) left_.push_back({d.output, d.payload, now_});
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  bool offer(unsigned input, unsigned output, tlm::tlm_generic_payload& payload, unsigned flits) {
    return offers_.send({input, output, flits, &payload, now_}).accepted;
  }
  // The two steps of a cycle; offers come between them.
  template <class Offers>
  void cycle(const Offers& offer_all) {
    clock_edges_.send({network_cycle::half::deliver, now_});
    offer_all();
    const network_cycle started = clock_edges_.send({network_cycle::half::start, now_});
    flits_ += started.flits_started;
    moved_ = started.moved;
    next_event_ = started.next_event;
    ++now_;
  }
  void cycles(unsigned n) {
    for (; n != 0; --n) cycle([] {});
  }
  // Cycles from the offer of a packet of one flit to its arrival in an empty network.
  cycle_t latency_of(unsigned input, unsigned output, unsigned flits = 1) {
    tlm::tlm_generic_payload p;
    left_.clear();
    const cycle_t offered = now_;
    cycle([&] { EXPECT_TRUE(offer(input, output, p, flits)); });
    while (left_.empty() && now_ < offered + 1000) cycles(1);
    EXPECT_EQ(left_.size(), 1u);
    return left_.empty() ? 0 : left_[0].at - offered;
  }
  // Every source sends packets of 1 to 5 flits to random partitions until all have sent `each`; outputs take with
  // probability `taken` of 8. True if all arrived, those of a source and partition in order.
  bool all_arrive(unsigned each, unsigned taken);

  struct departure {
    unsigned output;
    tlm::tlm_generic_payload* payload;
    cycle_t at;
  };
  config::crossbar_config crossbar_;
  config::topology_config topology_;
  const config::policy_values no_keys_{};
  std::unique_ptr<network> unit_;
  support::transaction_generator<packet_offer> offers_{"offers"};
  support::transaction_generator<network_cycle> clock_edges_{"clock_edges"};
  support::transaction_taker<packet_delivery> outputs_{"outputs"};
  std::function<bool(unsigned)> takes_ = [](unsigned) { return true; };
  cycle_t now_ = 100;
  cycle_t next_event_ = 0;
  bool moved_ = false;
  std::uint64_t flits_ = 0;
  std::vector<departure> left_;
};

bool topologies::all_arrive(unsigned each, unsigned taken) {
  std::mt19937 random(5);
  takes_ = [&](unsigned) { return random() % 8 < taken; };
  const unsigned total = sources * each;
  std::vector<tlm::tlm_generic_payload> payloads(total);
  struct sent {
    unsigned source, output, flits;
  };
  std::vector<sent> about(total);
  for (unsigned i = 0; i < total; ++i)
    about[i] = {i / each, static_cast<unsigned>(random() % partitions), static_cast<unsigned>(1 + random() % 5)};
  std::vector<unsigned> next(sources, 0);
  std::uint64_t flits = 0;
  for (unsigned i = 0; i < 400000 && left_.size() != total; ++i)
    cycle([&] {
      for (unsigned s = 0; s < sources; ++s) {
        const unsigned p = s * each + next[s];
        if (next[s] == each || !offer(s, about[p].output, payloads[p], about[p].flits)) continue;
        ++next[s];
        flits += about[p].flits;
      }
    });
  std::map<std::pair<unsigned, unsigned>, tlm::tlm_generic_payload*> last;
  for (const departure& d : left_) {
    const sent& s = about[static_cast<std::size_t>(d.payload - payloads.data())];
    EXPECT_EQ(d.output, s.output);
    tlm::tlm_generic_payload*& before = last[{s.source, d.output}];
    EXPECT_LT(before, d.payload) << "order of a way";
    before = d.payload;
  }
  EXPECT_EQ(flits_, flits) << "each flit counts once";
  return left_.size() == total;
}

// Routers between the seats of a source and a partition.
unsigned ring_distance(unsigned a, unsigned b) {
  const unsigned n = sources + partitions, up = (b + n - a) % n;
  return std::min(up, n - up);
}
unsigned mesh_distance(unsigned a, unsigned b) {
  const auto apart = [](unsigned x, unsigned y) { return x > y ? x - y : y - x; };
  return apart(a % columns, b % columns) + apart(a / columns, b / columns);
}

TEST_F(topologies, seats_alternate_as_evenly_as_they_can) {
  const seats s = seats_of(3, 2);
  EXPECT_THAT(s.of_source, testing::ElementsAre(0, 2, 4));
  EXPECT_THAT(s.of_partition, testing::ElementsAre(1, 3));
}

TEST_F(topologies, a_ring_adds_its_hops_to_the_latency_of_the_crossbar) {
  make("ring");
  const seats s = seats_of(sources, partitions);
  for (unsigned i = 0; i < sources; ++i)
    for (unsigned o = 0; o < partitions; ++o)
      EXPECT_EQ(latency_of(i, o), latency - 2 + hop * ring_distance(s.of_source[i], s.of_partition[o]))
          << i << " " << o;
  EXPECT_EQ(latency_of(0, 0, 5), latency - 2 + hop * ring_distance(s.of_source[0], s.of_partition[0]) + 4);
}

TEST_F(topologies, a_mesh_adds_its_hops_as_well) {
  make("mesh");
  const seats s = seats_of(sources, partitions);
  for (unsigned i = 0; i < sources; ++i)
    for (unsigned o = 0; o < partitions; ++o)
      EXPECT_EQ(latency_of(i, o), latency - 2 + hop * mesh_distance(s.of_source[i], s.of_partition[o]))
          << i << " " << o;
}

TEST_F(topologies, replies_of_a_ring_go_the_same_distances) {
  make("ring", false);
  const seats s = seats_of(sources, partitions);
  for (unsigned i = 0; i < partitions; ++i)
    EXPECT_EQ(latency_of(i, 5), latency - 2 + hop * ring_distance(s.of_partition[i], s.of_source[5])) << i;
}

TEST_F(topologies, one_way_carries_a_flit_per_cycle) {
  make("ring");
  std::vector<tlm::tlm_generic_payload> p(200);
  unsigned next = 0;
  for (unsigned i = 0; i < 1200 && left_.size() < p.size(); ++i)
    cycle([&] {
      if (next < p.size() && offer(0, 4, p[next], 5)) ++next;
    });
  ASSERT_EQ(left_.size(), p.size());
  EXPECT_EQ(left_[199].at - left_[99].at, 100u * 5);
}

// Each of four sources on one side of a link of the ring sends to the partition behind it: the link is the limit.
TEST_F(topologies, sources_share_a_link_of_the_ring_equally_in_its_rate) {
  make("ring");
  const seats s = seats_of(sources, partitions);
  // The sources from which the shortest way to partition 4 passes the router below it.
  std::vector<unsigned> below;
  const unsigned n = sources + partitions, to = s.of_partition[4];
  for (unsigned i = 0; i < sources; ++i)
    if (const unsigned up = (to + n - s.of_source[i]) % n; up != 0 && 2 * up <= n) below.push_back(i);
  ASSERT_GE(below.size(), 4u);
  std::vector<tlm::tlm_generic_payload> p(sources);
  for (unsigned i = 0; i < 3000; ++i)
    cycle([&] {
      for (const unsigned source : below) offer(source, 4, p[source], 4);
    });
  const std::size_t before = left_.size();
  for (unsigned i = 0; i < 1000; ++i)
    cycle([&] {
      for (const unsigned source : below) offer(source, 4, p[source], 4);
    });
  EXPECT_NEAR(static_cast<double>(left_.size() - before), 1000.0 / 4, 3);
}

TEST_F(topologies, every_packet_of_a_crowded_ring_arrives) {
  make("ring");
  EXPECT_TRUE(all_arrive(500, 8));
}
TEST_F(topologies, every_packet_of_a_ring_whose_outputs_hesitate_arrives) {
  make("ring");
  EXPECT_TRUE(all_arrive(300, 1));
}
// Packets of one flit follow one another into the room that larger ones leave free for each other.
TEST_F(topologies, room_that_packets_leave_on_a_ring_is_not_lost_in_pieces) {
  make("ring");
  takes_ = [](unsigned) { return true; };
  constexpr unsigned each = 400;
  std::vector<tlm::tlm_generic_payload> payloads(sources * each);
  // Every source sends over nearly half of the ring, in one direction; the sizes change from phase to phase.
  std::vector<unsigned> next(sources, 0);
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    left_.clear();
    std::fill(next.begin(), next.end(), 0);
    const unsigned turn = 1 + static_cast<unsigned>(random() % 40);
    for (unsigned i = 0; i < 40000 && left_.size() != payloads.size(); ++i)
      cycle([&] {
        for (unsigned s = 0; s < sources; ++s) {
          if (next[s] == each) continue;
          const unsigned far = (s * partitions / sources + partitions / 2 - 1) % partitions;
          const unsigned flits = (next[s] / turn) % 2 == 0 ? 5 : 1 + static_cast<unsigned>(random() % 2);
          if (offer(s, far, payloads[s * each + next[s]], flits)) ++next[s];
        }
      });
    ASSERT_EQ(left_.size(), payloads.size()) << "stuck, seed " << seed;
  }
}
TEST_F(topologies, every_packet_of_a_crowded_mesh_arrives) {
  make("mesh");
  EXPECT_TRUE(all_arrive(500, 8));
}
TEST_F(topologies, every_packet_of_a_mesh_whose_outputs_hesitate_arrives) {
  make("mesh");
  EXPECT_TRUE(all_arrive(300, 1));
}

TEST_F(topologies, the_clock_may_rest_until_the_next_event) {
  make("ring");
  cycle([] {});
  EXPECT_EQ(next_event_, tlm_bus::no_cycle);
  tlm::tlm_generic_payload p;
  cycle([&] { offer(0, 4, p, 3); });
  // Only the cycles that the network names are given; the packet arrives as if all were.
  std::vector<cycle_t> at;
  while (left_.empty() && now_ < 1000) {
    if (!moved_ && next_event_ != tlm_bus::no_cycle) now_ = std::max(now_, next_event_);
    at.push_back(now_);
    cycle([] {});
  }
  ASSERT_EQ(left_.size(), 1u);
  const seats s = seats_of(sources, partitions);
  EXPECT_EQ(left_[0].at, 101 + latency - 2 + hop * ring_distance(s.of_source[0], s.of_partition[4]) + 2);
  EXPECT_LT(at.size(), 4 * ring_distance(s.of_source[0], s.of_partition[4]) + 8);
}

}  // namespace
}  // namespace gt200::model
