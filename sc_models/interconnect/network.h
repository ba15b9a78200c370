// A network of the crossbar as a module: what carries the packets of one direction.
//
// The crossbar offers packets at `inputs`, drives the two steps of every cycle over `clock`, and takes packets from
// `outputs`. All of it happens in the cycle of the crossbar: the network is no stage of its own. Which network
// there is, topology.network says: topologies/policies.def, or one from outside.
//
// Packets of one input to one output leave in the order in which they came. A network must bring every packet to
// its output as long as outputs take packets now and then.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>

#include "sc_models/config/interconnect_config.h"
#include "sc_models/interconnect/network_transactions.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class network : public sc_core::sc_module,
                public tlm_bus::signal_source,
                private tlm_bus::transaction_target<packet_offer>,
                private tlm_bus::transaction_target<network_cycle> {
 public:
  tlm_bus::transaction_in<packet_offer> inputs;
  tlm_bus::transaction_in<network_cycle> clock;
  tlm_bus::transaction_out<packet_delivery> outputs;

  explicit network(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), inputs("inputs", *this), clock("clock", *this), outputs("outputs") {}

  // From now on counters[n], which must outlive the network, counts how full input n is.
  virtual void count_in(std::deque<tlm_bus::queue_counter>& counters) = 0;
  const char* kind() const override { return "network"; }

 private:
  // Each network implements both: see network_transactions.h.
  void transport(packet_offer& offer) override = 0;
  void transport(network_cycle& cycle) override = 0;
};

// What a network is made with; the references outlive it.
struct network_context {
  std::string name;  // of the module
  unsigned sources;
  unsigned partitions;
  bool requests;            // from sources to partitions; false: replies, from partitions to sources
  unsigned latency;         // uncore cycles from the sender's port to the receiver's without contention, >= 3
  unsigned queue_flits;     // of an input
  unsigned largest_packet;  // flits
  const config::crossbar_config& config;
  const config::topology_config& topology;
  const config::policy_values& keys;  // its own, of topology.<name>

  unsigned inputs() const { return requests ? sources : partitions; }
  unsigned outputs() const { return requests ? partitions : sources; }
};

// `topology`: a name from topologies/policies.def, or of an added network.
std::unique_ptr<network> make_network(std::string_view topology, const network_context& context);

// Networks from outside (sc_models/plugin.h).
struct network_topologies {
  using factory = std::function<std::unique_ptr<network>(const network_context&)>;
  static void add(config::added_policy about, factory make);
};

}  // namespace gt200::model
