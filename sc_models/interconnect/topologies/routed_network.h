// A network of routers with links between them. A topology says which links there are and which way packets go.
//
// Packets move whole: a packet of n flits occupies a link for n cycles. Its head reaches the next router hop_cycles
// after it started, and may start on the next link at once, before the tail is there (virtual cut-through). It
// starts only if the buffer at the other end has room for all of it; the flits leave their own buffer with the
// tail. Buffers are FIFOs with one flit per cycle in and out. Several buffers of a router that want one link take
// turns.
//
// Without contention a packet takes the latency of the crossbar and hop_cycles for every link on its way. Each pair
// of source and partition has one way, so its packets stay in order.
//
// Ways must not form a circle in which each waits for the next. A ring has that circle; its packets enter it only
// where they leave room for another one of the largest size (bubble flow control: Carrion et al., HiPC 1997). That
// room must not be lost in pieces: on a ring each packet takes the room of the largest one in the buffers of links.
// They hold at least two.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sc_models/interconnect/network.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

// What a topology decides.
struct router_plan {
  static constexpr unsigned none = ~0u;
  struct link {
    unsigned from, to;  // routers
  };

  unsigned routers = 0;
  std::vector<unsigned> router_of_input;
  std::vector<unsigned> router_of_output;
  std::vector<link> links;
  // By router and router of destination: the link to take.
  std::vector<unsigned> way;
  bool has_circle = false;

  unsigned& way_from(unsigned router, unsigned destination) { return way[router * routers + destination]; }
};

// Where sources and partitions sit, as places 0 .. sources + partitions - 1: evenly between each other, in their
// order.
struct seats {
  std::vector<unsigned> of_source;
  std::vector<unsigned> of_partition;
};
seats seats_of(unsigned sources, unsigned partitions);

class routed_network final : public network, public tlm_bus::resettable {
 public:
  routed_network(const network_context& context, const router_plan& plan);

  void count_in(std::deque<tlm_bus::queue_counter>& counters) override { counters_ = &counters; }
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;

 private:
  struct packet {
    tlm::tlm_generic_payload* payload = nullptr;
    unsigned output = 0;
    unsigned flits = 0;
    tlm_bus::cycle_t ready_at = 0;  // from then on it may start
  };
  struct buffer {
    unsigned router = 0;
    unsigned capacity = 0;
    unsigned flits = 0;            // of room that packets take
    tlm_bus::cycle_t free_at = 0;  // until then a packet leaves it
    std::deque<packet> packets;
  };
  struct channel {
    unsigned into = 0;   // buffer at its end
    unsigned delay = 0;  // from the start to the head's arrival
    bool to_output = false;
    tlm_bus::cycle_t free_at = 0;
    unsigned leaving = router_plan::none;  // the buffer whose packet occupies it
    unsigned leaving_flits = 0;
    unsigned turn = 0;                 // position in `contenders` that is asked first
    std::vector<unsigned> contenders;  // buffers of its router
  };

  void transport(packet_offer& offer) override;
  void transport(network_cycle& cycle) override;
  void deliver(network_cycle& cycle);
  void start(network_cycle& cycle);
  bool release_left(tlm_bus::cycle_t now);
  bool start_from(unsigned source, channel& over, unsigned number, network_cycle& cycle);
  tlm_bus::cycle_t next_event(tlm_bus::cycle_t now) const;
  bool is_injection(unsigned number) const { return number < inputs_; }
  bool is_link(unsigned number) const { return number >= inputs_ + outputs_; }
  // Flits of room that a packet takes in the buffer.
  unsigned room_of(unsigned number, unsigned flits) const {
    return has_circle_ && is_link(number) ? largest_packet_ : flits;
  }

  unsigned inputs_;
  unsigned outputs_;
  unsigned latency_;
  unsigned largest_packet_;
  bool has_circle_;
  std::vector<buffer> buffers_;                             // of inputs, of outputs, then of links
  std::vector<channel> channels_;                           // to outputs, then of links
  std::vector<unsigned> channel_of_;                        // by router and output
  std::deque<tlm_bus::queue_counter>* counters_ = nullptr;  // per input
};

}  // namespace gt200::model
