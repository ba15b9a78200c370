// What stands behind the TPCs in place of crossbar, partitions and DRAM timing when idealisations.ideal_memory is
// on.
//
// Every port takes a request per cycle and answers it in the next one; nothing is held, queued or refused for want
// of room. Data are real: they lie in the DRAM of the partitions, reached by debug access, so loaders, texture and
// instruction fills see the same bytes. Requests of one cycle are performed in the order of the TPCs, which is
// their place in the order of memory. Textures of the L1 caches are filled from here as well, past the texture L2;
// instructions and constants keep their caches and their way.
//
// Clock: uncore. Not hardware: it shows what of a run memory costs.
#pragma once

#include <deque>

#include "sc_models/interconnect/address_map.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/order_observer.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class ideal_memory : public tlm_bus::stage {
 public:
  std::deque<tlm_bus::memory_target<gpu_memory_protocol>> sources;  // source_0 ..: the TPCs
  tlm_bus::memory_initiator<gpu_memory_protocol> memory;            // debug access to the partitions, nothing else

  ideal_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const address_map& map,
               unsigned source_count);

  void tick() override;

  tlm_bus::tap<order_observer>& observers() { return observers_; }

  tlm_bus::counter loads{"loads", "transactions", "loads and texture fills answered"};
  tlm_bus::counter stores{"stores", "transactions", "stores performed"};
  tlm_bus::counter atomics{"atomics", "transactions", "atomic operations performed"};

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
