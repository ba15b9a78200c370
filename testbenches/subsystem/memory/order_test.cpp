// Random loads, stores and atomics of ten TPCs on a few addresses. Every value is the content of memory at the
// access's place in the order of its partition's arbiter, in every way of clocking. Nothing is lost or left over.
#include "testbenches/subsystem/memory/memory_system.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::support {
namespace {

using tlm_bus::clocking_options;

class memory_order_test : public systemc_test {
 protected:
  static void expect_finished(memory_system& system, unsigned count) {
    for (const auto& source : system.sources) EXPECT_EQ(source.answers.size(), count) << source.name();
    EXPECT_EQ(system.outstanding(), 0u);
    EXPECT_GT(system.reference.checked, count);
  }
  static void expect_memory_equals_reference(memory_system& system) {
    for (const auto& [address, value] : system.reference.contents()) {
      std::uint8_t byte = 0;
      tlm::tlm_generic_payload p;
      p.set_read();
      p.set_address(address);
      p.set_data_ptr(&byte);
      p.set_data_length(1);
      p.set_streaming_width(1);
      ASSERT_EQ(system.sources[0].out->transport_dbg(p), 1u);
      ASSERT_EQ(byte, value) << "at " << address;
    }
  }
  void run(const config::gpu_config& config, const clocking_options& options, unsigned blocks, std::uint64_t seed) {
    constexpr unsigned count = 300;
    memory_system system("system", clock(options), config, 10);
    add_random_traffic(system, count, blocks, seed);
    run_through(60'000, uncore());
    expect_finished(system, count);
    expect_memory_equals_reference(system);
  }
};

TEST_F(memory_order_test, loads_see_the_stores_and_atomics_before_them) { run(gt200_preset(), {}, 16, 1); }

TEST_F(memory_order_test, with_everything_in_one_block) { run(gt200_preset(), {}, 1, 2); }

TEST_F(memory_order_test, with_fifo_scheduler_closed_pages_and_hashes) {
  run(gt200_preset({"partition.dram.scheduler=fifo", "partition.dram.page_policy=closed",
                    "partition.dram.bank_hash=xor_row", "partition.hash=fold"}),
      {}, 32, 3);
}

TEST_F(memory_order_test, with_fixed_latency_and_seven_partitions) {
  run(gt200_preset({"partition.dram.model=fixed_latency", "chip.partitions=7"}), {}, 16, 4);
}

TEST_F(memory_order_test, with_the_smallest_queues) {
  run(gt200_preset({"partition.rop.queue_entries=2", "partition.arbiter.queue_entries=2",
                    "partition.dram.queue_entries=1", "interconnect.crossbar.request_queue_flits=2",
                    "interconnect.crossbar.reply_queue_flits=2"}),
      {}, 16, 5);
}

TEST_F(memory_order_test, with_stalls_at_every_port) {
  clocking_options options;
  options.stalls = {7, 200};
  run(gt200_preset(), options, 16, 6);
}

TEST_F(memory_order_test, audited) {
  clocking_options options;
  options.audit = true;
  run(gt200_preset(), options, 16, 7);
}

TEST_F(memory_order_test, every_port_keeps_the_base_protocol_rules) {
  constexpr unsigned count = 300;
  memory_system system("system", clock(), gt200_preset(), 10);
  std::deque<tlm_bus::protocol_checker> checkers;
  for (auto& p : system.path.partitions) {
    p.arbiter.requests.observers().attach(checkers.emplace_back());
    p.arbiter.dram.observers().attach(checkers.emplace_back());
    p.arbiter.rop.observers().attach(checkers.emplace_back());
    p.rop.memory.observers().attach(checkers.emplace_back());
  }
  add_random_traffic(system, count, 16, 8);
  run_until_idle();
  expect_finished(system, count);
  for (const auto& c : checkers) {
    EXPECT_EQ(c.violation(), "");
    EXPECT_EQ(c.open_transactions(), 0u);
    EXPECT_GT(c.completed_transactions(), 0u);
  }
}

TEST_F(memory_order_test, all_ways_of_clocking_give_the_same_cycles) {
  constexpr unsigned count = 120;
  std::vector<clocking_options> ways(4);
  ways[1].mode = clocking_options::way::reference;
  ways[2].shuffle_seed = 11;
  ways[3].shuffle_seed = 12;
  std::deque<clocks> clockings;
  std::deque<memory_system> systems;
  for (unsigned i = 0; i < ways.size(); ++i) {
    clockings.emplace_back(("clocking_" + std::to_string(i)).c_str(), ways[i]);
    systems.emplace_back("system_" + std::to_string(i), clockings[i], gt200_preset(), 10);
    add_random_traffic(systems[i], count, 8, 21);
  }
  run_through(12'000, clockings[0].uncore);
  for (auto& system : systems) {
    expect_finished(system, count);
    for (unsigned i = 0; i < system.sources.size(); ++i)
      EXPECT_EQ(system.sources[i].answers, systems[0].sources[i].answers) << system.sources[i].name();
  }
}

}  // namespace
}  // namespace gt200::support
