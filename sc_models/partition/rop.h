// The raster-operation unit as compute uses it: performs the stores and atomic operations of a partition.
//
// Requests are taken in order. A store is acknowledged when it is taken; its data goes to the DRAM afterwards. A
// store occupies the request port for one cycle per write_path_bytes of its length, whatever its byte enables; an
// atomic operation occupies it for one cycle. A write occupies the write port for one cycle of the memory clock per
// write_out_bytes. An atomic operation reads its operand from the DRAM, computes, and writes the result back; at
// most one operation starts per atomic_interval_cycles. Operations on different 32 bytes overlap. Operations on the
// same 32 bytes (and stores to them) wait for each other, at least same_address_interval_cycles from a result to
// the next access. An atomic is answered with the old value once its result is on the way to the DRAM. Byte enables
// of partial stores reach the device's data mask. A write carries the extension of the youngest request it
// performs, and thus its ticket (rop_ticket.h).
//
// The extension of requests is mandatory; operands have the layout of atomic_operation.h. Addresses are relative to
// the partition. For a debug read the arbiter first reads the DRAM, and the ROP then adds the bytes of writes on
// their way to the DRAM. A debug write also changes the data of acknowledged writes.
//
// Clock: uncore. Source: Lindholm 2008 (atomic rate), else assumptions, see config/partition_config.h.
#pragma once

#include <vector>

#include "sc_models/config/partition_config.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class rop : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  tlm_bus::memory_target<gpu_memory_protocol> requests;      // stores and atomics, in order
  tlm_bus::memory_initiator<tlm_bus::base_protocol> memory;  // towards the DRAM

  // `memory_period`: period of the clock behind the write port.
  rop(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::rop_config& config,
      tlm_bus::femtoseconds memory_period);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  // Its own transactions in flight; 0 at the end of a run.
  std::size_t outstanding() const { return pool_.outstanding(); }

  tlm_bus::counter stores{"stores", "transactions", "stores taken and acknowledged"};
  tlm_bus::counter merged_stores{"merged_stores", "transactions", "stores merged into one that was waiting"};
  tlm_bus::counter atomics{"atomics", "operations", "atomic operations performed"};
  tlm_bus::counter atomic_conflicts{"atomic_conflicts", "transactions",
                                    "requests that waited for an atomic operation on the same 32 bytes"};
  tlm_bus::histogram store_latency{"latency.store", "uncore cycles",
                                   "stores with those merged into them, from here to the DRAM"};
  tlm_bus::histogram atomic_latency{"latency.atomic", "uncore cycles", "atomics, from here to their answer"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "rop"; }

 private:
  enum class state : std::uint8_t { waiting, reading, computing, answering };
  struct operation {
    state in = state::waiting;
    bool conflict_counted = false;
    memory_payload* write = nullptr;              // store: the write to send
    tlm::tlm_generic_payload* request = nullptr;  // atomic: answered at the end
    std::uint64_t offset = 0;
    unsigned bytes = 0;
    std::uint64_t old = 0;
    tlm_bus::cycle_t taken_at = 0;
  };

  void take_memory_response();
  void send_result();
  void begin_next();
  void answer_atomic();
  void take_request();
  void take_store(tlm::tlm_generic_payload& request);
  void take_atomic(tlm::tlm_generic_payload& request);
  tlm_bus::cycle_t free_after_results(const operation& op) const;
  void keep_interval(const operation& op);
  bool write_port_free();
  void send_write(memory_payload& write);
  operation* waiting_store_touching(std::uint64_t offset, unsigned bytes);
  void merge(tlm::tlm_generic_payload& request, operation& into);
  void enqueue(const operation& op);
  bool touches_active_atomic(const operation& op) const;
  memory_payload& access_for(tlm::tlm_generic_payload& request, tlm::tlm_command command, unsigned bytes);
  void send_read(unsigned index);
  unsigned debug(tlm::tlm_generic_payload& payload);

  // A result within the last same_address_interval_cycles.
  struct recent_result {
    std::uint64_t sector = 0;
    tlm_bus::cycle_t free_at = 0;  // first cycle for the next access to it
  };
  unsigned interval_;
  unsigned same_address_interval_;
  unsigned write_path_bytes_;
  tlm_bus::cycle_t request_port_free_at_ = 0;
  unsigned write_out_bytes_;
  tlm_bus::femtoseconds memory_period_;
  tlm_bus::femtoseconds write_port_free_at_ = 0;
  std::vector<operation> operations_;
  std::vector<unsigned> free_;
  std::vector<unsigned> queue_;                  // not started yet, oldest first
  std::vector<unsigned> active_;                 // atomics started and not answered yet, oldest first
  std::vector<recent_result> recent_;            // oldest first
  std::vector<tlm::tlm_generic_payload*> sent_;  // writes the DRAM has not answered, oldest first
  tlm_bus::cycle_t next_atomic_at_ = 0;
  tlm_bus::queue_counter waiting_queue_;  // queue_
  tlm_bus::queue_counter atomic_queue_;   // active_
  payload_pool pool_;
};

}  // namespace gt200::model
