// The raster-operation unit as compute sees it: performs stores and atomic operations of a partition.
//
// Requests are taken in order. A store is acknowledged when it is taken; its data goes to the DRAM afterwards. A
// store occupies the request port for a cycle per write_path_bytes of its length, enabled or not, an atomic
// operation for one; a write the write port for a cycle of the memory clock per write_out_bytes. An atomic
// operation reads its operand from the DRAM, computes and writes the result back, at most one operation per
// atomic_interval_cycles; operations on different 32 bytes overlap, on the same 32 bytes they (and stores) wait for
// each other, at least same_address_interval_cycles from a result to the next access. It is answered, with the old
// value, once the result is on its way to the DRAM. Bytes of partial stores travel as byte enables down to the
// device's data mask. A write carries the extension of the youngest request it performs, and so its ticket
// (rop_ticket.h).
//
// The extension of requests is mandatory; operands are laid out as atomic_operation.h says. Addresses are those
// within the partition. A debug read is given what the writes on their way to the DRAM change of its data, which
// the arbiter has from the DRAM; a debug write becomes the data of those that have been acknowledged.
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

  // `memory_period`: of the clock behind the write port.
  rop(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::rop_config& config,
      tlm_bus::femtoseconds memory_period);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  // Transactions of its own not yet returned; 0 at the end of a run.
  std::size_t outstanding() const { return pool_.outstanding(); }

  tlm_bus::counter stores{"stores", "transactions", "stores taken and acknowledged"};
  tlm_bus::counter merged_stores{"merged_stores", "transactions", "stores merged into one that was waiting"};
  tlm_bus::counter atomics{"atomics", "operations", "atomic operations performed"};
  tlm_bus::counter atomic_conflicts{"atomic_conflicts", "transactions",
                                    "requests that waited for an atomic operation on the same 32 bytes"};

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

  // A result of the last same_address_interval_cycles.
  struct recent_result {
    std::uint64_t sector = 0;
    tlm_bus::cycle_t free_at = 0;  // for the next access to it
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
  std::vector<unsigned> queue_;                  // not yet begun, oldest first
  std::vector<unsigned> active_;                 // atomics begun and not yet answered, oldest first
  std::vector<recent_result> recent_;            // oldest first
  std::vector<tlm::tlm_generic_payload*> sent_;  // writes the DRAM has not answered, oldest first
  tlm_bus::cycle_t next_atomic_at_ = 0;
  tlm_bus::queue_counter waiting_queue_;  // queue_
  tlm_bus::queue_counter atomic_queue_;   // active_
  payload_pool pool_;
};

}  // namespace gt200::model
