#include "testbenches/subsystem/memory/protocol_traffic.h"

#include <initializer_list>
#include <systemc>

#include "sc_models/chip.h"
#include "sc_models/config/load.h"
#include "sc_models/partition/partition.h"
#include "testbenches/support/foreign_initiator.h"
#include "testbenches/support/foreign_target.h"
#include "testbenches/support/protocol_checks.h"
#include "tlm_bus/clocking.h"

namespace gt200::support {
namespace {

using model::gpu_memory_protocol;
using tlm_bus::base_protocol;

constexpr std::size_t memory_bytes = std::size_t{1} << 20;

// The clocks of the chip, and checkers at the ports of the parts that are watched.
class bench {
 public:
  explicit bench(const std::vector<std::string>& overrides = {})
      : config(config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values),
        clocks((sc_core::sc_set_time_resolution(1, sc_core::SC_FS), "clocks"), options_of(config)),
        uncore("uncore", config.clocks.uncore_period(), clocks),
        memory("memory", config.clocks.memory_period(), clocks) {}

  void watch(sc_core::sc_object& object) { checks_.watch(object); }

  // Runs until the initiator has what it asked for, and says what is wrong.
  template <class TRAITS>
  traffic_result run(const foreign_initiator<TRAITS>& initiator, std::uint64_t transactions,
                     const std::string& (*trouble_behind)(const void*) = nullptr, const void* behind = nullptr) {
    traffic_result result;
    const std::uint64_t microseconds = 100 + transactions;  // a transaction takes a fraction of one
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(microseconds), sc_core::SC_US));
    result.trouble = initiator.trouble();
    if (result.trouble.empty() && behind != nullptr) result.trouble = trouble_behind(behind);
    if (result.trouble.empty()) result.trouble = checks_.trouble();
    result.transactions = checks_.transactions();
    if (result.trouble.empty() && initiator.finished() != transactions)
      result.trouble =
          std::to_string(initiator.finished()) + " of " + std::to_string(transactions) + " transactions have ended";
    return result;
  }
  template <class TRAITS>
  traffic_result run(const foreign_initiator<TRAITS>& initiator, std::uint64_t transactions,
                     const foreign_target<base_protocol>& behind) {
    return run(
        initiator, transactions,
        [](const void* target) -> const std::string& {
          return static_cast<const foreign_target<base_protocol>*>(target)->trouble();
        },
        &behind);
  }

  const config::gpu_config config;
  tlm_bus::clocking clocks;
  tlm_bus::clock_domain uncore;
  tlm_bus::clock_domain memory;

 private:
  static tlm_bus::clocking_options options_of(const config::gpu_config& config) {
    tlm_bus::clocking_options options;
    options.stalls.seed = config.simulation.stall_seed;
    options.stalls.per_1024 = config.simulation.stalls_per_1024;
    return options;
  }
  protocol_checks checks_;
};

traffic traffic_of(std::uint64_t transactions, std::uint64_t seed) {
  traffic how;
  how.transactions = transactions;
  how.seed = seed;
  return how;
}

// -- a foreign initiator in front of the DRAM --

traffic_result into_dram(std::uint64_t transactions, std::uint64_t seed, const char* model) {
  bench b({std::string("partition.dram.model=") + model, "simulation.stalls_per_1024=50"});
  model::dram dram("dram", b.memory, b.config.partition.dram);
  traffic how = traffic_of(transactions, seed);
  how.enables = true;
  foreign_initiator<base_protocol> initiator("initiator", how);
  initiator.socket.bind(dram.requests());
  b.watch(dram);
  return b.run(initiator, transactions);
}

// -- in front of a cache, with a foreign memory behind it --

traffic_result through_cache(std::uint64_t transactions, std::uint64_t seed) {
  bench b({"simulation.stalls_per_1024=50"});
  model::cache_ports ports;
  ports.request_depth = 4;
  model::read_only_cache<base_protocol> cache("cache", b.uncore, b.config.partition.texture_l2, ports);
  traffic how = traffic_of(transactions, seed);
  how.writes = false;
  foreign_initiator<base_protocol> initiator("initiator", how);
  foreign_target<base_protocol> memory("foreign_memory", seed + 1, memory_bytes);
  initiator.socket.bind(cache.requests.front());
  cache.fill.bind(memory.socket);
  b.watch(cache);
  return b.run(initiator, transactions, memory);
}

