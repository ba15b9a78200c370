#include "sc_models/config/infinite_queues.h"

#include <algorithm>

#include "tlm_bus/transaction_size.h"

namespace gt200::config {
namespace {

constexpr std::uint32_t warp_size = 32;
constexpr std::uint32_t max_instructions = 60000;  // what a pipe can hold
constexpr std::uint32_t page_walks_per_tpc = 1;

std::uint32_t fills_per_line(const gpu_config& c) {
  const std::uint32_t of_l2 = c.partition.l2.enabled ? c.partition.l2.line_bytes : tlm_bus::max_transaction_bytes;
  const std::uint32_t largest = std::min({c.partition.interleave_bytes, tlm_bus::max_transaction_bytes, of_l2});
  return (c.l3.line_bytes + largest - 1) / largest;
}

}  // namespace

std::uint32_t max_outstanding_transactions(const gpu_config& c) {
  const load_store_queue_config& queue = c.tpc.memory.load_store_queue;
  const data_cache_config& l1 = c.tpc.memory.l1;
  const std::uint32_t of_l1 = l1.enabled ? l1.mshrs + l1.lines() : 0;  // fills, write-backs
  const std::uint32_t of_tpc = queue.load_entries + queue.store_entries + of_l1 +
                               c.tpc.texture.l1.instances * c.tpc.texture.l1.mshrs + page_walks_per_tpc;
  return c.chip.tpcs * of_tpc + c.l3.mshrs * fills_per_line(c);
}

gpu_config with_queue_depths(const gpu_config& config) {
  if (!config.idealisations.infinite_queues) return config;
  gpu_config c = config;
  const auto instructions_of = [&](std::uint32_t sms) {
    return std::min(max_instructions, sms * 2 * c.tpc.sm.limits.registers / warp_size);
  };
  const std::uint32_t of_sm = instructions_of(1);
  c.tpc.sm.memory_port.queue_entries = std::max(c.tpc.sm.memory_port.queue_entries, of_sm);
  c.tpc.memory.sm_controller.queue_entries = std::max(c.tpc.memory.sm_controller.queue_entries, of_sm);
  c.tpc.texture.address.queue_entries =
      std::max(c.tpc.texture.address.queue_entries, instructions_of(c.chip.sms_per_tpc));

  load_store_queue_config& queue = c.tpc.memory.load_store_queue;
  queue.load_entries = queue.store_entries = load_store_queue_config::max_entries;
  queue.load_bytes = load_store_queue_config::max_load_bytes;

  const std::uint32_t transactions = max_outstanding_transactions(c);
  crossbar_config& crossbar = c.interconnect.crossbar;
  const std::uint32_t flits =
      transactions * (1 + (tlm_bus::max_transaction_bytes + crossbar.flit_bytes - 1) / crossbar.flit_bytes);
  crossbar.request_queue_flits = std::max(crossbar.request_queue_flits, flits);
  crossbar.reply_queue_flits = std::max(crossbar.reply_queue_flits, flits);
  partition_config& partition = c.partition;
  partition.arbiter.queue_entries = std::max(partition.arbiter.queue_entries, transactions);
  partition.arbiter.held_loads = std::max(partition.arbiter.held_loads, transactions);
  partition.rop.queue_entries = std::max(partition.rop.queue_entries, transactions);
  partition.rop.request_port_entries = transactions;
  partition.texture_l2.request_port_entries = transactions;
  c.tpc.memory.l1.miss_queue_entries = std::max(c.tpc.memory.l1.miss_queue_entries, transactions);
  partition.l2.miss_queue_entries = std::max(partition.l2.miss_queue_entries, transactions);
  c.tpc.memory.l1.request_port_entries = partition.l2.request_port_entries = transactions;
  return c;
}

}  // namespace gt200::config
