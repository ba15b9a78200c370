#include "sc_models/memory_path/memory_path.h"

#include "sc_models/ids.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

cache_treatment l1_treatment(const tlm::tlm_generic_payload& request) {
  const memory_extension& access = *extension_of(request);
  if (access.kind == memory_kind::clean_line || access.kind == memory_kind::drop_line)
    return cache_treatment::controlling;
  if (access.kind == memory_kind::prefetch && access.past_l1) return cache_treatment::uncached;
  if (access.space == memory_space::local) return cache_treatment::cached;
  if (access.space != memory_space::global) return cache_treatment::uncached;
  switch (access.kind) {
    case memory_kind::store:
    case memory_kind::atomic: return cache_treatment::evicting;
    default: return access.past_l1 ? cache_treatment::uncached : cache_treatment::cached;
  }
}

data_cache_role l1_role(unsigned tpc, unsigned crossbar_link) {
  data_cache_role role;
  role.rule = l1_treatment;
  role.fetches = fetch_size::line;
  role.memory_latency = crossbar_link;
  role.first_id = id_base(id_kind::data_cache, tpc);
  role.forgets_after_last_use = true;
  return role;
}

}  // namespace

memory_path::memory_path(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                         const config::memory_config& config, unsigned tpc, unsigned sms, unsigned warps,
                         const page_table& pages, unsigned crossbar_link, std::uint64_t memory_bytes)
    : sc_core::sc_module(name),
      sm_controller("sm_controller", uncore, config.sm_controller, sms,
                    config.load_store_queue.reply_latency_cycles),
      address_generation("address_generation", uncore, config.address_generation, tpc * sms, warps, accesses_),
      tlb("tlb", uncore, config.tlb),
      page_walker("page_walker", uncore, pages.base(), config.tlb.directory_entries, tpc, memory_bytes),
      coalescer("coalescer", uncore, config.coalescer, config.l1.enabled),
      load_store_queue("load_store_queue", uncore, config.load_store_queue, tpc, accesses_),
      crossbar_port("crossbar_port", uncore, config.l1.enabled ? 1 : crossbar_link) {
  sm_controller.to_address_generation.bind(address_generation.from_sm_controller);
  address_generation.to_tlb.bind(tlb.from_address_generation);
  tlb.to_page_walker.bind(page_walker.requests);
  page_walker.results.bind(tlb.from_page_walker);
  page_walker.to_crossbar_port.bind(crossbar_port.from_page_walker);
  crossbar_port.to_page_walker.bind(page_walker.from_crossbar_port);
  tlb.to_coalescer.bind(coalescer.from_tlb);
  coalescer.to_load_store_queue.bind(load_store_queue.from_coalescer);
  load_store_queue.to_sm_controller.bind(sm_controller.from_load_store_queue);
  load_store_queue.to_crossbar_port.bind(crossbar_port.from_load_store_queue);
  crossbar_port.to_load_store_queue.bind(load_store_queue.from_crossbar_port);
  if (!config.l1.enabled) return;
  l1 = std::make_unique<data_cache<gpu_memory_protocol>>("l1", uncore, config.l1, l1_role(tpc, crossbar_link));
  crossbar_port.crossbar.bind(l1->requests);
}

void memory_path::visit_state(tlm_bus::state_image& state) { state(accesses_); }

}  // namespace gt200::model
