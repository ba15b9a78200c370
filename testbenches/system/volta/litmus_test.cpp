// Litmus tests of two and four blocks: load buffering, and independent reads of independent writes. What the memory
// model of PTX forbids is not seen in any round. That the tests are not idle: independent reads differ without the
// order that forbids it, and blocks that buffer loads overtake each other. Message passing and store buffering:
// acquire_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"
#include "toolchain/ptx/compile.h"

namespace gt200::support {
namespace {

// Blocks of one thread, by turns on the two SMs, meet before each round at word 0 of `out`. Each round has cells x
// and y of its own, in lines that nobody has read. A block leaves %r0 and %r1 in the head of `out`.
constexpr unsigned rounds = 32;
constexpr unsigned head_bytes = 4096;
constexpr unsigned results_at = 1024;  // 8 bytes for each round and block
constexpr unsigned round_bytes = 4096;
constexpr unsigned y_at = 1024;

// One of two blocks begins a turn later from round to round, the other one in the middle of that: each of them is
// first in some rounds.
constexpr unsigned step = 1;
constexpr unsigned middle = step * rounds / 2;

// What a block does in each round, and how many turns of an empty loop it waits before.
struct part {
  std::string code;
  unsigned turns = 0;
  unsigned turns_per_round = 0;
};

cubin::module litmus(const std::vector<part>& blocks) {
  std::string ptx = fmt::format(
      ".version 6.0\n.target sm_70\n.address_size 64\n.entry test (.param .u64 out, .param .u64 in)\n{{\n"
      ".reg .u64 %out, %x, %y, %to, %t;\n.reg .u32 %block, %k, %n, %met, %r0, %r1;\n.reg .pred %p;\n"
      "ld.param.u64 %out, [out];\nmov.u32 %block, %ctaid.x;\nmul.wide.u32 %t, %block, {};\nadd.u64 %to, %out, %t;\n"
      "add.u64 %x, %out, {};\nadd.u64 %y, %x, {};\nmov.u32 %k, 0;\nmov.u32 %met, {};\nmov.u32 %r0, 0;\nmov.u32 "
      "%r1, 0;\n"
      "ROUND:\natom.acq_rel.gpu.global.add.u32 %n, [%out], 1;\n"
      "MEET:\nld.acquire.gpu.global.u32 %n, [%out];\nsetp.lt.u32 %p, %n, %met;\n@%p bra MEET;\n",
      8 * rounds, head_bytes, y_at, blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    ptx += fmt::format(
        "setp.ne.u32 %p, %block, {0};\n@%p bra OTHERS{0};\nmad.lo.u32 %n, %k, {1}, {2};\n"
        "DELAY{0}:\nsub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra DELAY{0};\n{3}\nbra NEXT;\nOTHERS{0}:\n",
        b, blocks[b].turns_per_round, blocks[b].turns + 1, blocks[b].code);
  ptx += fmt::format(
      "NEXT:\nst.global.u32 [%to+{}], %r0;\nst.global.u32 [%to+{}], %r1;\nadd.u64 %to, %to, 8;\n"
      "add.u64 %x, %x, {};\nadd.u64 %y, %y, {};\nadd.u32 %met, %met, {};\nadd.u32 %k, %k, 1;\n"
      "setp.lt.u32 %p, %k, {};\n@%p bra ROUND;\nexit;\n}}\n",
      results_at, results_at + 4, round_bytes, round_bytes, blocks.size(), rounds);
  ptx::compile_options options;
  options.capability = 70;
  return ptx::compile(ptx, "litmus.ptx", options);
}

// %r0 and %r1 of every block, by rounds.
using found = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <class question>
unsigned rounds_where(const std::vector<part>& blocks, unsigned stall_seed, question holds) {
  const cubin::module module = litmus(blocks);
  device_options options;
  if (stall_seed != 0) options.clocking.stalls = {stall_seed, 200};
  const volta_grid grid = {
      {static_cast<std::uint32_t>(blocks.size())}, {1, 1, 1}, (head_bytes + rounds * round_bytes) / 4};
  const volta_figures f = figures_of(in_own_process([&] { return run_on_volta(module, grid, options).text(); }));
  EXPECT_EQ(f.error, "");
  EXPECT_EQ(f.hazards, 0u);
  if (!f.error.empty()) return rounds + 1;
  unsigned count = 0;
  for (unsigned k = 0; k < rounds; ++k) {
    found of_round;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::size_t word = results_at / 4 + 2 * (b * rounds + k);
      of_round.emplace_back(f.out[word], f.out[word + 1]);
    }
    count += holds(of_round) ? 1 : 0;
  }
  return count;
}

template <class question>
void expect_never(const std::vector<part>& blocks, question holds) {
  for (unsigned seed = 0; seed <= 3; ++seed)
    EXPECT_EQ(rounds_where(blocks, seed, holds), 0u) << "stalls " << seed << "\n" << blocks.back().code;
}

// -- load buffering: each block loads what the other one stores behind its load --

std::vector<part> load_buffering(const std::string& load, const std::string& between, const std::string& store) {
  const auto block = [&](const std::string& from, const std::string& to) {
    return load + " %r0, [%" + from + "];\n" + between + "\n" + store + " [%" + to + "], 1;";
  };
  return {{block("x", "y"), 0, step}, {block("y", "x"), middle}};
}
bool both_see_the_store(const found& f) { return f[0].first != 0 && f[1].first != 0; }

std::vector<part> unordered() {
  return load_buffering("ld.relaxed.gpu.global.u32", "", "st.relaxed.gpu.global.u32");
}

// In some rounds the one sees the other's store, in some it is the other way round.
TEST(volta_litmus, the_blocks_overtake_each_other) {
  for (unsigned seed = 0; seed <= 3; ++seed)
    for (const unsigned first : {0u, 1u})
      EXPECT_GT(rounds_where(unordered(), seed,
                             [&](const found& f) { return f[first].first == 1 && f[1 - first].first == 0; }),
                0u)
          << "block " << first << ", stalls " << seed;
}

// The model of PTX allows it without order. Here the accesses of an SM leave it in the order of the program, and in
// no run has a load been so late.
TEST(volta_litmus, load_buffering_is_not_seen_without_order_either) {
  expect_never(unordered(), both_see_the_store);
}

TEST(volta_litmus, load_buffering_is_not_seen_across_a_fence) {
  for (const char* fence : {"fence.acq_rel.gpu;", "fence.sc.gpu;", "membar.gl;"})
    expect_never(load_buffering("ld.relaxed.gpu.global.u32", fence, "st.relaxed.gpu.global.u32"),
                 both_see_the_store);
}

TEST(volta_litmus, load_buffering_is_not_seen_behind_an_acquire_or_in_front_of_a_release) {
  expect_never(load_buffering("ld.acquire.gpu.global.u32", "", "st.relaxed.gpu.global.u32"), both_see_the_store);
  expect_never(load_buffering("ld.relaxed.gpu.global.u32", "", "st.release.gpu.global.u32"), both_see_the_store);
}

// No value comes out of thin air.
TEST(volta_litmus, load_buffering_is_not_seen_if_the_store_needs_what_was_loaded) {
  const auto block = [](const std::string& from, const std::string& to) {
    return "ld.relaxed.gpu.global.u32 %r0, [%" + from + "];\nst.relaxed.gpu.global.u32 [%" + to + "], %r0;";
  };
  expect_never({{block("x", "y"), 0, step}, {block("y", "x"), middle}},
               [](const found& f) { return f[0].first != 0 || f[1].first != 0; });
  const auto plus_one = [](const std::string& from, const std::string& to) {
    return "ld.relaxed.gpu.global.u32 %r0, [%" + from + "];\nadd.u32 %r1, %r0, 1;\nst.relaxed.gpu.global.u32 [%" +
           to + "], %r1;";
  };
  expect_never({{plus_one("x", "y"), 0, step}, {plus_one("y", "x"), middle}}, both_see_the_store);
}

// -- independent reads of independent writes: two blocks see the stores of two others in different orders --

std::vector<part> independent_reads(const std::string& first_load, const std::string& between) {
  // Both cells are in the L1 as they were. The reader waits for the first store and looks for the second.
  const auto reader = [&](const std::string& first, const std::string& second, const std::string& number) {
    return "ld.global.u32 %r1, [%" + second + "];\nst.global.u32 [%to+2048], %r1;\nWAIT" + number + ":\n" +
           first_load + " %r0, [%" + first + "];\nsetp.eq.u32 %p, %r0, 0;\n@%p bra WAIT" + number + ";\n" +
           between + "\nld.global.u32 %r1, [%" + second + "];";
  };
  constexpr unsigned until_the_readers_have_the_lines = 100;
  return {{"st.relaxed.gpu.global.u32 [%x], 1;", until_the_readers_have_the_lines},
          {"st.relaxed.gpu.global.u32 [%y], 1;", until_the_readers_have_the_lines},
          {reader("x", "y", "2")},
          {reader("y", "x", "3")}};
}
bool orders_differ(const found& f) {
  return f[2].first == 1 && f[2].second == 0 && f[3].first == 1 && f[3].second == 0;
}

TEST(volta_litmus, independent_reads_differ_without_order) {
  EXPECT_GT(rounds_where(independent_reads("ld.relaxed.gpu.global.u32", ""), 0, orders_differ), 0u);
}

TEST(volta_litmus, independent_reads_agree_across_a_fence) {
  for (const char* fence : {"fence.sc.gpu;", "membar.gl;"})
    expect_never(independent_reads("ld.relaxed.gpu.global.u32", fence), orders_differ);
}

// The model of PTX allows what is not seen here: there is one L2, in which a store becomes visible to all SMs at
// once.
TEST(volta_litmus, independent_reads_agree_behind_an_acquire) {
  expect_never(independent_reads("ld.acquire.gpu.global.u32", ""), orders_differ);
}

}  // namespace
}  // namespace gt200::support
