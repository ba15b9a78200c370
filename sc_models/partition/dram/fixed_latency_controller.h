// A DRAM without banks: every access takes the same time, at the full rate of the data bus, in order of arrival.
// For exploration (partition.dram.model = fixed_latency) and as the reference of tests.
//
// A request is answered fixed_latency_cycles after it was taken, or later if the data bus must first carry older
// requests and this one. Clock: memory. Protocol: base protocol. Debug access reads and writes the contents, which
// already include every request taken.
#pragma once

#include <vector>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/dram_bits.h"
#include "sc_models/partition/dram/storage.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class fixed_latency_controller : public tlm_bus::stage, public dram_bits {
 public:
  tlm_bus::memory_target<tlm_bus::base_protocol> requests;

  fixed_latency_controller(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory,
                           const config::dram_config& config);

  void tick() override;

  tlm_bus::counter read_bytes{"read_bytes", "bytes", "data read"};
  tlm_bus::counter written_bytes{"written_bytes", "bytes", "data written, masked bytes included"};
  tlm_bus::counter data_cycles{"data_cycles", "memory cycles", "cycles in which the data bus carried data"};

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "fixed_latency_controller"; }

 private:
  struct answer {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm_bus::cycle_t at = 0;
  };
  dram_storage& stored() override { return storage_; }
  void take_request();
  unsigned debug(tlm::tlm_generic_payload& payload);

  unsigned latency_;
  unsigned burst_bytes_;
  unsigned burst_cycles_;
  dram_storage storage_;
  std::vector<answer> answers_;  // ring, in order of time
  unsigned answer_head_ = 0;
  unsigned answers_waiting_ = 0;
  tlm_bus::cycle_t bus_free_at_ = 0;
};

}  // namespace gt200::model
