// Tracks the memory transactions of a TPC from request to response, and the lanes they serve.
//
// Requests leave in the order of the coalescer, one per cycle, while an entry is free. Loads and atomics share one
// set of entries; stores have their own. So requests of an SM to one partition stay in order. Responses may return
// in any order: load data is copied to the lanes, and the instruction completes when its last transaction has been
// answered.
//
// Payloads: a load is a READ; a store is a WRITE, with byte enables if the lanes do not cover the segment. If
// several lanes store to one byte, the highest wins. Atomics are as in memory_transaction.h. An address error in a
// response is an unmapped_address fault of its lanes; any other error is `unsupported`.
#pragma once

#include <vector>

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/memory_config.h"
#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pool.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class load_store_queue : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  // `tpc`: number of the TPC in the chip.
  load_store_queue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                   const config::load_store_queue_config& config, unsigned tpc,
                   tlm_bus::pool<memory_access>& accesses);

  tlm_bus::pipe_in<transaction_token> from_coalescer;
  tlm_bus::pipe_out<payload_token> to_crossbar_port;
  tlm_bus::pipe_in<payload_token> from_crossbar_port;
  tlm_bus::pipe_out<memory_completion_token> to_sm_controller;

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "load_store_queue"; }
  // No transaction is between request and response, and every payload has been released.
  bool idle() const { return payloads_.outstanding() == 0; }
  // Transactions between request and response, the oldest first. For reports.
  struct unanswered {
    std::uint64_t id = 0;           // sc_models/ids.h
    std::uint64_t instruction = 0;  // id of the instruction it is for
    bool store = false;
  };
  std::vector<unanswered> unanswered_transactions() const;

  tlm_bus::counter loads{"loads", "transactions", "load requests"};
  tlm_bus::counter stores{"stores", "transactions", "store requests"};
  tlm_bus::counter atomics{"atomics", "transactions", "atomic requests"};
  tlm_bus::counter faults{"faults", "transactions", "responses with an error status"};
  tlm_bus::counter waits_for_entry{"waits_for_entry", "transactions", "requests that found all entries in use"};

 private:
  void receive();
  void send();
  void request(const transaction_token& transaction);
  void answer(const transaction_token& transaction, tlm::tlm_generic_payload& payload);
  void complete(memory_access& access);
  bool has_room(const transaction_token& transaction) const;
  // The SM learns that it has been sent.
  bool is_posted(const transaction_token& transaction) const;

  unsigned tpc_;
  unsigned load_entries_;
  unsigned load_bytes_;
  unsigned store_entries_;
  bool posted_stores_;
  tlm_bus::pool<memory_access>& accesses_;
  payload_pool payloads_;
  std::vector<transaction_token> entries_;  // by tag of the payload
  std::vector<std::uint64_t> ids_;          // of the transactions, by tag
  std::vector<std::uint32_t> free_entries_;
  unsigned outstanding_loads_ = 0;
  unsigned reserved_bytes_ = 0;  // for their data
  unsigned outstanding_stores_ = 0;
  tlm_bus::queue_counter load_queue_;  // loads and atomics
  tlm_bus::queue_counter store_queue_;
  std::uint64_t transactions_ = 0;
  bool waiting_ = false;  // the oldest transaction waits for an entry
};

}  // namespace gt200::model
