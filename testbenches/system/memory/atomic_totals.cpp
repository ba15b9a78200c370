#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "testbenches/system/memory/memory_board.h"
#include "testbenches/system/memory/memory_programs.h"

namespace gt200::support {
namespace {

constexpr unsigned threads = 128;
constexpr unsigned max_cells = 4096;
constexpr std::uint32_t limit = 999;         // operand of inc and dec
constexpr std::uint64_t high = 0xabcd0000u;  // upper half of 64-bit operands
constexpr unsigned thread_shift = 18;        // operands differ, and some are negative

struct operation {
  std::uint64_t operand;
  std::uint64_t result;
};
using cell_operations = std::vector<std::vector<operation>>;

std::string assembly(const atomic_kind& kind) {
  const std::string name = kind.name;
  const bool cas = name.substr(0, 3) == "cas";
  const bool exchange = cas || name.substr(0, 4) == "exch";
  const bool counter = name.substr(0, 3) == "inc" || name.substr(0, 3) == "dec";
  const char* const d = kind.wide ? "d" : "";
  const std::string operand = counter ? "  add b32 $r4 $r124 c1[limit]\n" : "  mov b32 $r4 $r2\n";
  // $r4 = operand, $r6 = compare value of cas, $r8 = result
  const std::string with_result = fmt::format("  {}{} $r8{} g14[$r11] {}$r4{}\n", exchange ? "" : "ld ", name, d,
                                              cas ? fmt::format("$r6{} ", d) : "", d) +
                                  "  st b64 g14[$r12] $r8d\n";
  const std::string second = kind.reduction ? fmt::format("  red {} g14[$r11] $r4{}\n", name, d) : with_result;
  const std::string next = "  add b32 $r2 $r2 0x1\n  add b32 $r12 b32 s[stride] $r12\n";
  return R"(
.target sm_13
.entry atomic_totals
.param u32 cells
.param u32 mask
.param u32 results
.param u32 stride
.param u32 rounds
.literal minus u32 0xffffffff
.literal limit u32 999
.literal high u32 0xabcd0000
  mov b16 $r0h u16 s[%ntid.x]
  cvt u32 $r1 u16 $r0l
  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
  shl b32 $r2 $r0 0x12
  add b32 $r2 $r2 0x1
  mov b32 $r3 b32 s[rounds]
  add b32 $r5 $r124 c1[high]
  mov b32 $r6 $r124
  mov b32 $r7 $r124
  mov b32 $r9 $r124
  shl b32 $r12 $r0 0x3
  add b32 $r12 b32 s[results] $r12
again:
  and b32 $r11 b32 s[mask] $r0
  shl b32 $r11 $r11 0x3
  add b32 $r11 b32 s[cells] $r11
)" + operand +
         with_result + next + operand + second + next + R"(
  add b32 $r0 $r0 0x25
  add b32 $r3 $r3 c1[minus]
  set $c0 # lg u32 $r3 $r124
  (lg $c0) bra again
  exit nop
.end
)";
}

std::uint64_t initial_of(const std::string& name) {
  if (name == "min u32" || name == "and b32") return 0xffffffff;
  if (name == "min s32") return 0x7fffffff;
  if (name == "max s32") return 0x80000000;
  return 0;
}

// Operations with a result independent of their order.
std::uint64_t folded(const std::string& name, std::uint64_t initial, const std::vector<operation>& operations) {
  std::uint64_t wide = initial;
  auto value = static_cast<std::uint32_t>(initial);
  for (const operation& o : operations) {
    const auto operand = static_cast<std::uint32_t>(o.operand);
    wide += o.operand;
    if (name == "add u32") value += operand;
    if (name == "max u32") value = std::max(value, operand);
    if (name == "min u32") value = std::min(value, operand);
    if (name == "max s32" && static_cast<std::int32_t>(operand) > static_cast<std::int32_t>(value)) value = operand;
    if (name == "min s32" && static_cast<std::int32_t>(operand) < static_cast<std::int32_t>(value)) value = operand;
    if (name == "inc u32") value = value >= limit ? 0 : value + 1;
    if (name == "dec u32") value = value == 0 || value > limit ? limit : value - 1;
    if (name == "and b32") value &= operand;
    if (name == "or b32") value |= operand;
    if (name == "xor b32") value ^= operand;
  }
  return name == "add u64" ? wide : value;
}

// Each operation returns what another one, or the start, has stored.
bool exchanged(std::uint64_t initial, const std::vector<operation>& operations, std::uint64_t final) {
  std::vector<std::uint64_t> left = {initial}, found = {final};
  for (const operation& o : operations) {
    left.push_back(o.operand);
    found.push_back(o.result);
  }
  std::sort(left.begin(), left.end());
  std::sort(found.begin(), found.end());
  return left == found;
}

// One operation finds 0 and stores its operand, which all others find.
bool swapped_once(const std::vector<operation>& operations, std::uint64_t final) {
  unsigned winners = 0;
  for (const operation& o : operations) {
    if (o.result == 0) ++winners;
    if (o.result == 0 ? o.operand != final : o.result != final) return false;
  }
  return winners == (operations.empty() ? 0 : 1);
}

}  // namespace

std::string atomic_totals(const config::gpu_config& config, const atomic_kind& kind, bool contended,
                          unsigned blocks, unsigned rounds) {
  const std::string name = kind.name;
  const unsigned cells = contended ? 1 : max_cells;
  const unsigned all_threads = blocks * threads;
  const std::uint64_t initial = initial_of(name);
  memory_board board(config, assembly(kind));
  const std::uint32_t memory = board.buffer(std::vector<std::uint64_t>(cells, initial));
  const std::uint32_t results = board.buffer(std::vector<std::uint64_t>(std::size_t{all_threads} * 2 * rounds));
  const std::string trouble = board.run(blocks, threads, {memory, cells - 1, results, all_threads * 8, rounds});
  if (!trouble.empty()) return trouble;

  const auto found = board.content<std::uint64_t>(memory, cells);
  const auto returned = board.content<std::uint64_t>(results, std::size_t{all_threads} * 2 * rounds);
  cell_operations of_cell(cells);
  for (unsigned thread = 0; thread < all_threads; ++thread)
    for (unsigned i = 0; i < 2 * rounds; ++i) {
      const std::uint32_t operand = (thread << thread_shift) + 1 + i;
      of_cell[(thread + 0x25 * (i / 2)) & (cells - 1)].push_back(
          {kind.wide ? high << 32 | operand : operand, returned[std::size_t{i} * all_threads + thread]});
    }
  for (unsigned c = 0; c < cells; ++c) {
    const bool cas = name.substr(0, 3) == "cas";
    const bool right = name.substr(0, 4) == "exch" ? exchanged(initial, of_cell[c], found[c])
                       : cas                       ? swapped_once(of_cell[c], found[c])
                                                   : found[c] == folded(name, initial, of_cell[c]);
    if (!right)
      return fmt::format("{} of cell {}: {} operations leave {:#x}", name, c, of_cell[c].size(), found[c]);
  }
  return "";
}

}  // namespace gt200::support
