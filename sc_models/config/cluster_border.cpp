#include "sc_models/config/cluster_border.h"

namespace gt200::config {
namespace {

constexpr std::uint32_t shortest_switch_cycles = 2;  // of the crossbar, behind the link to it

}  // namespace

cluster_border border_of(const gpu_config& config) {
  // Ideal memory answers in the next cycle.
  if (config.idealisations.ideal_memory) return {1, "idealisations.ideal_memory", 1};
  cluster_border border{config.distribution.launch_latency_cycles, "distribution.launch_latency_cycles", 0};
  const auto limit = [&border](std::uint32_t cycles, const char* key) {
    if (cycles < border.window_cycles) border = {cycles, key, 0};
  };
  limit(config.distribution.retire_latency_cycles, "distribution.retire_latency_cycles");
  limit(config.l3.link_latency_cycles, "l3.link_latency_cycles");
  const crossbar_config& crossbar = config.interconnect.crossbar;
  limit(crossbar.request_latency_cycles - shortest_switch_cycles, "interconnect.crossbar.request_latency_cycles");
  limit(crossbar.reply_latency_cycles - shortest_switch_cycles, "interconnect.crossbar.reply_latency_cycles");
  border.crossbar_link_cycles = border.window_cycles;
  return border;
}

}  // namespace gt200::config
