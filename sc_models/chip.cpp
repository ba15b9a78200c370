#include "sc_models/chip.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/config/infinite_queues.h"
#include "sc_models/memory_path/pages_in_memory.h"
#include "sc_models/sm/fermi/sm.h"
#include "sc_models/sm/tesla/sm.h"
#include "sc_models/sm/volta/sm.h"
#include "tlm_bus/report.h"
#include "tlm_bus/stall_injection.h"
#include "toolchain/foreign_code.h"

namespace gt200::model {

namespace {

cache_ports l3_ports(const config::gpu_config& config, unsigned crossbar_link) {
  cache_ports ports;
  ports.requesters = config.chip.tpcs;
  ports.request_depth = config.l3.queue_entries;
  ports.request_latency = config.l3.link_latency_cycles;
  ports.fill_latency = crossbar_link;
  ports.largest_fill_bytes = std::min(config.partition.interleave_bytes, tlm_bus::max_transaction_bytes);
  if (config.partition.l2.enabled)
    ports.largest_fill_bytes = std::min(ports.largest_fill_bytes, config.partition.l2.line_bytes);
  ports.perfect = config.idealisations.perfect_caches;
  return ports;
}

address_map address_map_of(const config::gpu_config& config) {
  return {config.chip.partitions, config.partition.interleave_bytes, config.partition.hash,
          config.partition.block_linear};
}

// Sources of the crossbar: TPCs, L3 cache and command processor; or the command processor and ideal memory.
unsigned crossbar_sources(const config::gpu_config& config) {
  return config.idealisations.ideal_memory ? 2 : config.chip.tpcs + 2;
}

sm_factory sms_of(const config::gpu_config& config) {
  if (config.chip.is_volta()) return volta_sms(config);
  return config.chip.is_fermi() ? fermi_sms(config) : tesla_sms(config);
}

}  // namespace

chip::chip(const sc_core::sc_module_name& name, const config::gpu_config& c,
           const tlm_bus::clocking_options& options, chip_host programmed_by, sm_factory factory)
    : sc_core::sc_module(name),
      config(config::with_queue_depths(c)),
      border(config::border_of(config)),
      make_sm(factory ? std::move(factory) : sms_of(config)),
      pages(config.memory_map.page_bytes, config.memory_map.page_table_base),
      clocks("clocks", options, border.window_cycles * config.clocks.uncore_period()),
      shader("shader", config.clocks.shader_period(), clocks),
      core("core", config.clocks.core_period(), clocks),
      uncore("uncore", config.clocks.uncore_period(), clocks),
      memory("memory", config.clocks.memory_period(), clocks),
      host("host", config.host, config.command_processor.host_accesses),
      command_processor("command_processor", uncore, config, make_sm.generation().values()),
      work_distributor("work_distributor", uncore, config),
      crossbar("crossbar", uncore, config.interconnect.crossbar, address_map_of(config), crossbar_sources(config),
               border.crossbar_link_cycles, config.topology),
      l3("l3", uncore, config.l3, l3_ports(config, border.crossbar_link_cycles)),
      programmed_by_(programmed_by) {
  tlm_bus::set_name_of_thrower(text_of_source);
  if (config.idealisations.perfect_caches) clocks.keep_time_order("perfect caches read memory in zero time");
  for (unsigned i = 0; i < config.chip.tpcs; ++i) {
    const std::string tpc = "tpc_" + std::to_string(i);
    cluster_clocks& own = clocks_of_tpcs.emplace_back(tpc, clocks, config.clocks);
    tpcs.emplace_back(tpc.c_str(), own.core, own.shader, own.uncore, config, i, pages, make_sm,
                      border.crossbar_link_cycles);
  }
  for (unsigned i = 0; i < config.chip.partitions; ++i)
    partitions.emplace_back(("partition_" + std::to_string(i)).c_str(), uncore, memory, config.partition,
                            address_map_of(config), i, config.idealisations.perfect_caches);

  if (config.idealisations.ideal_memory)
    ideal_memory = std::make_unique<gt200::model::ideal_memory>("ideal_memory", uncore, config.partition,
                                                                address_map_of(config), config.chip.tpcs + 1,
                                                                config.memory_bytes());

  if (programmed_by == chip_host::own) {
    host.stop_at_windows_of(clocks);
    host.chip.bind(command_processor.host);
    command_processor.host.say_what_is_bound(
        "the host of the chip itself; make the chip with chip_host::platform, and the platform is its host");
    command_processor.interrupt.bind(host.interrupt);
  }
  if (on_platform()) command_processor.when_textures_begin([this] { pages = pages_in_memory(); });
  command_processor.when_reset([this] {
    const std::vector<std::string> refusals = reset_refusals();
    if (refusals.empty())
      reset();
    else
      SC_REPORT_WARNING(tlm_bus::reset_report, refusals.front().c_str());
    return refusals.empty();
  });
  command_processor.start.bind(work_distributor.grids);
  work_distributor.ended.bind(command_processor.end);
  bind_tpcs();
  bind_memory();
  if (config.partition.texture_writes_invalidate) bind_texture_invalidation();
}

// In the reverse order of construction, as in tpc::~tpc().
chip::~chip() {
  clocks.park();
  while (!partitions.empty()) partitions.pop_back();
  while (!tpcs.empty()) tpcs.pop_back();
}

void chip::join_stages() {
  if (looked_into_ || clocks.options().audit) return;
  for (sm_if* sm : sms()) sm->join_stages();
}

void chip::look_inside() {
  looked_into_ = true;
  for (sm_if* sm : sms()) sm->part_stages();
}

std::vector<sm_if*> chip::sms() const {
  std::vector<sm_if*> all;
  for (const gt200::model::tpc& tpc : tpcs)
    for (const auto& sm : tpc.sms) all.push_back(sm.get());
  return all;
}

page_table chip::pages_in_memory() {
  return model::pages_in_memory(pages.base(), config.memory_bytes(),
                                [this](std::uint64_t address, std::uint8_t* to, std::size_t bytes) {
                                  return command_processor.peek(address, to, bytes);
                                });
}

std::uint64_t chip::progress() const {
  std::uint64_t sum = 0;
  for (sm_if* sm : sms()) {
    const sm_probe& probe = sm->probe();
    sum += probe.instructions_issued() + probe.instructions_completed() + probe.blocks_retired();
  }
  for (const gt200::model::partition& partition : partitions) sum += partition.progress();
  return sum;
}

void chip::vary(std::uint64_t seed) {
  crossbar.vary(seed);
  const std::uint64_t phase = tlm_bus::mixed(seed ^ tlm_bus::name_hash_of("refresh"), 0);
  for (gt200::model::partition& partition : partitions)
    partition.dram.begin_refresh_at(static_cast<double>(phase >> 11) * 0x1p-53);
}

void chip::start_of_simulation() {
  if (keeps_state_) state_.keep(*this);
}

void chip::reset() {
  if (const std::vector<std::string> refusals = reset_refusals(); !refusals.empty())
    throw std::logic_error(refusals.front());
  clocks.reset([this] { carry_out_reset(); });
}

void chip::carry_out_reset() {
  for (gt200::model::partition& partition : partitions) partition.settle_memory();
  state_.restore(*this);
}

std::vector<std::string> chip::reset_refusals() const {
  if (!keeps_state_) return {"its program does without a reset, so its initial state has not been kept"};
  if (!state_.kept()) return {"the simulation has not begun"};
  std::vector<std::string> all = state_.refusals();
  if (clocks.calls_from_thread()) all.push_back(clocks.time_order_reason() + ", which cannot be made again");
  for (const auto& [observer, why] : objections_) all.push_back(why);
  return all;
}

void chip::object_to_reset(const void* observer, const std::string& why) {
  if (why.empty())
    objections_.erase(observer);
  else
    objections_[observer] = why;
}

std::vector<std::vector<const sc_core::sc_object*>> chip::way_from_memory() const {
  std::vector<std::vector<const sc_core::sc_object*>> way(8);
  for (const gt200::model::partition& partition : partitions) way[0].push_back(&partition);
  way[1] = {&l3};
  way[2] = {&crossbar};
  for (const gt200::model::tpc& tpc : tpcs) {
    way[3].push_back(&tpc.l2);
    way[4].push_back(&tpc.memory.page_walker);
    way[5].push_back(&tpc.memory.tlb);
    way[6].push_back(&tpc.memory);
    way[7].push_back(&tpc.texture);
  }
  return way;
}

void chip::bind_tpcs() {
  for (unsigned i = 0; i < tpcs.size(); ++i) {
    work_distributor.launch[i].bind(tpcs[i].launch());
    tpcs[i].retire().bind(work_distributor.retire[i]);
    tpcs[i].crossbar().bind(ideal_memory ? ideal_memory->sources[i] : crossbar.sources[i]);
    tpcs[i].l3().bind(l3.requests[i]);
  }
}

void chip::bind_memory() {
  if (ideal_memory) {
    l3.fill.bind(ideal_memory->sources[tpcs.size()]);
    command_processor.memory.bind(crossbar.sources[0]);
    ideal_memory->memory.bind(crossbar.sources[1]);
  } else {
    l3.fill.bind(crossbar.sources[tpcs.size()]);
    command_processor.memory.bind(crossbar.sources[tpcs.size() + 1]);
  }
  command_processor.caches.bind(l3.control);
  for (unsigned i = 0; i < partitions.size(); ++i) {
    crossbar.partitions[i].bind(partitions[i].requests());
    command_processor.caches.bind(partitions[i].texture_l2_control());
  }
}

void chip::bind_texture_invalidation() {
  std::vector<texture_watch*> watches;
  for (gt200::model::partition& partition : partitions) watches.push_back(partition.arbiter.textures.get());
  if (ideal_memory) watches.push_back(ideal_memory->textures.get());
  texture_invalidation = std::make_unique<gt200::model::texture_invalidation>(
      "texture_invalidation", uncore, static_cast<unsigned>(watches.size()), config.chip.tpcs);
  for (std::size_t i = 0; i < watches.size(); ++i) {
    watches[i]->writes.bind(texture_invalidation->writes[i]);
    texture_invalidation->caches.bind(*watches[i]);
    command_processor.caches.bind(*watches[i]);
  }
  for (gt200::model::partition& partition : partitions)
    texture_invalidation->caches.bind(partition.texture_l2_control());
  for (std::size_t i = 0; i < tpcs.size(); ++i) texture_invalidation->to_tpc[i].bind(*tpcs[i].texture_writes());
}

}  // namespace gt200::model
