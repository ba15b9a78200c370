// What one SM releases, another one sees behind its acquire, although its L1 holds the line as it was before.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"
#include "toolchain/ptx/compile.h"

namespace gt200::support {
namespace {

// Block 1 reads a word, says so, and reads it again when block 0 has changed it and set a flag: into words 128 and
// 129. `poll` loads the flag, `behind` stands between it and the second load.
cubin::module exchange(const std::string& poll, const std::string& behind = "") {
  ptx::compile_options options;
  options.capability = 70;
  return ptx::compile(
      ".version 6.0\n.target sm_70\n.address_size 64\n.entry test (.param .u64 out, .param .u64 in)\n{\n"
      ".reg .u64 %out;\n.reg .u32 %block, %flag, %old, %new;\n.reg .pred %p;\nld.param.u64 %out, [out];\n"
      "mov.u32 %block, %ctaid.x;\nsetp.eq.u32 %p, %block, 0;\n@%p bra WRITER;\n"
      "ld.global.u32 %old, [%out];\nst.global.u32 [%out+512], %old;\nst.release.gpu.global.u32 [%out+256], 1;\n"
      "POLL:\n" +
          poll + " %flag, [%out+384];\nsetp.eq.u32 %p, %flag, 0;\n@%p bra POLL;\n" + behind +
          "\nld.global.u32 %new, [%out];\nst.global.u32 [%out+516], %new;\nexit;\n"
          "WRITER:\nld.acquire.gpu.global.u32 %flag, [%out+256];\nsetp.eq.u32 %p, %flag, 0;\n@%p bra WRITER;\n"
          "st.global.u32 [%out], 7;\nst.release.gpu.global.u32 [%out+384], 1;\nexit;\n}\n",
      "exchange.ptx", options);
}

std::string run(const cubin::module& module, const device_options& options = {}) {
  return in_own_process([&] { return run_on_volta(module, {{2}, {1, 1, 1}, 160}, options).text(); });
}

void expect_seen(const cubin::module& module) {
  const std::string text = run(module);
  const volta_figures o = figures_of(text);
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.hazards, 0u);
  EXPECT_EQ(o.out[128], 0u);
  EXPECT_EQ(o.out[129], 7u);
  device_options options;
  options.clocking.shuffle_seed = 1;
  EXPECT_EQ(run(module, options), text) << "shuffled";
  options = {};
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  EXPECT_EQ(run(module, options), text) << "reference clocking";
  for (unsigned seed = 1; seed <= 3; ++seed) {
    options = {};
    options.clocking.stalls = {seed, 200};
    const volta_figures stalled = figures_of(run(module, options));
    ASSERT_EQ(stalled.error, "") << "stalls " << seed;
    EXPECT_EQ(stalled.out[129], 7u) << "stalls " << seed;
  }
}

TEST(volta_acquire, load_sees_what_was_released) { expect_seen(exchange("ld.acquire.gpu.global.u32")); }
TEST(volta_acquire, load_of_the_system_sees_what_was_released) {
  expect_seen(exchange("ld.acquire.sys.global.u32"));
}
TEST(volta_acquire, fence_behind_a_relaxed_load_does_the_same) {
  expect_seen(exchange("ld.relaxed.gpu.global.u32", "fence.acq_rel.gpu;"));
}
TEST(volta_acquire, fence_of_old_programs_does_the_same) {
  expect_seen(exchange("ld.volatile.global.u32", "membar.gl;"));
}

// Without it, the L1 answers: the tests above are not idle.
TEST(volta_acquire, is_needed) {
  const volta_figures o = figures_of(run(exchange("ld.relaxed.gpu.global.u32")));
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.out[129], 0u);
}

}  // namespace
}  // namespace gt200::support
