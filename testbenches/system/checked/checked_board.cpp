#include "testbenches/system/checked/checked_board.h"

namespace gt200::support {

std::vector<std::string> narrow_way_to_memory() {
  return {"tpc.sm.memory_port.queue_entries=2",         "tpc.memory.sm_controller.queue_entries=2",
          "tpc.memory.sm_controller.latency_cycles=1",  "tpc.memory.address_generation.latency_cycles=1",
          "tpc.memory.tlb.l1_hit_latency_cycles=1",     "tpc.memory.coalescer.latency_cycles=1",
          "tpc.memory.load_store_queue.store_entries=2"};
}

void checked_board::run_alike(unsigned blocks, unsigned threads) {
  const launch_result result = run(blocks, threads);
  EXPECT_EQ(result.reason, end_reason::done) << result.explanation << arch_state::describe(result.fault);
  EXPECT_EQ(difference(), "no difference");
  EXPECT_NE(checker->counts().instructions, 0u);
}

}  // namespace gt200::support
