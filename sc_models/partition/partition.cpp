#include "sc_models/partition/partition.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gt200::model {

namespace {

cache_ports texture_ports(const config::texture_l2_config& config, bool perfect) {
  cache_ports ports;
  ports.fill_latency = config.fill_latency_cycles;
  ports.request_depth = std::max(ports.request_depth, config.request_port_entries);
  ports.perfect = perfect;
  return ports;
}

data_cache_role l2_role(unsigned fill_latency) {
  data_cache_role role;
  role.rule = [](const tlm::tlm_generic_payload&) { return cache_treatment::cached; };
  role.fetches = fetch_size::sectors;
  role.memory_latency = fill_latency;
  return role;
}

}  // namespace

partition::partition(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                     tlm_bus::clock_domain& memory, const config::partition_config& config, const address_map& map,
                     unsigned index, bool perfect_cache)
    : sc_core::sc_module(name),
      arbiter("arbiter", uncore, config, map, index),
      texture_l2("texture_l2", uncore, config.texture_l2, texture_ports(config.texture_l2, perfect_cache)),
      rop("rop", uncore, config.rop, memory.period()),
      dram("dram", memory, config.dram) {
  arbiter.rop.bind(rop.requests);
  rop.memory.bind(arbiter.rop_memory);
  arbiter.texture.bind(texture_l2.requests.front());
  texture_l2.fill.bind(arbiter.texture_fill);
  // The arbiter keeps to the capacity, so the DRAM has no reason to refuse an access.
  if (!config.l2.enabled) {
    arbiter.dram.bind(dram.requests());
    arbiter.dram.refuse_errors();
    return;
  }
  l2 = std::make_unique<data_cache<tlm_bus::base_protocol>>("l2", uncore, config.l2,
                                                            l2_role(config.l2.fill_latency_cycles));
  arbiter.dram.bind(l2->requests);
  l2->memory.bind(dram.requests());
  l2->memory.refuse_errors();
}

// What is written as debug access reaches the DRAM and every place that holds newer bytes.
void partition::settle_memory() {
  std::vector<std::pair<std::uint64_t, unsigned>> pieces;
  const auto add = [&](std::uint64_t address, unsigned bytes) { pieces.emplace_back(address, bytes); };
  if (l2) l2->for_each_unwritten(add);
  arbiter.unwritten().for_each(add);
  std::vector<std::uint8_t> content;
  for (const auto& [address, bytes] : pieces) {
    content.resize(bytes);
    tlm::tlm_generic_payload access;
    access.set_address(address);
    access.set_data_ptr(content.data());
    access.set_data_length(bytes);
    access.set_streaming_width(bytes);
    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      access.set_command(command);
      texture_l2.fill->transport_dbg(access);
    }
  }
}

}  // namespace gt200::model
