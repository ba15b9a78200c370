#include <fmt/format.h>

#include "testbenches/system/memory/memory_board.h"
#include "testbenches/system/memory/memory_programs.h"

namespace gt200::support {
namespace {

// Blocks 0 and 1 are on the first two TPCs; the others make noise. Noise blocks with even numbers, which share the
// even TPCs with block 0, store to the partition of x; those with odd numbers store to the next one, or nothing. A
// round uses 2048 bytes: x, y at the given distance, and a cell in another partition at which the two blocks
// synchronise.
constexpr unsigned blocks = 30;
constexpr unsigned threads = 16;  // a half-warp loads one value, so that no loop diverges
constexpr unsigned round_bytes = 2048;
constexpr unsigned noise_bytes = 512 * 1024;

constexpr const char* head = R"(
.target sm_13
.entry litmus
.param u32 data
.param u32 out
.param u32 rounds
.param u32 distance
.param u32 noise
.param u32 odd_noise
.literal minus u32 0xffffffff
.literal zero u32 0
.literal one u32 1
.literal both u32 32
.literal round u32 2048
.literal meeting u32 0x600
.literal mask u32 0x7ffff
.literal further u32 0x10000
  cvt u32 $r1 u16 $r0l
  mov b16 $r2l u16 s[%ctaid.x]
  cvt u32 $r0 u16 $r2l
  mov b32 $r3 b32 s[rounds]
  mov b32 $r4 b32 s[data]
  mov b32 $r6 b32 s[out]
  mov b32 $r10 0x1
  set $c0 # g u32 $r0 c1[one]
  (lg $c0) bra noise
  set $c3 # e u32 $r0 c1[zero]
  shl b32 $r7 $r3 0x2
  (e $c3) add b32 $r6 $r6 $r7
round:
  add b32 $r5 b32 s[distance] $r4
  add b32 $r8 $r4 c1[meeting]
  red add u32 g14[$r8] $r10
meet:
  ld b32 $r9 g14[$r8]
  set $c1 # l u32 $r9 c1[both]
  (lg $c1) bra meet
  (lg $c3) bra first
  bra second
)";
constexpr const char* tail = R"(
finish:
  st b32 g14[$r6] $r9
  add b32 $r6 $r6 0x4
  add b32 $r4 $r4 c1[round]
  add b32 $r3 $r3 c1[minus]
  set $c1 # lg u32 $r3 $r124
  (lg $c1) bra round
  exit nop
noise:
  mov b32 $r8 b32 s[noise]
  and b32 $r7 $r0 c1[one]
  set $c0 # e u32 $r7 $r124
  (lg $c0) bra loud
  mov b32 $r7 b32 s[odd_noise]
  set $c0 # e u32 $r7 $r124
  (lg $c0) ret
  add b32 $r8 $r8 $r7
loud:
  shl b32 $r3 $r3 0x2
  shl b32 $r5 $r1 0xb
strike:
  and b32 $r7 $r5 c1[mask]
  add b32 $r7 $r8 $r7
  st b32 g14[$r7] $r3
  add b32 $r5 $r5 c1[further]
  add b32 $r3 $r3 c1[minus]
  set $c1 # lg u32 $r3 $r124
  (lg $c1) bra strike
  exit nop
.end
)";

// $r4 = x, $r5 = y, $r10 = 1; $r9 = what the block has found. The results of block 1 follow those of block 0.
const char* body_of(litmus_test test) {
  switch (test) {
    case litmus_test::message_passing:
      return R"(
first:
  st b32 g14[$r4] $r10
  st b32 g14[$r5] $r10
  mov b32 $r9 $r10
  bra finish
second:
  ld b32 $r9 g14[$r5]
  set $c1 # e u32 $r9 $r124
  (lg $c1) bra second
  ld b32 $r9 g14[$r4]
)";
    case litmus_test::message_passing_after_reading_back:
      return R"(
first:
  st b32 g14[$r4] $r10
  ld b32 $r9 g14[$r4]
  st b32 g14[$r5] $r9
  bra finish
second:
  ld b32 $r9 g14[$r5]
  set $c1 # e u32 $r9 $r124
  (lg $c1) bra second
  ld b32 $r9 g14[$r4]
)";
    case litmus_test::store_buffering:
      return R"(
first:
  st b32 g14[$r4] $r10
  ld b32 $r9 g14[$r5]
  bra finish
second:
  st b32 g14[$r5] $r10
  ld b32 $r9 g14[$r4]
)";
  }
  return "";
}

}  // namespace

litmus_result litmus(const config::gpu_config& config, litmus_test test, unsigned distance, unsigned rounds) {
  memory_board board(config, std::string(head) + body_of(test) + tail);
  const std::uint32_t data = board.buffer(std::vector<std::uint32_t>(std::size_t{rounds} * round_bytes / 4));
  const std::uint32_t noise = board.buffer(std::vector<std::uint32_t>(noise_bytes / 4 + 64));
  const std::uint32_t out = board.buffer(std::vector<std::uint32_t>(std::size_t{2} * rounds));
  const unsigned odd_noise = test == litmus_test::store_buffering ? 256 : 0;
  litmus_result result;
  result.rounds = rounds;
  result.trouble = board.run(blocks, threads, {data, out, rounds, distance, noise, odd_noise});
  if (!result.trouble.empty()) return result;
  const auto found = board.content<std::uint32_t>(out, std::size_t{2} * rounds);
  for (unsigned i = 0; i < rounds; ++i) {
    const std::uint32_t first = found[i];
    const std::uint32_t second = found[rounds + i];
    if (first > 1 || second > 1) result.trouble = fmt::format("round {} has found {} and {}", i, first, second);
    const bool relaxed = test == litmus_test::store_buffering ? first == 0 && second == 0 : second == 0;
    result.relaxed += relaxed ? 1 : 0;
  }
  return result;
}

}  // namespace gt200::support
