// A network of the crossbar as a module: the switch of switching_network.h behind sockets.
//
// The crossbar offers packets at `inputs`, drives the two steps of every cycle over `clock`, and takes packets from
// `outputs`. All of it happens in the cycle of the crossbar: the network is no stage of its own. Another switch
// with these sockets may take its place.
#pragma once

#include <deque>
#include <systemc>

#include "sc_models/interconnect/network_transactions.h"
#include "sc_models/interconnect/switching_network.h"
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

  // Throws what switching_network throws.
  network(const sc_core::sc_module_name& name, const switching_network::parameters& p);

  // From now on counters[n], which must outlive the network, counts how full input n is.
  void count_in(std::deque<tlm_bus::queue_counter>& counters) { switch_.count_in(counters); }
  void publish(tlm_bus::signal_writer& to) override;
  const char* kind() const override { return "network"; }

 private:
  void transport(packet_offer& offer) override;
  void transport(network_cycle& cycle) override;
  void deliver(network_cycle& cycle);

  unsigned input_count_;
  switching_network switch_;
};

}  // namespace gt200::model