// -- in front of a partition: with its DRAM, with an L2, with a foreign memory --

traffic into_partition(std::uint64_t transactions, std::uint64_t seed) {
  traffic how = traffic_of(transactions, seed);
  how.enables = how.atomics = how.textures = true;
  return how;
}

traffic_result through_partition(std::uint64_t transactions, std::uint64_t seed,
                                 const std::vector<std::string>& overrides) {
  std::vector<std::string> all = {"simulation.stalls_per_1024=50"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  bench b(all);
  const model::address_map map(1, b.config.partition.interleave_bytes, b.config.partition.hash,
                               b.config.partition.block_linear);
  model::partition partition("partition", b.uncore, b.memory, b.config.partition, map, 0);
  foreign_initiator<gpu_memory_protocol> initiator("initiator", into_partition(transactions, seed));
  initiator.socket.bind(partition.requests());
  b.watch(partition);
  return b.run(initiator, transactions);
}

traffic_result through_partition_to_foreign(std::uint64_t transactions, std::uint64_t seed) {
  bench b({"simulation.stalls_per_1024=50"});
  const model::address_map map(1, b.config.partition.interleave_bytes, b.config.partition.hash,
                               b.config.partition.block_linear);
  const config::partition_config& config = b.config.partition;
  model::partition_arbiter arbiter("arbiter", b.uncore, config, map, 0);
  model::read_only_cache<base_protocol> texture_l2("texture_l2", b.uncore, config.texture_l2, {});
  model::rop rop("rop", b.uncore, config.rop, b.memory.period());
  arbiter.rop.bind(rop.requests);
  rop.memory.bind(arbiter.rop_memory);
  arbiter.texture.bind(texture_l2.requests.front());
  texture_l2.fill.bind(arbiter.texture_fill);
  foreign_initiator<gpu_memory_protocol> initiator("initiator", into_partition(transactions, seed));
  foreign_target<base_protocol> memory("foreign_memory", seed + 1, memory_bytes);
  initiator.socket.bind(arbiter.requests);
  arbiter.dram.bind(memory.socket);
  for (sc_core::sc_object* part : std::initializer_list<sc_core::sc_object*>{&arbiter, &texture_l2, &rop})
    b.watch(*part);
  return b.run(initiator, transactions, memory);
}

// -- in front of the host port of a whole chip --

traffic_result through_host_port(std::uint64_t transactions, std::uint64_t seed) {
  const config::gpu_config config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200_small.toml",
                                                 {"command_processor.host_accesses=8"})
                                        .values;
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  tlm_bus::clocking_options options;
  options.stalls.per_1024 = 50;
  model::chip chip("chip", config, options, model::chip_host::platform);
  traffic how = traffic_of(transactions, seed);
  how.enables = true;
  how.base = model::registers::aperture;
  foreign_initiator<base_protocol> initiator("initiator", how);
  initiator.socket.bind(chip.command_processor.host);
  const protocol_checks checks(chip);
  const std::uint64_t microseconds = 100 + transactions;
  sc_core::sc_start(sc_core::sc_time(static_cast<double>(microseconds), sc_core::SC_US));
  traffic_result result{initiator.trouble(), checks.transactions()};
  if (result.trouble.empty()) result.trouble = checks.trouble();
  if (result.trouble.empty() && initiator.finished() != transactions)
    result.trouble = "transactions have not ended";
  return result;
}

}  // namespace

const std::vector<boundary>& boundaries() {
  static const std::vector<boundary> all = {
      {"dram_with_timing", [](std::uint64_t n, std::uint64_t seed) { return into_dram(n, seed, "timing"); }},
      {"dram_of_fixed_latency",
       [](std::uint64_t n, std::uint64_t seed) { return into_dram(n, seed, "fixed_latency"); }},
      {"cache_and_foreign_memory", through_cache},
      {"partition", [](std::uint64_t n, std::uint64_t seed) { return through_partition(n, seed, {}); }},
      {"partition_with_l2",
       [](std::uint64_t n, std::uint64_t seed) {
         return through_partition(n, seed, {"partition.l2.enabled=true"});
       }},
      {"partition_and_foreign_memory", through_partition_to_foreign},
      {"host_port_of_a_chip", through_host_port}};
  return all;
}

}  // namespace gt200::support
