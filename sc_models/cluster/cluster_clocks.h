// The clocks of a TPC, and the driver that runs them: a TPC runs by itself within a window (tlm_bus/clocking.h).
#pragma once

#include <string>

#include "sc_models/config/chip_config.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/edge_driver.h"

namespace gt200::model {

struct cluster_clocks {
  // The domains are children of the module under construction, named after `cluster`.
  cluster_clocks(const std::string& cluster, tlm_bus::clocking& owner, const config::clocks_config& config)
      : driver(owner),
        shader((cluster + "_shader").c_str(), config.shader_period(), driver),
        core((cluster + "_core").c_str(), config.core_period(), driver),
        uncore((cluster + "_uncore").c_str(), config.uncore_period(), driver) {}

  tlm_bus::edge_driver driver;
  tlm_bus::clock_domain shader;
  tlm_bus::clock_domain core;
  tlm_bus::clock_domain uncore;
};

}  // namespace gt200::model
