// The 16 barrier counters of an SM, divided among its blocks by the barriers their kernel names.
#include <algorithm>
#include <cstring>

#include "testbenches/system/checked/checked_board.h"
#include "toolchain/error.h"

namespace gt200::support {
namespace {

class barrier_counters : public checked_board {
 protected:
  // Every warp arrives at barriers 0 to `count` - 1 without waiting, then waits at each. Before, lane 0 of each
  // warp stores; afterwards it loads what the next warp has stored.
  static std::string all_of(unsigned count) {
    std::string body = "  st b32 s[$a1+cells] $r1\n";
    for (unsigned i = 0; i < count; ++i) body += "  bar inc " + std::to_string(i) + " 0xfff\n";
    for (unsigned i = 0; i < count; ++i) body += "  bar wait " + std::to_string(i) + " 0xfff\n";
    return checked_program("  shl $a1 $r1 0x2\n" + body +
                               "  xor b32 $r5 $r1 0x20\n  shl $a1 $r5 0x2\n  ld $r6 b32 s[$a1+cells]\n"
                               "  st b32 g14[$r4] $r6\n  exit nop\n",
                           ".shared cells 2048\n");
  }
};

TEST_F(barrier_counters, are_all_in_use_at_once) {
  build(all_of(16));
  run_alike(4, 256);
  EXPECT_EQ(sm().barrier.releases.value(), 16u * 2) << "two blocks, one after the other, on each of two SMs";
}
TEST_F(barrier_counters, belong_to_one_block_alone) {
  build(all_of(4));  // four blocks of four
  run_alike(8, 64);
  EXPECT_EQ(sm().barrier.releases.value(), 4u * 4);
}
TEST_F(barrier_counters, limit_the_blocks_of_an_sm) {
  // Six counters of 16: two blocks, although otherwise eight would fit.
  build(all_of(6));
  unsigned resident = 0;
  struct count final : tlm_bus::pipe_observer<model::issued_token> {
    explicit count(model::tesla_sm& of, unsigned& to) : sm(of), most(to) {
      sm.operand_collector.from_issue[as_index(sm.units.control())].observers().attach(*this);
    }
    void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::issued_token&) override {
      most = std::max(most, static_cast<unsigned>(__builtin_popcountll(
                                sm.block_control.resident().read(sm.block_control.domain().cycle()))));
    }
    void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::issued_token&) override {}
    model::tesla_sm& sm;
    unsigned& most;
  };
  checker.reset();  // its place is taken
  count watch(sm(), resident);
  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels[0];
  parameters.grid = {8, 1};
  parameters.block = {64, 1, 1};
  parameters.parameter_bytes.assign(8, 0);
  std::memcpy(parameters.parameter_bytes.data(), &out, 4);
  EXPECT_EQ(board->launch(parameters).reason, end_reason::done);
  EXPECT_EQ(resident, 2u * 2) << "warps of two blocks";
}
TEST_F(barrier_counters, beyond_those_of_the_sm_are_refused_at_the_launch) {
  build(all_of(16), {"tpc.sm.limits.barriers=15"});
  try {
    run(1, 64);
    FAIL() << "launched";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("barriers per block: 16 asked for, 15 possible"), std::string::npos)
        << e.what();
  }
}
TEST_F(barrier_counters, of_another_block_are_out_of_reach) {
  build(all_of(4));
  module.kernels[0].barriers = 2;  // three counters
  const launch_result result = run(2, 64);
  EXPECT_EQ(difference(), "no difference");
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::barrier_not_allocated);
}

TEST_F(barrier_counters, serve_a_block_of_1024_threads_where_the_configuration_allows_it) {
  build(checked_program("  shl $a1 $r1 0x2\n  st b32 s[$a1+cells] $r1\n  bar inc wait 0x0 0xfff\n"
                        "  mov b32 $r5 0x3ff\n  xor b32 $r5 $r1 $r5\n  shl $a1 $r5 0x2\n"
                        "  ld $r6 b32 s[$a1+cells]\n  st b32 g14[$r4] $r6\n  exit nop\n",
                        ".shared cells 4096\n"),
        {"tpc.sm.limits.threads_per_block=1024"});
  run_alike(3, 1024);
  std::vector<std::uint32_t> words(3 * 1024);
  board->peek(out, reinterpret_cast<std::uint8_t*>(words.data()), 4 * words.size());
  for (std::uint32_t t = 0; t < words.size(); ++t) ASSERT_EQ(words[t], 1023 - t % 1024);
}

}  // namespace
}  // namespace gt200::support
