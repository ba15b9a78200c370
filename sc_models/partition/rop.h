// The raster-operation unit as compute sees it: performs stores and atomic operations of a partition.
//
// Requests are taken in order. A store is acknowledged when it is taken; its data goes to the DRAM afterwards. An
// atomic operation reads its operand from the DRAM, computes and writes the result back, at most one operation per
// atomic_interval_cycles; operations on different 32 bytes overlap, on the same 32 bytes they (and stores) wait for
// each other. It is answered, with the old value, when the result is on its way to the DRAM. Bytes of partial
// stores travel as byte enables down to the device's data mask.
//
// The extension of requests is mandatory; operands are laid out as atomic_operation.h says. Addresses are those
// within the partition. Debug access goes through the arbiter, not here.
//
// Clock: uncore. Source: Lindholm 2008 (atomic rate), else assumptions, see config/partition_config.h.
#pragma once

#include <vector>

#include "sc_models/config/partition_config.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/payload_pool.h"

namespace gt200::model {

class rop : public tlm_bus::stage {
 public:
  tlm_bus::memory_target<tlm_bus::gpu_memory_protocol> requests;  // stores and atomics, in order
  tlm_bus::memory_initiator<tlm_bus::base_protocol> memory;       // towards the DRAM

  rop(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::rop_config& config);

  void tick() override;

  // Transactions of its own not yet returned; 0 at the end of a run.
  std::size_t outstanding() const { return pool_.outstanding(); }

  tlm_bus::counter stores{"stores", "transactions", "stores taken and acknowledged"};
  tlm_bus::counter atomics{"atomics", "operations", "atomic operations performed"};
  tlm_bus::counter atomic_conflicts{"atomic_conflicts", "transactions",
                                    "requests that waited for an atomic operation on the same 32 bytes"};

  const char* kind() const override { return "rop"; }

 private:
  enum class state : std::uint8_t { free, queued, reading, computing, answering };
  struct operation {
    state in = state::free;
    bool atomic = false;
    bool counted_as_waiting = false;
    bool result_sent = false;
    tlm::tlm_generic_payload* request = nullptr;  // one reference is held
    std::uint64_t sector = 0;                     // atomics: the 32 bytes they work on
    tlm_bus::memory_payload* access = nullptr;    // atomics: the read that has come back
    std::uint64_t old = 0;
  };

  void take_memory_responses();
  void answer_atomics();
  void access_memory();
  void take_request();
  bool send_results();
  void begin_next();
  bool sector_in_use(std::uint64_t offset, unsigned bytes) const;
  void send_store(operation& op);
  void send_read(operation& op, unsigned index);
  void compute(operation& op);

  unsigned interval_;
  std::vector<operation> operations_;
  std::vector<unsigned> queue_;  // ring of operations not yet begun, in order
  unsigned queue_head_ = 0;
  unsigned queued_ = 0;
  std::vector<unsigned> free_;
  std::vector<unsigned> active_;  // atomics that have read or will, in the order they were begun
  tlm_bus::cycle_t next_atomic_at_ = 0;
  tlm_bus::payload_pool pool_;
};

}  // namespace gt200::model
