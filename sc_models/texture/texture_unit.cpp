#include "sc_models/texture/texture_unit.h"

#include "tlm_bus/state_image.h"

namespace gt200::model {

texture_unit::texture_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                           const config::texture_config& config, unsigned tpc, const page_table& pages,
                           bool perfect, unsigned write_latency)
    : sc_core::sc_module(name),
      address("address", uncore, config.address, pages, accesses_),
      l1("l1", uncore, config.l1, tpc, perfect, write_latency),
      filter("filter", uncore, config.filter, accesses_) {
  address.to_l1.bind(l1.from_address);
  l1.to_filter.bind(filter.from_l1);
}

void texture_unit::visit_state(tlm_bus::state_image& state) { state(accesses_); }

}  // namespace gt200::model
