#include "sc_models/texture/texture.h"

namespace gt200::model {

tpc_texture::tpc_texture(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                         const config::texture_config& config, unsigned tpc, const page_table& pages)
    : sc_core::sc_module(name),
      address_("address", uncore, config.address, pages, accesses_),
      l1_("l1", uncore, config.l1, tpc),
      filter_("filter", uncore, config.filter, accesses_) {
  address_.to_l1(l1_.from_address);
  l1_.to_filter(filter_.from_l1);
}

}  // namespace gt200::model
