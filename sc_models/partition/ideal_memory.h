// Replaces crossbar, partitions and DRAM timing behind the TPCs and the L3 if idealisations.ideal_memory is on.
//
// Every port takes one request per cycle and answers it in the next cycle. Nothing is held or queued, and no
// request is refused for lack of space. The data is real: it is in the DRAM of the partitions, reached by debug
// access, so loaders, texture fills and instruction fills see the same bytes. Requests of one cycle are performed
// in the order of the TPCs; that is their place in the order of memory accesses. Fills of the texture L1 caches
// come from here too and bypass the texture L2. Instructions and constants keep their caches; the L3, the last of
// them, is filled from here.
//
// Clock: uncore. Not hardware: it shows how much of a run's time memory costs.
#pragma once

#include <deque>
#include <memory>

#include "sc_models/config/partition_config.h"
#include "sc_models/interconnect/address_map.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/order_observer.h"
#include "sc_models/partition/texture_watch.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class ideal_memory : public tlm_bus::stage {
 public:
  std::deque<tlm_bus::memory_target<gpu_memory_protocol>> sources;  // source_0 ..: the TPCs, then the L3
  tlm_bus::memory_initiator<gpu_memory_protocol> memory;            // debug access to the partitions, nothing else
  std::unique_ptr<texture_watch> textures;                          // null unless configured

  // `memory_bytes`: of all partitions.
  ideal_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
               const config::partition_config& config, const address_map& map, unsigned source_count,
               std::uint64_t memory_bytes);

  void tick() override;

  tlm_bus::tap<order_observer>& observers() { return observers_; }

  tlm_bus::counter loads{"loads", "transactions", "loads and fills answered"};
  tlm_bus::counter stores{"stores", "transactions", "stores performed"};
  tlm_bus::counter atomics{"atomics", "transactions", "atomic operations performed"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "ideal_memory"; }

 private:
  bool perform(tlm::tlm_generic_payload& access);
  bool atomic(tlm::tlm_generic_payload& access);
  bool move(tlm::tlm_command command, std::uint64_t address, std::uint8_t* bytes, unsigned count);

  address_map map_;
  tlm_bus::tap<order_observer> observers_;
  tlm::tlm_generic_payload debug_payload_;
};

}  // namespace gt200::model
