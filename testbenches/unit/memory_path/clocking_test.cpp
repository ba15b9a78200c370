// Memory and texture path give the same cycles and values by every way of clocking and order of modules, and the
// same values when tokens are held up.
#include <sstream>

#include "testbenches/unit/cluster_harness.h"

namespace gt200::model {
namespace {

using isa::data_type;
using testing::for_lanes;
using testing::memory_instruction;
using testing::operation;

class memory_clocking_test : public support::systemc_test {
 protected:
  static constexpr tlm_bus::cycle_t end = 12000;

  struct bench {
    bench(const std::string& name, const tlm_bus::clocking_options& options,
          const std::vector<std::string>& overrides)
        : clocks((name + "_clocks").c_str(), options), tpc(name, clocks, testing::test_config(overrides)) {}
    support::clocks clocks;
    testing::tpc_harness tpc;
  };

  // A mix of everything: three SMs, all kinds and widths, scattered and not, texture in between, and a memory that
  // answers out of order and is sometimes busy.
  static void fill(testing::tpc_harness& tpc) {
    tpc.dram.latency = [](std::size_t n) { return 20 + static_cast<unsigned>(n * 7919 % 61); };
    tpc.dram.takes = [](tlm_bus::cycle_t c) { return c % 5 != 3; };
    tpc.grid.textures = {texture_binding::linear_memory(0x8000, 4096, {texel_format::u32, 1, false})};
    for (std::uint32_t i = 0; i < testing::tpc_harness::memory_bytes; i += 4) tpc.dram.set_word(i, i * 2654435761u);
    std::uint32_t state = 12345;
    const auto random = [&](std::uint32_t below) {
      state = state * 1664525 + 1013904223;
      return (state >> 8) % below;
    };
    const operation operations[] = {operation::ld_global, operation::st_global,   operation::ld_local,
                                    operation::st_local,  operation::atom_global, operation::texfetch,
                                    operation::ld_global};
    for (unsigned i = 0; i < 90; ++i) {
      const operation op = operations[random(7)];
      const auto type = op == operation::atom_global ? data_type::b32 : static_cast<data_type>(random(7));
      isa::instruction instruction = memory_instruction(op, type);
      instruction.texture.arguments = 1;
      instruction.texture.write_mask = 1;
      warp_instruction& o = tpc.operation(instruction, i % 3);
      o.warp = warp_slot(i / 3);
      // Each instruction has its own memory, so that values do not depend on the order of SMs.
      const std::uint32_t bytes = static_cast<unsigned>(isa::bytes_of(type));
      const std::uint32_t stride = bytes * (random(4) == 0 ? 8 : 1);
      o.executed = random(4) == 0 ? random(0xffffff) : 0xffffffff;
      for_lanes([&](unsigned lane) {
        const std::uint32_t base = 0x10000 + i * 0x1000;
        if (op == operation::texfetch)
          o.values.source[0][0].lane[lane] = random(4200);
        else if (op == operation::ld_local || op == operation::st_local)
          o.values.address.lane[lane] = 0;
        else
          o.values.address.lane[lane] = base % 0x80000 + lane * stride;
        o.values.source[1][0].lane[lane] = random(0x7fffffff);
      });
      tpc.send(o, 1 + i);
    }
  }

  static std::uint64_t hash_of(const void* data, std::size_t bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes; ++i)
      hash = (hash ^ static_cast<const std::uint8_t*>(data)[i]) * 0x100000001b3u;
    return hash;
  }
  // Per instruction: whether (and when) it has completed, and its values; then the memory.
  static std::vector<std::string> outcome(const testing::tpc_harness& tpc, bool with_time) {
    std::vector<std::string> result;
    for (const warp_instruction& o : tpc.operations) {
      std::ostringstream line;
      const bool completed = tpc.completed_at(o) != tlm_bus::no_cycle;
      line << o.id << (completed ? " completed" : " lost");
      if (with_time && completed) line << " at " << tpc.completed_at(o);
      line << ' ' << hash_of(o.values.destination, sizeof o.values.destination);
      result.push_back(line.str());
    }
    result.push_back(std::to_string(hash_of(tpc.dram.memory.data(), tpc.dram.memory.size())));
    return result;
  }
  static void expect_all_complete(const testing::tpc_harness& tpc) {
    for (const warp_instruction& o : tpc.operations) EXPECT_NE(tpc.completed_at(o), tlm_bus::no_cycle) << o.id;
    EXPECT_TRUE(tpc.idle());
  }
};

TEST_F(memory_clocking_test, all_ways_and_orders_give_the_same_cycles) {
  tlm_bus::clocking_options reference;
  reference.mode = tlm_bus::clocking_options::way::reference;
  tlm_bus::clocking_options shuffled;
  shuffled.shuffle_seed = 99;
  tlm_bus::clocking_options audited;
  audited.audit = true;
  const std::vector<std::string> tight = {"tpc.memory.load_store_queue.load_entries=5",
                                          "tpc.memory.load_store_queue.store_entries=3", "tpc.texture.l1.mshrs=2"};
  bench due("due", {}, tight);
  bench every("every", reference, tight);
  bench order("order", shuffled, tight);
  bench audit("audit", audited, tight);
  for (bench* b : {&due, &every, &order, &audit}) fill(b->tpc);
  run_through(end, due.clocks.uncore);
  const auto expected = outcome(due.tpc, true);
  EXPECT_EQ(outcome(every.tpc, true), expected);
  EXPECT_EQ(outcome(order.tpc, true), expected);
  EXPECT_EQ(outcome(audit.tpc, true), expected);
  for (bench* b : {&due, &every, &order, &audit}) expect_all_complete(b->tpc);
}

TEST_F(memory_clocking_test, stalls_change_no_value) {
  tlm_bus::clocking_options stalled;
  stalled.stalls = {7, 300};
  bench free("tpc_a", {}, {});
  bench held("tpc_b", stalled, {});
  fill(free.tpc);
  fill(held.tpc);
  run_through(end, free.clocks.uncore);
  EXPECT_EQ(outcome(held.tpc, false), outcome(free.tpc, false));
  EXPECT_NE(outcome(held.tpc, true), outcome(free.tpc, true));
  expect_all_complete(held.tpc);
}

}  // namespace
}  // namespace gt200::model
