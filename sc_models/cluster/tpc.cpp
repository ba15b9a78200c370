#include "sc_models/cluster/tpc.h"

#include <string>

#include "sc_models/memory_path/cosimulation/watched_coalescer.h"

namespace gt200::model {
namespace {

cache_ports l2_ports(const config::gpu_config& config, const sm_factory& make_sm) {
  cache_ports ports;
  ports.requesters = make_sm.fills() * config.chip.sms_per_tpc;
  ports.fill_latency = config.l3.link_latency_cycles;
  ports.perfect = config.idealisations.perfect_caches;
  return ports;
}

}  // namespace

tpc::tpc(const sc_core::sc_module_name& name, tlm_bus::clock_domain& core, tlm_bus::clock_domain& shader,
         tlm_bus::clock_domain& uncore, const config::gpu_config& config, unsigned index, const page_table& pages,
         const sm_factory& make_sm, unsigned crossbar_link)
    : sc_core::sc_module(name),
      block_port("block_port", uncore, config.chip.sms_per_tpc, config.tpc.sm.limits.blocks,
                 config.distribution.launch_latency_cycles),
      memory("memory", uncore, config.tpc.memory, index, config.chip.sms_per_tpc, config.tpc.sm.limits.warps, pages,
             crossbar_link, config.memory_bytes()),
      texture("texture", uncore, config.tpc.texture, index, pages, config.idealisations.perfect_caches,
              config.partition.texture_writes_invalidate ? config.distribution.launch_latency_cycles : 0),
      l2("l2", uncore, config.tpc.l2, l2_ports(config, make_sm)) {
  for (unsigned i = 0; i < config.chip.sms_per_tpc; ++i) {
    sms.push_back(
        make_sm(("sm_" + std::to_string(i)).c_str(), {core, shader, config}, {index, i, config.chip.sms_per_tpc}));
    sm_if& sm = *sms.back();
    block_port.to_sm[i].bind(sm.launch());
    sm.retire().bind(block_port.from_sm[i]);
    sm.memory_operations().bind(memory.from_sm(i));
    memory.to_sm(i).bind(sm.memory_completions());
    for (unsigned f = 0; f < make_sm.fills(); ++f) sm.fills().at(f)->bind(l2.requests[make_sm.fills() * i + f]);
    if (memory.l1) sm.l1_control().bind(memory.l1->line_control);
    for (cache_control_if* cache : sm.caches()) block_port.caches.bind(*cache);
  }
  memory.coalescer.use(make_watched_coalescer(uncore, core, config.tpc, index, config.chip.sms_per_tpc));
  block_port.caches.bind(l2.control);
  block_port.caches.bind(texture);
  if (memory.l1) block_port.caches.bind(memory.l1->control);
  memory.to_texture().bind(texture.from_sm_controller());
  texture.to_sm_controller().bind(memory.from_texture());
  texture.fills().bind(memory.texture_fills());
}

// SystemC finds the most recently created ports at once; for others it searches its list of all ports.
tpc::~tpc() {
  while (!sms.empty()) sms.pop_back();
}

}  // namespace gt200::model
