// Fermi's streaming multiprocessor, as sm_20 needs it.
//
// The pipeline is that of Tesla's SM with another instruction set. What differs: two groups of SPs, of which each
// takes instructions of its own; the load/store unit in front of shared memory and memory port; shared memory that
// serves a whole warp per core cycle. Two schedulers issue, one to each group or unit per cycle; the configuration
// has their number, as it has all sizes and latencies (configs/gtx480.toml).
#pragma once

#include "sc_models/sm/fermi/load_store_unit.h"
#include "sc_models/sm/tesla/sm.h"

namespace gt200::model {

class fermi_sm final : public tesla_sm {
 public:
  gt200::model::load_store_unit load_store_unit;

  fermi_sm(const sc_core::sc_module_name& name, const sm_surroundings& surroundings, const sm_position& position,
           std::shared_ptr<decoded_instructions> decoded, std::shared_ptr<const unit_list> units);
};

// Builds the SMs of a chip with this configuration.
sm_factory fermi_sms(const config::gpu_config& config);

}  // namespace gt200::model
