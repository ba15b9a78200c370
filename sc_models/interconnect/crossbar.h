// The network between the TPCs (and L3 cache and host) and the memory partitions.
//
// There are two networks, one for requests and one for replies, so that replies never wait for requests. Each is a
// module (network.h); in the preset an input-queued switch (switching_network.h): per input one FIFO for every
// output, one flit per port and cycle, and a fixed latency from end to end. topology.network chooses others. A
// request is one header flit; a store or atomic adds the flits of its data, or has header and data in as many flits
// as they fill together (request_header_bytes). A reply is one flit, or those of its data, with or without a header
// flit in front of them (reply_header_flits). Transactions of one source to one partition stay in order.
//
// The extension is mandatory (gpu_memory_protocol). Payloads pass through unchanged: addresses are physical on both
// sides. A transaction must lie within one interleave block. transport_dbg and b_transport may have any length and
// are cut at block borders (0 bytes moved if any part fails). Debug access goes to the partitions, because a
// transaction that is still in the network has no place in the order of memory accesses yet.
//
// Clock: uncore. Source of the numbers: config/interconnect_config.h.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/config/interconnect_config.h"
#include "sc_models/interconnect/address_map.h"
#include "sc_models/interconnect/network.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pool.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class crossbar : public tlm_bus::stage {
 public:
  using source_socket = tlm_bus::memory_target<gpu_memory_protocol>;
  using partition_socket = tlm_bus::memory_initiator<gpu_memory_protocol>;

  std::deque<source_socket> sources;        // source_0 ..: TPCs, L3 cache, host, in the order the chip binds them
  std::deque<partition_socket> partitions;  // partition_0 ..: as many as the map has

  // To and from the networks inside.
  tlm_bus::transaction_out<packet_offer> to_request_network, to_reply_network;
  tlm_bus::transaction_out<network_cycle> request_clock, reply_clock;
  tlm_bus::transaction_in<packet_delivery> from_request_network, from_reply_network;
  const std::unique_ptr<network> request_network;
  const std::unique_ptr<network> reply_network;

  // `sources` and the map's partitions 1..64; else it throws std::invalid_argument. `link_latency`: the part of
  // both configured latencies between a source and the switch. The ports are one deeper: with credits that take as
  // long this carries an access in every second cycle, and each access has two flits or more there or back.
  crossbar(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
           const config::crossbar_config& config, const address_map& map, unsigned source_count,
           unsigned link_latency = 1, const config::topology_config& topology = one_switch());
  // The configuration of a crossbar that is one switch.
  static const config::topology_config& one_switch();
  ~crossbar() override;

  void tick() override;
  // Before the simulation begins: a reply that comes to an idle input of the reply network may wait one cycle, and
  // replies behind it keep their order and rate. Whether it waits is a pure function of seed, input and cycle.
  void vary(std::uint64_t seed);

  tlm_bus::counter requests{"requests", "transactions", "requests handed to partitions"};
  tlm_bus::counter request_flits{"request_flits", "flits", "flits of requests through the switch"};
  tlm_bus::counter replies{"replies", "transactions", "replies handed to sources"};
  tlm_bus::counter reply_flits{"reply_flits", "flits", "flits of replies through the switch"};
  tlm_bus::histogram request_latency{"latency.request", "uncore cycles",
                                     "requests, from the queue of their input to the port of a partition"};
  tlm_bus::histogram reply_latency{"latency.reply", "uncore cycles",
                                   "replies, from the queue of their input to the port of a source"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "crossbar"; }

 private:
  class route;  // where a reply goes

  // Takes the packets of one network.
  class taker final : public tlm_bus::transaction_target<packet_delivery> {
   public:
    taker(crossbar& owner, void (crossbar::*take)(packet_delivery&)) : owner_(owner), take_(take) {}
    void transport(packet_delivery& delivery) override { (owner_.*take_)(delivery); }

   private:
    crossbar& owner_;
    void (crossbar::*take_)(packet_delivery&);
  };

  void deliver(tlm_bus::transaction_out<network_cycle>& clock);
  void take_request(packet_delivery& delivery);
  void take_reply(packet_delivery& delivery);
  void accept_requests();
  void accept_replies();
  bool waits_a_cycle(unsigned input) const;
  static unsigned reply_bytes(tlm::tlm_generic_payload& payload);
  unsigned data_flits(unsigned bytes) const { return (bytes + flit_bytes_ - 1) >> flit_shift_; }
  unsigned flits_of_request(unsigned data_bytes) const {
    return request_header_bytes_ == 0 ? 1 + data_flits(data_bytes) : data_flits(request_header_bytes_ + data_bytes);
  }
  unsigned debug(tlm::tlm_generic_payload& payload);

  address_map map_;
  std::vector<source_socket*> source_ports_;  // pointers to the public lists, for speed
  std::vector<partition_socket*> partition_ports_;
  unsigned flit_bytes_;
  unsigned flit_shift_;
  unsigned request_header_bytes_;
  unsigned reply_header_flits_;
  // Queues of the networks' inputs. The depth counts flits, an entry is a packet.
  std::deque<tlm_bus::queue_counter> request_queues_;
  std::deque<tlm_bus::queue_counter> reply_queues_;
  // By input: the packet that waits in its port because its queue has no room; null = none.
  std::array<packet_offer, 64> waiting_requests_;
  std::array<packet_offer, 64> waiting_replies_;
  taker request_taker_;
  taker reply_taker_;
  bool varies_ = false;
  std::array<std::uint64_t, 64> variation_{};            // by input of the reply network: its seed
  std::array<tlm_bus::cycle_t, 64> last_reply_taken_{};  // the same; 0 = none yet

  tlm_bus::pool<route> routes_;
  tlm::tlm_generic_payload debug_payload_;
};

}  // namespace gt200::model
