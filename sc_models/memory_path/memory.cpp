#include "sc_models/memory_path/memory.h"

namespace gt200::model {

tpc_memory::tpc_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                       const config::memory_config& config, unsigned tpc, unsigned sms, unsigned warps,
                       const page_table& pages)
    : sc_core::sc_module(name),
      sm_controller_("sm_controller", uncore, config.sm_controller, sms,
                     config.load_store_queue.reply_latency_cycles),
      address_generation_("address_generation", uncore, config.address_generation, tpc * sms, warps, accesses_),
      tlb_("tlb", uncore, config.tlb),
      page_walker_("page_walker", uncore, pages.base(), config.tlb.directory_entries, tpc),
      coalescer_("coalescer", uncore, config.coalescer),
      load_store_queue_("load_store_queue", uncore, config.load_store_queue, tpc, accesses_),
      crossbar_port_("crossbar_port", uncore) {
  sm_controller_.to_address_generation(address_generation_.from_sm_controller);
  address_generation_.to_tlb(tlb_.from_address_generation);
  tlb_.to_page_walker(page_walker_.requests);
  page_walker_.results(tlb_.from_page_walker);
  page_walker_.to_crossbar_port(crossbar_port_.from_page_walker);
  crossbar_port_.to_page_walker(page_walker_.from_crossbar_port);
  tlb_.to_coalescer(coalescer_.from_tlb);
  coalescer_.to_load_store_queue(load_store_queue_.from_coalescer);
  load_store_queue_.to_sm_controller(sm_controller_.from_load_store_queue);
  load_store_queue_.to_crossbar_port(crossbar_port_.from_load_store_queue);
  crossbar_port_.to_load_store_queue(load_store_queue_.from_crossbar_port);
}

}  // namespace gt200::model
