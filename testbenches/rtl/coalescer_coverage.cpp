// The functional coverage of coalescer_bench.
#include <fmt/format.h>

#include <algorithm>

#include "testbenches/rtl/coalescer_bench.h"
#include "toolchain/bits.h"

namespace gt200::support {
namespace {

constexpr unsigned lanes = half_warps::lanes;
constexpr unsigned address_bits = 32;
constexpr unsigned words = 5;  // of 1 to 16 bytes

bool one_bit(std::uint32_t bits) { return bits != 0 && (bits & (bits - 1)) == 0; }
unsigned number_of(std::uint32_t bit) { return static_cast<unsigned>(__builtin_ctz(bit)); }
unsigned count_of(std::uint16_t set) { return static_cast<unsigned>(__builtin_popcount(set)); }

}  // namespace

std::size_t coalescer_bench::list(unsigned count, const std::function<std::string(unsigned)>& name) {
  const std::size_t first = names_.size();
  for (unsigned i = 0; i < count; ++i) names_.push_back(name(i));
  counts_.resize(names_.size());
  return first;
}

std::size_t coalescer_bench::list(const std::string& name) {
  return list(1, [&](unsigned) { return name; });
}

void coalescer_bench::list_bins() {
  word_ = list(words, [](unsigned n) { return fmt::format("words of {} bytes", 1u << n); });
  separate_ = list(lanes, [](unsigned n) { return fmt::format("{} separate words", n + 1); });
  transactions_of_half_ =
      list(lanes, [](unsigned n) { return fmt::format("{} transactions of a half-warp", n + 1); });
  active_ = list(lanes, [](unsigned n) { return fmt::format("{} active lanes", n + 1); });
  lanes_served_ = list(lanes, [](unsigned n) { return fmt::format("a transaction serves {} lanes", n + 1); });
  leads_ = list(lanes, [](unsigned n) { return fmt::format("lane {} is the lowest one left", n); });
  joins_ = list(lanes - 1, [](unsigned n) { return fmt::format("lane {} is served with a lower one", n + 1); });
  left_over_ = list(lanes - 1, [](unsigned n) { return fmt::format("lane {} is left over", n + 1); });
  waits_first_ = list("the first transaction waits");
  waits_later_ = list("a later transaction waits");
  waits_last_ = list("the last transaction waits");
  follows_at_once_ = list("a half-warp in the cycle after the last transaction");
  idle_ = list("a cycle without a half-warp");
  other_inactive_ = list("an inactive lane has another address");
  if (rule_ == rtl::coalescer_rule::cc_1_0)
    list_bins_of_1_0();
  else
    list_bins_of_1_2();
}

void coalescer_bench::list_bins_of_1_0() {
  const auto size = [&](unsigned word, unsigned bytes) {
    sizes_[{word, bytes}] = list(fmt::format("{} bytes for words of {}", bytes, word));
  };
  for (const unsigned word : {1u, 2u, 4u, 8u, 16u}) size(word, 32);
  size(4, 64);
  for (const unsigned word : {8u, 16u}) size(word, 128);
  out_of_order_lane_ = list(lanes, [](unsigned n) { return fmt::format("lane {} alone is out of order", n); });
  out_of_order_bit_ = list(address_bits - 2, [](unsigned n) {
    return fmt::format("address bit {} of a lane alone is out of order", n + 2);
  });
  low_block_ = list("16-byte words in order, the lower block alone");
  high_block_ = list("16-byte words in order, the upper block alone");
  both_blocks_ = list("16-byte words in order, both blocks");
  block_at_0_ = list("16-byte words in order, the upper block at address 0");
}

void coalescer_bench::list_bins_of_1_2() {
  for (unsigned word = 1; word <= 16; word *= 2)
    for (unsigned bytes = 32; bytes <= (word == 1 ? 32u : word == 2 ? 64u : 128u); bytes *= 2)
      sizes_[{word, bytes}] = list(fmt::format("{} bytes for words of {}", bytes, word));
  separating_bit_ = list(address_bits - 5, [](unsigned n) {
    return fmt::format("address bit {} alone separates a lane from the lowest one", n + 5);
  });
  touched_bit_ = list(2, [](unsigned n) { return fmt::format("address bit {} alone keeps a half", n + 5); });
  in_sequence_ = list("in sequence");
  over_two_ = list("successive words of two segments");
  other_words_ = list("successive words of another size in one segment");
}

void coalescer_bench::cover_half_warp(const half_warp& half) {
  hit(word_ + number_of(half.word_bytes));
  hit(active_ + count_of(half.active) - 1);
  hit(transactions_of_half_ + segments_.count - 1);
  const std::uint32_t lowest = half.address[number_of(half.active)];
  bool other = false;
  for (unsigned n = 0; n < lanes; ++n) other |= (half.active >> n & 1) == 0 && half.address[n] != lowest;
  if (other) hit(other_inactive_);
  if (half.separate)
    hit(separate_ + count_of(half.active) - 1);
  else if (rule_ == rtl::coalescer_rule::cc_1_2)
    cover_succession(half);
  else if (half.word_bytes >= 4)
    for (const unsigned lane : {number_of(half.active), 31u - static_cast<unsigned>(__builtin_clz(half.active))})
      cover_order(half, lane);
}

void coalescer_bench::cover_order(const half_warp& half, unsigned lane) {
  const std::uint32_t base = half.address[lane] - lane * half.word_bytes;
  if (base % std::min(lanes * half.word_bytes, 128u) != 0) return;
  std::uint16_t wrong = 0;
  for (const unsigned n : set_bits(std::uint32_t{half.active}))
    if (half.address[n] != base + n * half.word_bytes) wrong = static_cast<std::uint16_t>(wrong | 1u << n);
  if (count_of(wrong) == 1) {
    const unsigned n = number_of(wrong);
    hit(out_of_order_lane_ + n);
    const std::uint32_t difference = half.address[n] ^ (base + n * half.word_bytes);
    if (one_bit(difference)) hit(out_of_order_bit_ + number_of(difference) - 2);
  }
  if (wrong != 0 || half.word_bytes != 16) return;
  const bool low = (half.active & 0x00ff) != 0;
  const bool high = (half.active & 0xff00) != 0;
  hit(low && high ? both_blocks_ : low ? low_block_ : high_block_);
  if (low && high && base + 128 == 0) hit(block_at_0_);
}

void coalescer_bench::cover_succession(const half_warp& half) {
  if (half.active != 0xffff) return;
  for (unsigned n = 0; n < lanes; ++n)
    if (half.address[n] != half.address[0] + n * half.word_bytes) return;
  hit(segments_.count > 1 ? over_two_ : half.word_bytes == 4 ? in_sequence_ : other_words_);
}

void coalescer_bench::cover_transaction(const half_warp& half, const transaction& expected, std::uint16_t left) {
  const unsigned lead = number_of(expected.lanes);
  hit(leads_ + lead);
  if (half.separate) return;
  hit(lanes_served_ + count_of(expected.lanes) - 1);
  hit(sizes_.at({half.word_bytes, expected.bytes}));
  for (const unsigned n : set_bits(std::uint32_t{left})) {
    if (n == lead) continue;
    const bool joins = (expected.lanes >> n & 1) != 0;
    hit((joins ? joins_ : left_over_) + n - 1);
    const std::uint32_t difference = half.address[n] ^ half.address[lead];
    if (rule_ == rtl::coalescer_rule::cc_1_0 || !one_bit(difference) || difference < 32) continue;
    hit((joins ? touched_bit_ : separating_bit_) + number_of(difference) - 5);
  }
}

}  // namespace gt200::support
