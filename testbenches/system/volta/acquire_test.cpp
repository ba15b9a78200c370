// What one SM releases, another one sees behind its acquire, although its L1 holds the line as it was before. Two
// that store and then load behind a fence do not both miss the other's store.
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

// Store buffering: in each of 8 rounds, two blocks meet, each stores to a cell of its own and then loads the
// other's, which it has read before. Results of round k stand in words 32 + 2 k and 33 + 2 k.
constexpr unsigned rounds = 8;
cubin::module store_buffering(const std::string& between) {
  ptx::compile_options options;
  options.capability = 70;
  return ptx::compile(
      ".version 6.0\n.target sm_70\n.address_size 64\n.entry test (.param .u64 out, .param .u64 in)\n{\n"
      ".reg .u64 %out, %mine, %other, %at, %t;\n.reg .u32 %block, %k, %r, %n, %met;\n.reg .pred %p;\n"
      "ld.param.u64 %out, [out];\nmov.u32 %block, %ctaid.x;\nxor.b32 %r, %block, 1;\n"
      "mul.wide.u32 %t, %block, 256;\nadd.u64 %mine, %out, %t;\nmul.wide.u32 %t, %r, 256;\n"
      "add.u64 %other, %out, %t;\nmul.wide.u32 %t, %block, 4;\nadd.u64 %at, %out, %t;\n"
      "mov.u32 %k, 0;\nmov.u32 %met, 2;\n"
      "ROUND:\natom.acq_rel.gpu.global.add.u32 %n, [%out], 1;\n"
      "MEET:\nld.acquire.gpu.global.u32 %n, [%out];\nsetp.lt.u32 %p, %n, %met;\n@%p bra MEET;\n"
      "ld.global.u32 %n, [%other+1024];\nst.global.u32 [%at+32768], %n;\n"
      "st.global.u32 [%mine+1024], 1;\n" +
          between +
          "\nld.global.u32 %r, [%other+1024];\nst.global.u32 [%at+128], %r;\n"
          "add.u64 %at, %at, 8;\nadd.u64 %mine, %mine, 512;\nadd.u64 %other, %other, 512;\n"
          "add.u32 %met, %met, 2;\nadd.u32 %k, %k, 1;\nsetp.lt.u32 %p, %k, 8;\n@%p bra ROUND;\nexit;\n}\n",
      "store_buffering.ptx", options);
}

// Rounds in which neither block has seen the other's store.
unsigned unseen_rounds(const std::string& between, unsigned stall_seed) {
  device_options options;
  if (stall_seed != 0) options.clocking.stalls = {stall_seed, 200};
  const cubin::module module = store_buffering(between);
  const volta_figures f = figures_of(in_own_process([&] {
    return run_on_volta(module, {{2}, {1, 1, 1}, 8256}, options).text();
  }));
  EXPECT_EQ(f.error, "");
  unsigned unseen = 0;
  for (unsigned k = 0; k < rounds; ++k) unseen += f.out[32 + 2 * k] == 0 && f.out[33 + 2 * k] == 0 ? 1 : 0;
  return unseen;
}

TEST(volta_acquire, one_of_two_blocks_sees_the_other_s_store_behind_a_fence) {
  for (unsigned seed = 0; seed <= 3; ++seed) {
    EXPECT_EQ(unseen_rounds("fence.sc.gpu;", seed), 0u) << "stalls " << seed;
    EXPECT_EQ(unseen_rounds("membar.gl;", seed), 0u) << "stalls " << seed;
  }
}

// Without it both may read the old words.
TEST(volta_acquire, store_buffering_is_seen_without_a_fence) { EXPECT_GT(unseen_rounds("", 0), 0u); }

}  // namespace
}  // namespace gt200::support
